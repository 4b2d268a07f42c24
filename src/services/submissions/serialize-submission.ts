import { type Static, Type } from '@sinclair/typebox';
import type { Payload, PayloadValue, StoredSubmission, UploadedFile } from '../../domain/submissions/submission.ts';
import { formatTime } from '../../lib/clock.ts';
import { Count, closed, noun, nullable, Time } from '../../lib/schema.ts';
import type { Services } from '../services.ts';
import { readConsent, readFiles, readPayload } from './read-submission.ts';

type Deps = Pick<Services, 'vault' | 'log'>;

const FileOutput = closed({
  id: Type.String(),
  field: Type.String(),
  name: Type.String(),
  content_type: Type.String(),
  size: Count,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

const EXAMPLE_FILE: Static<typeof FileOutput> = {
  id: 'file_01a1fd5c964170d7a9e1b2c3d4e5f607',
  field: 'cv',
  name: 'cv.pdf',
  content_type: 'application/pdf',
  size: 48_213,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

/** A submission in responses, exports and events. */
export const SubmissionOutput = noun('Submission', {
  id: Type.String({ examples: ['sub_01a1fd5c9641704595cdd5dffe05afc5'] }),
  created_at: Time,
  is_spam: Type.Boolean({
    description: 'True if the submission is flagged as spam. Flagged submissions count toward usage.',
  }),
  maybe_spam: Type.Optional(
    Type.Literal(true, {
      description: 'Present if the spam filter was not sure and nobody has marked the submission. `is_spam` is false.',
    }),
  ),
  confirmation: Type.Optional(
    Type.Unsafe<{ mailed_at: string; confirmed_at: string; address_hash: string }>({
      ...closed({ mailed_at: Time, confirmed_at: Time, address_hash: Type.String() }),
      description: 'Present if the visitor confirmed their address: when, and a keyed hash of the address.',
    }),
  ),
  consent: Type.Optional(
    Type.Unsafe<{ version: string; text: string | null }>({
      ...closed({ version: Type.String(), text: nullable(Type.String(), 'Null if the record is damaged.') }),
      description:
        'Present if the visitor agreed to the consent text of the form: the text, and a keyed hash as version.',
    }),
  ),
  data: nullable(
    Type.Record(Type.String(), Type.Unknown()),
    'The submitted fields, decrypted, with card and social security numbers masked. Null if the record is damaged.',
    { example: { email: 'ada@example.com', message: 'My card is ************4242.' } },
  ),
  file_metadata: nullable(closed({ files: Type.Array(FileOutput) }), 'The uploaded files. Null if there are none.', {
    example: { files: [EXAMPLE_FILE] },
  }),
});

/** Returns a submission as the management API shows it: masked, with `data` null for a damaged payload. */
export function serializeSubmission(deps: Deps, submission: StoredSubmission): Static<typeof SubmissionOutput> {
  const { vault, log } = deps;
  const payload = readPayload(vault, log, submission);
  const consent = readConsent(vault, log, submission);
  return {
    id: submission.id,
    created_at: formatTime(submission.createdAt),
    is_spam: submission.isSpam,
    ...(submission.isMaybeSpam && { maybe_spam: true }),
    ...getConfirmation(submission),
    ...(consent && { consent }),
    data: payload && asObject(payload),
    file_metadata: submission.files && { files: readFiles(vault, log, submission).map(serializeFile) },
  };
}

/** Returns the proof that the visitor confirmed their address; nothing without one. */
function getConfirmation({ confirmHash, confirmMailedAt, confirmedAt }: StoredSubmission) {
  if (confirmHash === null || confirmMailedAt === null || confirmedAt === null) return {};
  const times = { mailed_at: formatTime(confirmMailedAt), confirmed_at: formatTime(confirmedAt) };
  return { confirmation: { ...times, address_hash: confirmHash } };
}

/** Returns the description of a file as the management API shows it. */
export function serializeFile({ id, field, name, contentType, size, sha256 }: UploadedFile): Static<typeof FileOutput> {
  return { id, field, name, content_type: contentType, size, sha256 };
}

/** Converts a payload into an object without prototype, so that `__proto__` is an ordinary field name. */
export function asObject(payload: Payload): Record<string, PayloadValue> {
  const object: Record<string, PayloadValue> = Object.create(null);
  for (const [name, value] of payload) object[name] = value;
  return object;
}

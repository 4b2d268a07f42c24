import { AppError } from '../../domain/errors.ts';
import { type Payload, type PayloadValue, SUBMISSION_LIMITS } from '../../domain/submissions/submission.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { isLongerThan, valueTooLong } from './entries.ts';
import { type JsonMember, parseJson, splitMembers } from './json-members.ts';

type Entry = Payload[number];

/**
 * Decodes a JSON object (RFC 8259) into entries, in order. Repeated names are kept, and a number that a double can't
 * hold becomes a string. Throws `AppError` for anything else and beyond the limits.
 */
export function decodeJson(body: Uint8Array): Promise<Entry[]> {
  return mapYielding(splitMembers(strictUtf8(body)), decodeMember);
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

function strictUtf8(body: Uint8Array): string {
  try {
    return strictDecoder.decode(body);
  } catch {
    throw new AppError('unreadable_body', 'The JSON is not valid UTF-8.');
  }
}

function decodeMember([name, text]: JsonMember): Entry {
  const value = parseJson(text);
  refuseLongText(name, value);
  return [name, value];
}

/** Throws `value_too_long` if the JSON of a nested value, names included, is longer than the limit of one value. */
function refuseLongText(name: string, value: PayloadValue): void {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isLongerThan(SUBMISSION_LIMITS.valueBytes, text)) throw valueTooLong(name);
}

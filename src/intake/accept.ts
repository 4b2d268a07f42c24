import { AppError } from '../domain/errors.ts';
import { validateField } from '../domain/field-rules.ts';
import type { Form } from '../domain/form.ts';
import { mailsForSubmission } from '../domain/mail.ts';
import type { Payload } from '../domain/submission.ts';
import { type Clock, SECOND } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { mapYielding } from '../lib/map-yielding';
import type { Proxies } from '../lib/proxies.ts';
import { SsrfGuard } from '../lib/ssrf-guard';
import type { Idempotency, SpentChallenge, Store } from '../storage/store.ts';
import { filesAad, payloadAad, spamReasonsAad, type Vault } from '../vault/vault.ts';
import { challengeFailed, requireSolved } from './challenge/challenge.ts';
import { ChallengeServices } from './challenge/siteverify.ts';
import { IdempotencyGuard, keyReused } from './idempotency.ts';
import { PostCounts } from './post-counts.ts';
import { emptySubmission, formPaused } from './refusals.ts';
import { Repeats } from './spam/repeats.ts';
import { spamReasons } from './spam/spam.ts';
import { challengeToken, isEmpty, isTrapped, stampOf, withoutControlFields } from './special-fields.ts';
import type { Upload } from './upload.ts';

/** What intake needs; `once` and `repeats` remember earlier posts, `services` are those that set challenges, `counts` tells. */
export type Intake = Readonly<{
  store: Store;
  vault: Vault;
  clock: Clock;
  once: IdempotencyGuard;
  repeats: Repeats;
  services: ChallengeServices;
  counts: PostCounts;
  /** Null where no mail is sent. */
  mail: Readonly<{ sender: string; outbox: Readonly<{ wake: () => void }> }> | null;
}>;

type NewIntake = Pick<Intake, 'store' | 'vault' | 'clock' | 'mail'> &
  Readonly<{ config: Readonly<{ allowedPrivateHosts: readonly string[] }>; proxies: Proxies; challengeMs?: number }>;

/** An intake that remembers nothing yet. A server has one. */
export function newIntake({ store, vault, clock, mail, config, proxies, challengeMs }: NewIntake): Intake {
  const services = new ChallengeServices(new SsrfGuard(config.allowedPrivateHosts), proxies, challengeMs);
  const memory = { once: new IdempotencyGuard(store, vault), repeats: new Repeats(), services };
  return { store, vault, clock, mail, ...memory, counts: new PostCounts() };
}

/** A post that was read: `idempotencyKey` is the header of that name, null where there is none. */
export type Post = Readonly<{ sent: Payload; upload: Upload; idempotencyKey: string | null }>;

/**
 * Takes what was sent to an active form through traps, replays, rules, the challenge and the spam score, and keeps it.
 * Fulfilled only once it is on the disk, with its id; with null where it was before, or was dropped because it fell
 * into a trap: the visitor may not tell. Throws `AppError` if it was not kept.
 */
export async function acceptPost(intake: Intake, form: Form, post: Post): Promise<string | null> {
  if (isTrapped(post.sent)) {
    intake.counts.trapped += 1;
    return null;
  }
  const payload = withoutControlFields(post.sent);
  const { files } = post.upload;
  if (isEmpty(payload) && files.length === 0) throw emptySubmission();

  let id: string | null = null;
  const keep = async (idempotency: Idempotency | null) => {
    if (form.enforcesRules) await refuseFaults(form, payload, new Set(files.map(({ field }) => field)));
    const challenge = await requireSolved(intake, form, challengeToken(post.sent));
    const reasons = spamReasons(intake, form, payload, stampOf(post.sent));
    id = await keepSubmission(intake, form, post.upload, { payload, reasons, idempotency, challenge });
  };
  if (post.idempotencyKey === null) await keep(null);
  else await intake.once.run(form.id, post.idempotencyKey, { payload, files }, keep);
  if (id === null) intake.counts.replayed += 1;
  return id;
}

async function refuseFaults({ fields }: Form, payload: Payload, withFiles: ReadonlySet<string>): Promise<void> {
  const values = new Map(payload);
  const found = await mapYielding(fields, (field) =>
    validateField(field, values.get(field.name), withFiles.has(field.name)),
  );
  const errors = found.filter((fault) => fault !== null);
  if (errors.length === 0) return;
  throw new AppError('invalid_fields', 'Some entries are missing or need to be corrected.', { errors });
}

type Accepted = Readonly<{
  payload: Payload;
  /** Why it is spam, in words; none if it is not. */
  reasons: readonly string[];
  idempotency: Idempotency | null;
  challenge: SpentChallenge | null;
}>;

/** The id of what was kept; null if it was before. */
async function keepSubmission(
  { store, vault, clock, mail, counts }: Intake,
  form: Form,
  upload: Upload,
  { payload, reasons, idempotency, challenge }: Accepted,
): Promise<string | null> {
  const id = newId('sub');
  const { files } = upload;
  const isSpam = reasons.length > 0;
  const mails = mail && !isSpam ? mailsForSubmission(form, id, payload, mail.sender, vault.addressHash) : [];
  const acceptance = await store
    .acceptSubmission({
      id,
      formId: form.id,
      isSpam,
      payload: vault.sealPayload(payload, payloadAad(id, form.id)),
      spamReasons: isSpam ? vault.seal(JSON.stringify(reasons), spamReasonsAad(id, form.id)) : null,
      files: files.length > 0 ? vault.sealFiles(files, filesAad(id, form.id)) : null,
      blobs: files.map(({ blob }) => blob),
      idempotency,
      challenge,
      mails,
    })
    .catch((error: unknown) => {
      // A commit that failed may still come back with the next start: only the sweep can tell.
      upload.release();
      throw error;
    });
  switch (acceptance.outcome) {
    case 'stored':
      upload.release();
      counts.accepted += 1;
      if (isSpam) counts.flagged += 1;
      if (mails.length > 0) mail?.outbox.wake();
      return id;
    case 'replayed':
      return null;
    case 'spent':
      throw challengeFailed();
    case 'reused':
      throw keyReused();
    case 'paused':
      throw formPaused();
    case 'capped': {
      const seconds = Math.max(1, Math.ceil((acceptance.periodEnd - clock()) / SECOND));
      throw new AppError('submission_cap_reached', 'This form takes no more submissions this month.', {
        headers: { 'Retry-After': String(seconds) },
      });
    }
  }
}

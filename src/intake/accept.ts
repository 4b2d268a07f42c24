import { AppError, type ErrorCode, type FieldError } from '../domain/errors.ts';
import { validateField } from '../domain/fields/field-rules.ts';
import { getFieldType } from '../domain/fields/field-types.ts';
import { MatchBudget } from '../domain/fields/pattern.ts';
import { agreedFields } from '../domain/forms/consent.ts';
import { getDestinations } from '../domain/forms/destinations.ts';
import type { Form } from '../domain/forms/form.ts';
import { mailsForSubmission, visitorAddress } from '../domain/mail/mail.ts';
import type { Payload, Source } from '../domain/submissions/submission.ts';
import { deliveriesForSubmission } from '../domain/webhooks/webhook.ts';
import { type Clock, formatTime, SECOND } from '../lib/clock.ts';
import type { GuardedNetwork } from '../lib/guarded-fetch.ts';
import { getTime, newId } from '../lib/ids.ts';
import type { Logger } from '../lib/log.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { judge, type Verdict } from '../spam/spam.ts';
import { SpamMemory } from '../spam/spam-memory.ts';
import type { Idempotency, NewSubmission, SpentChallenge } from '../storage/records.ts';
import type { Store } from '../storage/store.ts';
import { sealSpamNote } from '../vault/open-submission.ts';
import { filesAad, payloadAad, sourceAad, type Vault } from '../vault/vault.ts';
import { asksForProof, challengeFailed, requireProof, requireSolved } from './challenge/challenge.ts';
import { ChallengeServices } from './challenge/siteverify.ts';
import { ConsentVersions, consentVersion } from './consent-versions.ts';
import { challengeToken, hasFilledHoneypot, isEmpty, pageStamp, withoutControlFields } from './control-fields.ts';
import { IdempotencyGuard, keyReused } from './idempotency.ts';
import { alreadySubmitted, emailRequired, emptySubmission, formFull, formNotOpen, formPaused } from './refusals.ts';
import type { Upload } from './upload.ts';

/** Dependencies of `acceptPost` and its state between posts. */
export type Intake = Readonly<{
  store: Store;
  vault: Vault;
  clock: Clock;
  idempotency: IdempotencyGuard;
  spamMemory: SpamMemory;
  consents: ConsentVersions;
  challengeServices: ChallengeServices;
  counts: PostCounts;
  /** The sender is null if no mail server is configured. */
  mail: Readonly<{ sender: string | null; outbox: Readonly<{ wake: () => void }> }>;
  webhooks: Readonly<{ wake: () => void }>;
  baseUrl: string | null;
}>;

type NewIntake = Pick<Intake, 'store' | 'vault' | 'clock' | 'mail' | 'webhooks'> &
  Readonly<{
    network: GuardedNetwork;
    log: Logger;
    challengeMs?: number;
    config: Readonly<{ baseUrl: string | null }>;
  }>;

/** Creates the intake of a server. A server has exactly one, because it holds state between posts. */
export function newIntake(context: NewIntake): Intake {
  const { store, vault, clock, mail, webhooks, network, challengeMs } = context;
  return {
    store,
    vault,
    clock,
    mail,
    webhooks,
    baseUrl: context.config.baseUrl,
    idempotency: new IdempotencyGuard(store, vault),
    spamMemory: new SpamMemory({ store, vault }),
    consents: new ConsentVersions(store, vault),
    challengeServices: new ChallengeServices(network, challengeMs),
    counts: new PostCounts(),
  };
}

/** A decoded post. `source` is null unless the form keeps it; `idempotencyKey` is the Idempotency-Key header, null if missing. */
export type Post = Readonly<{
  sent: Payload;
  upload: Upload;
  source?: Source | null;
  /** True for a post of the hosted page. */
  isHosted?: boolean;
  /** The version of the consent text that the hosted page showed; null for none. */
  shownConsent?: string | null;
  idempotencyKey: string | null;
  /** The language of mails to the visitor; null for none. */
  language?: string | null;
}>;

/** Returns whether visitors have to confirm their addresses. Without a link in a mail nobody could. */
export function asksToConfirm({ mail, baseUrl }: Pick<Intake, 'mail' | 'baseUrl'>, form: Form): boolean {
  return form.confirmAddress && mail.sender !== null && baseUrl !== null;
}

/**
 * Checks a post to an active form (honeypots, replay, rules, challenge, spam score) and stores it. Returns the id of
 * the submission once it is synced to disk; null for a replay or a filled honeypot, which clients can't tell from a
 * success. Throws `AppError` if the post is refused.
 */
export async function acceptPost(intake: Intake, form: Form, post: Post): Promise<string | null> {
  if (hasFilledHoneypot(post.sent)) {
    intake.counts.honeypotHits += 1;
    return null;
  }
  const payload = withoutControlFields(post.sent, form);
  const { files } = post.upload;
  const outdated = post.isHosted && !isCurrent(intake, form, post) ? agreedFields(form, payload) : [];
  const fieldErrors = () =>
    findErrors(form, payload, new Set(files.map(({ field }) => field)), post.isHosted, outdated);
  if (isEmpty(payload) && files.length === 0) throw emptySubmission(await fieldErrors());

  let id: string | null = null;
  const checkAndStore = async (idempotency: Idempotency | null) => {
    const errors = await fieldErrors();
    if (errors.length > 0) {
      throw new AppError('invalid_fields', 'Some entries are missing or need to be corrected.', { errors });
    }
    if (asksToConfirm(intake, form) && visitorAddress(payload) === null) throw emailRequired();
    const token = challengeToken(post.sent);
    const solved = await requireSolved(intake, form, token);
    const { teams, forms } = intake.spamMemory;
    const now = intake.clock();
    const model = teams.find(form.workspaceId, now);
    const team = model instanceof Promise ? await model : model;
    const flagged = forms.find(form, now);
    const memory = flagged instanceof Promise ? await flagged : flagged;
    const verdict = judge(intake, form, payload, pageStamp(post.sent), team, memory);
    // The page that asks for the proof can't keep files.
    const isAsked = verdict.isDoubtful && verdict.class !== 'spam';
    const needsProof = isAsked && asksForProof(form) && files.length === 0;
    const challenge = needsProof ? await requireProof(intake, form, token) : solved;
    id = await storeSubmission(intake, form, post, { payload, verdict, idempotency, challenge });
  };
  if (post.idempotencyKey === null) await checkAndStore(null);
  else await intake.idempotency.run(form.id, post.idempotencyKey, { payload, files }, checkAndStore);
  if (id === null) intake.counts.replayed += 1;
  return id;
}

/** Returns whether a post of the hosted page saw the form's current consent text, if it has one. */
function isCurrent({ vault }: Intake, { id, consentText }: Form, { shownConsent }: Post): boolean {
  return consentText === null || shownConsent === consentVersion(vault, id, consentText);
}

/** Returns the errors of a post; `outdated` names fields that agree to an earlier text. If the form doesn't enforce its rules, posts of its hosted page still need its required fields. */
async function findErrors(
  { enforcesRules, fields }: Form,
  payload: Payload,
  fileFields: ReadonlySet<string>,
  isHosted = false,
  outdated: readonly string[] = [],
): Promise<FieldError[]> {
  if (!enforcesRules && !isHosted) return [];
  const values = new Map(payload);
  const budget = new MatchBudget();
  const errors = await mapYielding(fields, (field) => {
    if (outdated.includes(field.name)) return { field: field.name, code: 'consent' } as const;
    const error = validateField(field, values.get(field.name), fileFields.has(field.name), budget);
    const isMissing = error?.code === (getFieldType(field).required?.error ?? 'required');
    return enforcesRules || isMissing ? error : null;
  });
  return errors.filter((error) => error !== null);
}

type CheckedPost = Readonly<{
  payload: Payload;
  verdict: Verdict;
  idempotency: Idempotency | null;
  challenge: SpentChallenge | null;
}>;

/**
 * Stores a submission, sealed again if another process has changed the current key meanwhile. Throws
 * `AppError('storage_unavailable')` without that key.
 */
async function acceptSealed({ store, vault }: Pick<Intake, 'store' | 'vault'>, seal: () => NewSubmission) {
  const acceptance = await store.queue.accept(seal());
  if (acceptance.outcome !== 'stale key') return acceptance;
  const resealed = vault.activate(acceptance.keyId) && (await store.queue.accept(seal()));
  if (resealed && resealed.outcome !== 'stale key') return resealed;
  throw new AppError('storage_unavailable', 'Submissions cannot be stored right now. Please try again in a minute.');
}

/** Returns the id of the stored submission; null for a replay. */
async function storeSubmission(
  intake: Intake,
  form: Form,
  { upload, source = null, language = null }: Post,
  { payload, verdict, idempotency, challenge }: CheckedPost,
): Promise<string | null> {
  const { store, vault, clock, mail, webhooks, counts, spamMemory } = intake;
  const { sender } = mail;
  const id = newId('sub');
  const { files } = upload;
  const isSpam = verdict.class === 'spam';
  const isMaybeSpam = verdict.class === 'maybe';
  const isHeld = isSpam || (isMaybeSpam && form.maybeSpamAction === 'hold');
  const { recipients, webhooks: routes } = getDestinations(form, payload, { isSpam: isHeld, hasMail: sender !== null });
  // Spam gets no mail that asks to confirm it.
  const mustConfirm = !isSpam && asksToConfirm(intake, form);
  const arrival = { id, payload, recipients: mustConfirm ? null : recipients, language };
  const mails =
    sender !== null && (mustConfirm || !isHeld) ? mailsForSubmission(form, arrival, sender, vault.addressHash) : [];
  const deliveries = mustConfirm ? [] : deliveriesForSubmission(routes, id);
  const visitor = form.oncePerAddress || mustConfirm ? visitorAddress(payload) : null;
  const visitorHash = visitor && vault.addressHash(visitor);
  const consent = form.consentText === null ? null : await intake.consents.keep(form, payload);
  const seal = (): NewSubmission => ({
    id,
    formId: form.id,
    isSpam,
    isMaybeSpam,
    payload: vault.sealPayload(payload, payloadAad(id, form.id)),
    spamReasons:
      isSpam || isMaybeSpam ? sealSpamNote(vault, { id, formId: form.id }, { reasons: verdict.reasons, isHeld }) : null,
    files: files.length > 0 ? vault.seal(JSON.stringify(files), filesAad(id, form.id)) : null,
    source: source && vault.seal(JSON.stringify(source), sourceAad(id, form.id)),
    address: form.oncePerAddress ? visitorHash : null,
    confirmHash: mustConfirm ? visitorHash : null,
    consent,
    keyId: vault.keyId,
    blobs: files.map(({ blob }) => blob),
    fileBytes: files.reduce((sum, { size }) => sum + size, 0),
    idempotency,
    challenge,
    mails,
    deliveries,
  });
  const acceptance = await acceptSealed({ store, vault }, seal).catch((error: unknown) => {
    // A failed commit may still reappear at the next start, so the sweep decides which blobs are orphans.
    upload.release();
    throw error;
  });
  switch (acceptance.outcome) {
    case 'stored':
      upload.release();
      counts.accepted += 1;
      if (isSpam) {
        counts.flagged += 1;
        spamMemory.forms.add(form, getTime(acceptance.id), payload);
      }
      if (isMaybeSpam) counts.maybeSpam += 1;
      if (mails.length > 0) mail.outbox.wake();
      if (deliveries.length > 0) webhooks.wake();
      return acceptance.id;
    case 'replayed':
      return null;
    case 'spent':
      throw challengeFailed();
    case 'reused':
      throw keyReused();
    case 'paused':
      throw formPaused();
    case 'not open':
    case 'closed':
      throw formNotOpen(form, acceptance.outcome);
    case 'no place':
      throw formFull();
    case 'repeated':
      throw alreadySubmitted();
    case 'full':
      throw new AppError('storage_limit_reached', 'This form has reached its storage limit.');
    case 'capped': {
      const seconds = Math.max(1, Math.ceil((acceptance.periodEnd - clock()) / SECOND));
      throw new AppError('submission_cap_reached', 'This form has reached its submission limit for this month.', {
        headers: { 'Retry-After': String(seconds) },
        limit: formatTime(acceptance.periodEnd),
      });
    }
  }
}

/** Counts of posts by outcome since the start of the process. `flagged` and `maybeSpam` are subsets of `accepted`. */
export class PostCounts {
  accepted = 0;
  flagged = 0;
  maybeSpam = 0;
  replayed = 0;
  honeypotHits = 0;
  readonly refused = new Map<ErrorCode, number>();

  refuse(code: ErrorCode): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }
}

import { type Opening, openingAt } from '../domain/forms/opening.ts';
import { type NewMail, NOTIFICATIONS_PER_HOUR } from '../domain/mail/mail.ts';
import { capWarningFor, getPeriod, type Period } from '../domain/usage.ts';
import { DAY, HOUR, type Micros } from '../lib/clock.ts';
import { withTime } from '../lib/ids.ts';
import { type Addition, CLOCK, counterKey, endOfDay, LASTING } from './counters.ts';
import type { AcceptResult, NewSubmission } from './records.ts';

/** Returns a limit of a plan; null for none. */
export type LimitOf = (plan: string) => number | null;

/** Limits of plans: submissions per period, and stored bytes. */
export type PlanLimits = Readonly<{ submissions: LimitOf; storage: LimitOf }>;

/** A form outside the trash, the ends of its last digest and spam summary, and its team. */
export type FormState = Opening &
  Readonly<{
    key: number;
    id: string;
    isActive: boolean;
    digestedUntil: Micros | null;
    heldBackUntil: Micros | null;
    teamId: string;
    plan: string;
    /** The limit of its stored submissions, and their number, which is only read for a form with a limit. */
    maxSubmissions: number | null;
    places: number | null;
    /** The limit of auto-replies in 24 hours. */
    autoReplyDailyLimit: number;
  }>;

/** An auto-reply that was queued in the last 24 hours, sent or not. */
export type RecentReply = Readonly<{ addressee: string | null }>;

/** Numbers of submissions with a notification by form, in one hour since the Unix epoch. */
export type NotificationCounts = Readonly<{ hour: number; counts: Map<string, number> }>;

/** The stored state that decides about a batch. Rows that the batch does not concern may be missing. */
export type AcceptState = Readonly<{
  now: Micros;
  /** The creation time of the last submission of the instance, even if it was deleted; 0 before the first. */
  lastCreatedAt: Micros;
  forms: ReadonlyMap<string, FormState>;
  /** Amounts of the teams' counters that have not ended, by `counterKey`. */
  counters: ReadonlyMap<string, number>;
  /** Digests of content by `keyInForm`, of idempotency keys that have not expired. */
  replays: ReadonlyMap<string, string>;
  /** Keyed hashes of addresses that forms have submissions from, by `keyInForm`. */
  addresses: ReadonlySet<string>;
  /** Ids of spent challenges. */
  spent: ReadonlySet<string>;
  /** Recent auto-replies by form. */
  replies: ReadonlyMap<string, readonly RecentReply[]>;
  /** Ends of the days of the last confirmation mails, by addressee. */
  confirmations: ReadonlyMap<string, readonly Micros[]>;
  notifications: NotificationCounts;
}>;

/** The new progress of a form's summaries. Unsent summaries must end at `rewoundTo`, if it is not null. */
export type SummaryProgress = Readonly<{
  formId: string;
  digestedUntil: Micros | null;
  heldBackUntil: Micros | null;
  rewoundTo: Micros | null;
}>;

/** A submission to store, the key of its form, its creation time, and its id with this time. */
export type AcceptedSubmission = Readonly<{
  submission: NewSubmission;
  formKey: number;
  id: string;
  createdAt: Micros;
}>;

/** Changes to write in the transaction that read the state. */
export type AcceptWrites = Readonly<{
  /** Stored with their blobs, deliveries, idempotency keys and spent challenges, but not their mails. */
  submissions: readonly AcceptedSubmission[];
  mails: ReadonlyArray<Readonly<{ mail: NewMail; formId: string; submissionId: string }>>;
  counters: readonly Addition[];
  progress: readonly SummaryProgress[];
  capWarnings: ReadonlyArray<Readonly<{ teamId: string; period: Period; percent: number }>>;
  /** The ids of the teams that reached their limit. */
  capsReached: readonly string[];
}>;

/** `notifications` has the changed counts, to be added to memory by `mergeNotifications` after the commit. */
export type AcceptDecision = Readonly<{
  results: readonly AcceptResult[];
  writes: AcceptWrites;
  notifications: NotificationCounts;
}>;

/** Returns the key of an Idempotency-Key in `AcceptState.replays`, or of an address in `AcceptState.addresses`. */
export const keyInForm = (formId: string, value: string): string => `${formId} ${value}`;

/**
 * Decides about each submission of a batch in order: its outcome, its creation time and all resulting changes. Reads
 * and writes nothing else. The state must be locked until the changes are written.
 */
export function decide(state: AcceptState, batch: readonly NewSubmission[], limits: PlanLimits): AcceptDecision {
  const decider = new Decider(state, limits);
  const results = batch.map((submission) => decider.accept(submission));
  return { results, ...decider.finish() };
}

/** Adds changed counts to those in memory, which belong to one hour, and returns the sum. */
export function mergeNotifications(before: NotificationCounts, changed: NotificationCounts): NotificationCounts {
  if (changed.counts.size === 0) return before;
  if (before.hour !== changed.hour) return changed;
  for (const [formId, count] of changed.counts) before.counts.set(formId, count);
  return before;
}

/** Returns the mails to send at once: all but the notification if the form's next digest covers the submission. */
export function immediateMails(
  mails: readonly NewMail[],
  createdAt: Micros,
  digestedUntil: Micros | null,
): readonly NewMail[] {
  const isDigested = digestedUntil !== null && createdAt >= digestedUntil;
  return isDigested ? mails.filter(({ kind }) => kind !== 'notification') : mails;
}

/** Returns true unless the form sent `limit` auto-replies in the last day, or one to this address. */
export function mayReply(recent: readonly RecentReply[], addressee: string | null, limit: number): boolean {
  return recent.length < limit && !recent.some((reply) => reply.addressee === addressee);
}

/** Confirmation mails to one address in a day, over all forms; at most one in an hour. */
const CONFIRMATIONS_PER_DAY = 3;

/** Owner of the counters of confirmation mails to an address. Each row ends a day after a mail. */
export const confirmationsTo = (addressee: string): string => `confirm ${addressee}`;

/** Owner of the daily counters of confirmation mails that a form did not send. */
export const unsentOf = (formId: string): string => `unsent ${formId}`;

type TeamRun = {
  readonly id: string;
  readonly limit: number | null;
  readonly storageLimit: number | null;
  /** Stored bytes before the batch, and the added ones. */
  readonly stored: number;
  readonly added: Addition;
  /** Submissions of the current period before the batch, and the added ones. */
  used: number;
  month: Addition;
};

type FormRun = {
  readonly form: FormState;
  readonly team: TeamRun;
  digestedUntil: Micros | null;
  heldBackUntil: Micros | null;
  rewoundTo: Micros | null;
  hasProgressed: boolean;
  /** Stored submissions that count toward the form's limit. */
  places: number;
  day: Addition | null;
};

/** Applies the rules to a batch. It looks up each form and team once. */
class Decider {
  readonly #submissions: AcceptedSubmission[] = [];
  readonly #mails: Array<AcceptWrites['mails'][number]> = [];
  readonly #counters: Addition[] = [];
  readonly #capWarnings: Array<AcceptWrites['capWarnings'][number]> = [];
  readonly #capsReached: string[] = [];
  readonly #forms = new Map<string, FormRun | null>();
  readonly #teams = new Map<string, TeamRun>();
  readonly #replays = new Map<string, string>();
  readonly #spent = new Set<string>();
  readonly #addresses = new Set<string>();
  readonly #replies = new Map<string, RecentReply[]>();
  readonly #confirmations = new Map<string, Micros[]>();
  #notifications: NotificationCounts = { hour: 0, counts: new Map() };
  #last: Micros;
  #period: Period;

  constructor(
    private readonly state: AcceptState,
    private readonly limits: PlanLimits,
  ) {
    this.#last = state.lastCreatedAt;
    this.#period = getPeriod(this.#last);
  }

  accept(submission: NewSubmission): AcceptResult {
    const { idempotency, challenge } = submission;
    const run = this.#formOf(submission.formId);
    if (!run?.form.isActive) return PAUSED;
    const opening = openingAt(run.form, this.state.now);
    if (opening !== 'open') return { outcome: opening };
    const key = idempotency && keyInForm(submission.formId, idempotency.key);
    const replayed = key && (this.#replays.get(key) ?? this.state.replays.get(key));
    if (replayed) return replayed === idempotency?.content ? REPLAYED : REUSED;

    if (run.form.maxSubmissions !== null && run.places >= run.form.maxSubmissions) return NO_PLACE;
    const address = submission.address && keyInForm(submission.formId, submission.address);
    if (address && (this.state.addresses.has(address) || this.#addresses.has(address))) return REPEATED;

    const createdAt = Math.max(this.#last + 1, this.state.now);
    if (createdAt >= this.#period.end) this.#period = getPeriod(createdAt);
    const { team } = run;
    if (team.month.until !== this.#period.end) this.#enterPeriod(team);
    if (team.limit !== null && team.used + team.month.amount >= team.limit) {
      return { outcome: 'capped', periodEnd: this.#period.end };
    }
    const size = getSize(submission);
    if (team.storageLimit !== null && team.stored + team.added.amount + size > team.storageLimit) return FULL;
    // The last check, so that a refused submission does not spend its challenge.
    if (challenge) {
      if (this.state.spent.has(challenge.id) || this.#spent.has(challenge.id)) return SPENT;
      this.#spent.add(challenge.id);
    }

    this.#last = createdAt;
    const id = withTime(submission.id, createdAt);
    this.#submissions.push({ submission, formKey: run.form.key, id, createdAt });
    if (address) this.#addresses.add(address);
    if (key) this.#replays.set(key, idempotency.content);
    this.#count(submission, run, size, createdAt);
    this.#rewindSummaries(run, createdAt);
    if (submission.mails.length > 0) this.#queueMails(submission, run, id, createdAt);
    return { outcome: 'stored', id, createdAt };
  }

  finish(): Omit<AcceptDecision, 'results'> {
    const progress: SummaryProgress[] = [];
    this.#toAdd(CLOCK, LASTING).amount = this.#last - this.state.lastCreatedAt;
    for (const run of this.#forms.values()) {
      if (!run?.hasProgressed) continue;
      const { digestedUntil, heldBackUntil, rewoundTo } = run;
      progress.push({ formId: run.form.id, digestedUntil, heldBackUntil, rewoundTo });
    }
    const writes = {
      submissions: this.#submissions,
      mails: this.#mails,
      counters: this.#counters.filter(({ amount, spam }) => amount > 0 || spam > 0),
      progress,
      capWarnings: this.#capWarnings,
      capsReached: this.#capsReached,
    };
    return { writes, notifications: this.#notifications };
  }

  #formOf(formId: string): FormRun | null {
    const known = this.#forms.get(formId);
    if (known !== undefined) return known;
    const form = this.state.forms.get(formId);
    const run = form
      ? {
          form,
          team: this.#teamOf(form),
          digestedUntil: form.digestedUntil,
          heldBackUntil: form.heldBackUntil,
          rewoundTo: null,
          hasProgressed: false,
          places: form.places ?? 0,
          day: null,
        }
      : null;
    this.#forms.set(formId, run);
    return run;
  }

  #teamOf({ teamId, plan }: FormState): TeamRun {
    const known = this.#teams.get(teamId);
    if (known) return known;
    const team = {
      id: teamId,
      limit: this.limits.submissions(plan),
      storageLimit: this.limits.storage(plan),
      stored: this.#readCounter(teamId, LASTING),
      added: this.#toAdd(teamId, LASTING),
      used: 0,
      month: { owner: teamId, until: Number.NaN, amount: 0, spam: 0 },
    };
    this.#teams.set(teamId, team);
    return team;
  }

  #enterPeriod(team: TeamRun): void {
    const { end } = this.#period;
    team.month = this.#toAdd(team.id, end);
    team.used = this.#readCounter(team.id, end);
  }

  #readCounter(owner: string, until: Micros): number {
    return this.state.counters.get(counterKey(owner, until)) ?? 0;
  }

  #toAdd(owner: string, until: Micros): Addition {
    const addition = { owner, until, amount: 0, spam: 0 };
    this.#counters.push(addition);
    return addition;
  }

  #count({ formId, isSpam }: NewSubmission, run: FormRun, size: number, createdAt: Micros): void {
    const { team } = run;
    team.added.amount += size;
    team.month.amount += 1;
    const used = team.used + team.month.amount;
    const percent = capWarningFor(used, team.limit);
    if (percent !== null) this.#capWarnings.push({ teamId: team.id, period: this.#period, percent });
    if (used === team.limit) this.#capsReached.push(team.id);
    if (!isSpam) run.places += 1;
    const until = endOfDay(createdAt);
    if (run.day?.until !== until) run.day = this.#toAdd(formId, until);
    run.day[isSpam ? 'spam' : 'amount'] += 1;
  }

  /**
   * Moves the form's progress back to a submission older than its last summary, which occurs when the clock goes back,
   * so that the next summary covers it. Earlier submissions have a lower creation time and stay covered.
   */
  #rewindSummaries(run: FormRun, createdAt: Micros): void {
    if (createdAt >= Math.max(run.digestedUntil ?? 0, run.heldBackUntil ?? 0)) return;
    run.digestedUntil = run.digestedUntil && Math.min(run.digestedUntil, createdAt);
    run.heldBackUntil = run.heldBackUntil && Math.min(run.heldBackUntil, createdAt);
    run.rewoundTo ??= createdAt;
    run.hasProgressed = true;
  }

  #queueMails({ formId, mails }: NewSubmission, run: FormRun, submissionId: string, createdAt: Micros): void {
    this.#limitNotifications(mails, run, createdAt);
    for (const mail of immediateMails(mails, createdAt, run.digestedUntil)) {
      if (mail.kind === 'auto_reply' && !this.#reply(run.form, mail.addressee)) continue;
      if (mail.kind === 'confirmation' && !this.#mayAsk(mail.addressee ?? '', formId, createdAt)) continue;
      this.#mails.push({ mail, formId, submissionId });
    }
  }

  /** Starts a digest with the submission that exceeds `NOTIFICATIONS_PER_HOUR`. */
  #limitNotifications(mails: readonly NewMail[], run: FormRun, createdAt: Micros): void {
    if (run.digestedUntil !== null || !mails.some(({ kind }) => kind === 'notification')) return;
    const hour = Math.floor(createdAt / HOUR);
    if (this.#notifications.hour !== hour) this.#notifications = { hour, counts: new Map() };
    const { notifications } = this.state;
    const before = notifications.hour === hour ? (notifications.counts.get(run.form.id) ?? 0) : 0;
    const count = (this.#notifications.counts.get(run.form.id) ?? before) + 1;
    this.#notifications.counts.set(run.form.id, count);
    if (count <= NOTIFICATIONS_PER_HOUR) return;
    run.digestedUntil = createdAt;
    run.hasProgressed = true;
  }

  /** Notes an auto-reply and returns true, if the form may send it. */
  #reply({ id, autoReplyDailyLimit }: FormState, addressee: string | null): boolean {
    const replies = this.#replies.getOrInsertComputed(id, () => [...(this.state.replies.get(id) ?? [])]);
    if (!mayReply(replies, addressee, autoReplyDailyLimit)) return false;
    replies.push({ addressee });
    return true;
  }

  /** Counts a confirmation mail and returns true, unless its address got too many; then counts it as unsent. */
  #mayAsk(addressee: string, formId: string, createdAt: Micros): boolean {
    const ends = this.#confirmations.getOrInsertComputed(addressee, () => [
      ...(this.state.confirmations.get(addressee) ?? []),
    ]);
    const isTooMany =
      ends.filter((end) => end > createdAt).length >= CONFIRMATIONS_PER_DAY ||
      ends.some((end) => end > createdAt + DAY - HOUR);
    const until = createdAt + DAY;
    if (!isTooMany) ends.push(until);
    const counter = isTooMany
      ? this.#toAdd(unsentOf(formId), endOfDay(createdAt))
      : this.#toAdd(confirmationsTo(addressee), until);
    counter.amount = 1;
    return !isTooMany;
  }
}

const PAUSED: AcceptResult = { outcome: 'paused' };
const REPLAYED: AcceptResult = { outcome: 'replayed' };
const REUSED: AcceptResult = { outcome: 'reused' };
const NO_PLACE: AcceptResult = { outcome: 'no place' };
const REPEATED: AcceptResult = { outcome: 'repeated' };
const FULL: AcceptResult = { outcome: 'full' };
const SPENT: AcceptResult = { outcome: 'spent' };

/** Returns the bytes that a submission adds to its team's storage. */
function getSize({ payload, files, fileBytes = 0 }: NewSubmission): number {
  return payload.length + (files?.length ?? 0) + fileBytes;
}

/**
 * Returns the submissions of a batch under the current master key, and a function that adds the refusals of the others to
 * their results. Without a current key, none is refused.
 */
export function splitStale(batch: readonly NewSubmission[], current: number | undefined) {
  const isStale = ({ keyId }: NewSubmission) => keyId !== undefined && current !== undefined && keyId !== current;
  if (!batch.some(isStale)) return { fresh: batch, withRefusals: (results: readonly AcceptResult[]) => results };
  const refusal: AcceptResult = { outcome: 'stale key', keyId: current ?? 0 };
  const withRefusals = (results: readonly AcceptResult[]) => {
    const accepted = results.values();
    return batch.map((submission) => (isStale(submission) ? refusal : (accepted.next().value ?? refusal)));
  };
  return { fresh: batch.filter((submission) => !isStale(submission)), withRefusals };
}

import { nextAttemptAt } from '../../domain/backoff.ts';
import { type Clock, HOUR, MINUTE } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';
import { composeMail, type MailDeps } from '../../mail/compose.ts';
import type { Mailer, Message, SendFailure, SendOutcome } from '../../mail/mailer.ts';
import { SharedWork } from '../../mail/shared-work.ts';
import type { ClaimedMail, MailResult } from '../../storage/records.ts';
import { mailReasonAad, UnreadableRecordError } from '../../vault/vault.ts';
import type { Transport } from '../engine.ts';

export type MailTransportDeps = Omit<MailDeps, 'shared'> &
  Readonly<{
    mailer: Mailer;
    /** Returns whether there is a mail server. */
    hasServer: () => boolean;
    log: Logger;
    /** Describes a failed attempt without anything of the mail. */
    explain: (failure: SendFailure) => string;
  }>;

/** The number of mails sent concurrently. */
const CONCURRENCY = 8;
/** The lease of a claimed mail. It must be longer than two timeouts of the mailer. */
const LEASE = 3 * MINUTE;
/** The pause after the mail server rejected the credentials. */
const LOGIN_PAUSE = 5 * MINUTE;

/** The outcome of an attempt that didn't reach the mail server. `reason` contains nothing of the mail. */
type NotComposed = Readonly<{ outcome: 'failed' | 'refused' | 'obsolete' | 'canceled'; reason: string; isLocal: true }>;

type Attempt = SendOutcome | NotComposed;

/** The record of an attempt, and its outcome for the log. */
export type MailAttempt = MailResult & Readonly<{ attempt: Attempt }>;

/** Sends mails of the outbox: composes each from current data and hands it to the mail server. */
export class MailTransport implements Transport<ClaimedMail, MailAttempt> {
  readonly name = 'mail';
  readonly claimDelayMs = 10;
  readonly #shared = new SharedWork();
  readonly #outages: OutageLog;
  #concurrency = CONCURRENCY;
  #pausedUntil = 0;
  #isFailing = false;
  #isProven = false;

  constructor(private readonly deps: MailTransportDeps) {
    this.#outages = new OutageLog(deps);
  }

  /** Forgets the failures of a mail server that another one replaced. */
  reset(): void {
    this.#isFailing = false;
    this.#pausedUntil = 0;
    this.#concurrency = CONCURRENCY;
  }

  /** True from the first attempt that didn't reach the mail server until one does. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  async claim(inFlight: readonly ClaimedMail[]): Promise<readonly ClaimedMail[]> {
    const free = this.#concurrency - inFlight.length;
    const mails =
      free <= 0 || this.#isPaused() || !this.deps.hasServer() ? [] : await this.deps.store.claims.mails(free, LEASE);
    if (inFlight.length + mails.length === 0) this.#shared.clear();
    return mails;
  }

  /** Returns true during a pause. One further ahead than possible is from before the clock went back: it is ignored. */
  #isPaused(): boolean {
    const now = this.deps.clock();
    return now < this.#pausedUntil && this.#pausedUntil <= now + LOGIN_PAUSE;
  }

  async attempt(mail: ClaimedMail, signal: AbortSignal): Promise<MailAttempt> {
    const attempt = await this.#send(mail, true);
    return { ...this.#toResult(mail, attempt, signal.aborted), attempt };
  }

  /** Composes and sends a mail, again without its files if it is too large with them. */
  async #send(mail: ClaimedMail, attachesFiles: boolean): Promise<Attempt> {
    const message = await this.#compose(mail, attachesFiles);
    if ('outcome' in message) return message;
    const attempt = await this.deps.mailer.send(message);
    return attempt.outcome === 'too_large' && message.attachments.length > 0 ? this.#send(mail, false) : attempt;
  }

  /** Composes the message. A damaged record fails for good; other errors are retried. */
  async #compose(mail: ClaimedMail, attachesFiles: boolean): Promise<Message | NotComposed> {
    try {
      const message = await composeMail({ ...this.deps, shared: this.#shared }, mail, attachesFiles);
      if (message === 'spam') return { outcome: 'canceled', reason: '', isLocal: true };
      return message ?? { outcome: 'obsolete', reason: '', isLocal: true };
    } catch (error) {
      if (error instanceof UnreadableRecordError) {
        return { outcome: 'refused', reason: `the submission is ${error.message}`, isLocal: true };
      }
      this.deps.log.error('mail could not be composed', { ...this.logFields(mail), error: String(error) });
      return { outcome: 'failed', reason: `the mail could not be composed: ${error}`, isLocal: true };
    }
  }

  #toResult(mail: ClaimedMail, attempt: Attempt, isAborted: boolean): MailResult {
    const { vault, clock } = this.deps;
    const { outcome } = attempt;
    const isAttempt = !('isLocal' in attempt) && !isAborted;
    if (isAttempt) this.#isFailing = 'isUnreachable' in attempt && attempt.isUnreachable === true;
    if (outcome === 'login') this.#pause();
    else if (isAttempt) this.#concurrency = CONCURRENCY;
    if (outcome === 'sent' || outcome === 'obsolete' || outcome === 'canceled') return { state: outcome };
    if (outcome === 'failed' && isAborted) return this.#requeued();
    const reason = vault.seal(attempt.reason, mailReasonAad(mail.id, mail.formId));
    if (outcome === 'login') return { state: 'queued', dueAt: this.#pausedUntil, reason };
    const isPermanent = outcome === 'refused' || outcome === 'too_large';
    const dueAt = isPermanent ? null : nextAttemptAt(mail.failures + 1, clock(), Math.random());
    return dueAt === null ? { state: 'dead', reason } : { state: 'retrying', dueAt, reason };
  }

  /** Pauses sending. Afterwards a single mail tries first, because repeated wrong logins could lock the account. */
  #pause(): void {
    if (!this.#isPaused()) {
      this.deps.log.error('the mail server rejected the credentials, sending is paused. Check its user and password');
    }
    this.#concurrency = 1;
    this.#pausedUntil = this.deps.clock() + LOGIN_PAUSE;
  }

  async record(mail: ClaimedMail, { attempt, ...result }: MailAttempt): Promise<boolean> {
    const isRecorded = await this.deps.store.mails.recordResult(mail.id, mail.fence, result);
    if (isRecorded) this.#report(mail, attempt, result.state);
    if (attempt.outcome === 'sent') await this.#prove();
    return isRecorded;
  }

  /** Notes that mail works, which is a step of setting up. */
  async #prove(): Promise<void> {
    if (this.#isProven) return;
    this.#isProven = true;
    await this.deps.store.milestones.reach('mail_tested', this.deps.clock()).catch(() => {});
  }

  /** Logs the result of an attempt. Server responses are not logged: they may contain the visitor's address. */
  #report(mail: ClaimedMail, attempt: Attempt, state: MailResult['state']): void {
    if (attempt.outcome === 'sent') {
      this.#outages.sent();
      this.deps.log.info('mail sent', this.logFields(mail));
    } else if (attempt.outcome !== 'obsolete') {
      const reason = 'isLocal' in attempt ? attempt.reason : this.deps.explain(attempt);
      if (state === 'dead') this.deps.log.warn('mail not sent', { ...this.logFields(mail), reason });
      else if (state === 'retrying') this.#outages.failed(reason);
    }
  }

  abort(): void {
    this.deps.mailer.close();
  }

  requeue({ id, fence }: ClaimedMail): Promise<unknown> {
    return this.deps.store.mails.recordResult(id, fence, this.#requeued());
  }

  #requeued(): MailResult {
    return { state: 'queued', dueAt: this.deps.clock(), reason: null };
  }

  logFields({ id, kind, formId, submissionId }: ClaimedMail) {
    return { mail: id, kind, form: formId, submission: submissionId };
  }
}

/** Log of failing attempts: a line when the first one fails, one an hour meanwhile, and one when a mail is sent again. */
export class OutageLog {
  #isFailing = false;
  #failures = 0;
  #loggedAt = 0;

  constructor(private readonly deps: Readonly<{ clock: Clock; log: Logger }>) {}

  /** Counts a failed attempt. `reason` must contain nothing of the mail. */
  failed(reason: string): void {
    this.#failures += 1;
    const now = this.deps.clock();
    // A server that refuses single mails for now fails and recovers all the time.
    if (Math.abs(now - this.#loggedAt) < (this.#isFailing ? HOUR : MINUTE)) return;
    this.deps.log.warn('mails could not be sent, will retry', { reason, failures: this.#failures });
    this.#isFailing = true;
    this.#failures = 0;
    this.#loggedAt = now;
  }

  sent(): void {
    if (!this.#isFailing) return;
    this.deps.log.info('mails are sent again', { failures: this.#failures });
    this.#isFailing = false;
    this.#failures = 0;
  }
}

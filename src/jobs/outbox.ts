import { nextAttemptAt } from '../domain/mail.ts';
import { MINUTE } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { composeMail, type MailDeps } from '../mail/compose.ts';
import type { Delivery, Mailer, Message } from '../mail/mailer.ts';
import { SharedWork } from '../mail/shared-work.ts';
import { adviceText } from '../services/test-mail.ts';
import type { ClaimedMail, DeliveryResult } from '../storage/store.ts';
import { mailReasonAad, UnreadableRecordError } from '../vault/vault.ts';
import type { Job } from './loop.ts';
import { OutageLog } from './outage-log.ts';

export type OutboxDeps = Omit<MailDeps, 'shared'> & Readonly<{ mailer: Mailer; log: Logger }>;

/** The number of mails sent concurrently. */
const CONCURRENCY = 8;
/** The lease of a claimed mail. It must be longer than two timeouts of the mailer. */
const LEASE = 3 * MINUTE;
const POLL_INTERVAL_MS = 1_000;
/** The delay after `wake`, so that submissions and deliveries completed at about the same time share a query. */
const WAKE_DELAY_MS = 10;
/** The time to wait for deliveries in flight at shutdown. */
const STOP_TIMEOUT_MS = 9_000;
/** The time to wait for deliveries that were then aborted. */
const ABORT_TIMEOUT_MS = 500;
/** The pause after the mail server rejected the credentials. */
const LOGIN_PAUSE = 5 * MINUTE;
const RECORD_RETRY_MS = 1_000;

/** The counter of each state after an attempt. */
const COUNTED_AS = { sent: 'sent', queued: 'retried', retrying: 'retried', dead: 'failed', obsolete: null } as const;

/** The outcome of an attempt that didn't reach the mail server. `reason` contains nothing of the mail. */
type NotComposed = Readonly<{ outcome: 'failed' | 'refused' | 'obsolete'; reason: string; isLocal: true }>;

type AttemptResult = Delivery | NotComposed;

/** A delivery in progress. `mail` is its latest claim. */
type Attempt = { mail: ClaimedMail; done: Promise<void> };

/** Delivery engine for the outbox: claims due mails, composes and sends them, and records the results. */
export class Outbox {
  /** Attempts by their result since the start of the process. */
  readonly attempts = { sent: 0, retried: 0, failed: 0 };
  readonly #inFlight = new Map<string, Attempt>();
  readonly #shared = new SharedWork();
  #filling: Promise<void> = Promise.resolve();
  #nextFill: Promise<void> | null = null;
  #concurrency = CONCURRENCY;
  #pausedUntil = 0;
  #stopping: Promise<void> | null = null;
  #isAborted = false;
  #isWoken = false;

  readonly #outages: OutageLog;

  constructor(private readonly deps: OutboxDeps) {
    this.#outages = new OutageLog(deps);
  }

  job(): Job {
    return {
      name: 'outbox',
      everyMs: POLL_INTERVAL_MS,
      atStop: true,
      step: (signal) => (signal.aborted ? this.stop() : this.fill()),
    };
  }

  /** Starts due mails up to the concurrency limit. Calls made while one is running share the next run. */
  fill(): Promise<void> {
    this.#nextFill ??= this.#filling.then(() => {
      this.#nextFill = null;
      const claiming = this.#claim();
      this.#filling = claiming.catch(() => {});
      return claiming;
    });
    return this.#nextFill;
  }

  async #claim(): Promise<void> {
    const free = this.#concurrency - this.#inFlight.size;
    if (free <= 0 || this.#stopping || this.#isPaused()) return;
    for (const mail of await this.deps.store.claimMails(free, LEASE)) this.#start(mail);
    if (this.#inFlight.size === 0) this.#shared.clear();
  }

  /**
   * Returns true during a pause. One further ahead than possible is from before the clock went back, and is ignored.
   */
  #isPaused(): boolean {
    const now = this.deps.clock();
    return now < this.#pausedUntil && this.#pausedUntil <= now + LOGIN_PAUSE;
  }

  #start(mail: ClaimedMail): void {
    const running = this.#inFlight.get(mail.id);
    if (running) {
      // The lease expired early because the clock jumped. The attempt continues under the new claim.
      running.mail = mail;
      return;
    }
    const attempt = { mail, done: Promise.resolve() };
    this.#inFlight.set(mail.id, attempt);
    attempt.done = this.#deliver(attempt)
      .catch((error: unknown) => {
        this.deps.log.error('mail could not be processed', { ...logFields(attempt.mail), error: String(error) });
      })
      .then(() => {
        this.#inFlight.delete(mail.id);
        this.wake();
      });
  }

  /** Schedules a `fill`. To be called when mails may have become due. */
  wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    setTimeout(() => {
      this.#isWoken = false;
      this.fill().catch((error: unknown) => {
        this.deps.log.error('outbox could not be read', { error: String(error) });
      });
    }, WAKE_DELAY_MS);
  }

  /** Resolves when no mail is due or in flight. */
  async drain(): Promise<void> {
    await this.fill();
    while (this.#inFlight.size > 0) {
      await this.#allDone();
      await this.fill();
    }
  }

  #allDone(): Promise<unknown> {
    return Promise.all(this.#inFlight.values().map(({ done }) => done));
  }

  async #deliver(attempt: Attempt): Promise<void> {
    const delivery = await this.#send(attempt.mail, true);
    await this.#record(attempt, delivery);
  }

  /** Composes and sends a mail, again without its files if it is too large with them. */
  async #send(mail: ClaimedMail, attachesFiles: boolean): Promise<AttemptResult> {
    const message = await this.#compose(mail, attachesFiles);
    if ('outcome' in message) return message;
    const delivery = await this.deps.mailer.send(message);
    return delivery.outcome === 'too_large' && message.attachments.length > 0 ? this.#send(mail, false) : delivery;
  }

  /** Records the result of an attempt. Retries until the write succeeds, so that a sent mail is not sent twice. */
  async #record(attempt: Attempt, delivery: AttemptResult): Promise<void> {
    const { store, log } = this.deps;
    const result = this.#toResult(attempt.mail, delivery);
    for (;;) {
      try {
        const isRecorded = await store.recordDelivery(attempt.mail.id, attempt.mail.fence, result);
        if (isRecorded) this.#report(attempt.mail, delivery, result.state);
        else log.warn('mail was deleted or claimed by another process during delivery', logFields(attempt.mail));
        return;
      } catch (error) {
        if (this.#stopping) throw error;
        log.error('delivery result could not be recorded, will retry', {
          ...logFields(attempt.mail),
          error: String(error),
        });
        await Bun.sleep(RECORD_RETRY_MS);
      }
    }
  }

  /** Counts and logs the result of an attempt. Server responses are not logged: they may contain the visitor's address. */
  #report(mail: ClaimedMail, delivery: AttemptResult, state: DeliveryResult['state']): void {
    const counter = COUNTED_AS[state];
    if (counter !== null) this.attempts[counter] += 1;
    if (delivery.outcome === 'sent') {
      this.#outages.sent();
      this.deps.log.info('mail sent', logFields(mail));
    } else if (delivery.outcome !== 'obsolete') {
      const reason = 'isLocal' in delivery ? delivery.reason : adviceText(delivery, 'en');
      if (state === 'dead') this.deps.log.warn('mail not sent', { ...logFields(mail), reason });
      else if (state === 'retrying') this.#outages.failed(reason);
    }
  }

  /** Composes the message. A damaged record fails for good; other errors are retried. */
  async #compose(mail: ClaimedMail, attachesFiles: boolean): Promise<Message | NotComposed> {
    try {
      const message = await composeMail({ ...this.deps, shared: this.#shared }, mail, attachesFiles);
      return message ?? { outcome: 'obsolete', reason: '', isLocal: true };
    } catch (error) {
      if (error instanceof UnreadableRecordError) {
        return { outcome: 'refused', reason: `the submission is ${error.message}`, isLocal: true };
      }
      this.deps.log.error('mail could not be composed', { ...logFields(mail), error: String(error) });
      return { outcome: 'failed', reason: `the mail could not be composed: ${error}`, isLocal: true };
    }
  }

  #toResult(mail: ClaimedMail, delivery: AttemptResult): DeliveryResult {
    const { vault, clock } = this.deps;
    if (delivery.outcome === 'login') this.#pause();
    else this.#concurrency = CONCURRENCY;
    if (delivery.outcome === 'sent' || delivery.outcome === 'obsolete') return { state: delivery.outcome };
    if (delivery.outcome === 'failed' && this.#isAborted) return { state: 'queued', dueAt: clock(), reason: null };
    const reason = vault.seal(delivery.reason, mailReasonAad(mail.id, mail.formId));
    if (delivery.outcome === 'login') return { state: 'queued', dueAt: this.#pausedUntil, reason };
    const isPermanent = delivery.outcome === 'refused' || delivery.outcome === 'too_large';
    const dueAt = isPermanent ? null : nextAttemptAt(mail.failures + 1, clock(), Math.random());
    return dueAt === null ? { state: 'dead', reason } : { state: 'retrying', dueAt, reason };
  }

  /** Pauses sending. Afterwards a single mail tries first, because repeated wrong logins could lock the account. */
  #pause(): void {
    if (!this.#isPaused()) {
      this.deps.log.error('the mail server rejected the credentials, sending is paused. Check SMTP_URL', {});
    }
    this.#concurrency = 1;
    this.#pausedUntil = this.deps.clock() + LOGIN_PAUSE;
  }

  /** Stops claiming, waits up to 9 s for deliveries in flight, then aborts and requeues them. Idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#shutDown();
    return this.#stopping;
  }

  async #shutDown(): Promise<void> {
    const { store, mailer, clock } = this.deps;
    await this.#filling;
    await Promise.race([this.#allDone(), Bun.sleep(STOP_TIMEOUT_MS)]);
    this.#isAborted = true;
    mailer.close();
    await Promise.race([this.#allDone(), Bun.sleep(ABORT_TIMEOUT_MS)]);
    for (const { mail } of this.#inFlight.values()) {
      await store.recordDelivery(mail.id, mail.fence, { state: 'queued', dueAt: clock(), reason: null });
    }
  }
}

function logFields({ id, kind, formId, submissionId }: ClaimedMail) {
  return { mail: id, kind, form: formId, submission: submissionId };
}

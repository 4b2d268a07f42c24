import { nextAttemptAt } from '../domain/mail.ts';
import { MINUTE } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { composeMail, type MailDeps } from '../mail/compose.ts';
import type { Delivery, Mailer, Message } from '../mail/mailer.ts';
import type { ClaimedMail, DeliveryResult } from '../storage/store.ts';
import { mailReasonAad, UnreadableRecordError } from '../vault/vault.ts';
import type { Job } from './loop.ts';

/** What the outbox works with. */
export type OutboxDeps = MailDeps & Readonly<{ mailer: Mailer; log: Logger }>;

/** So many mails are on their way at once. */
const LANES = 8;
/** Longer than a mailer may take for one. */
const LEASE = 2 * MINUTE;
const POLL_MS = 1_000;
/** Posts that are kept and lanes that get free at about the same time share one look into the outbox. */
const WAKE_MS = 10;
/** How long a stopping process waits for what is on its way. */
const STOP_MS = 9_000;
/** How long those take that were broken off then. */
const CUT_MS = 500;
/** How long the server is left alone that refused our credentials. */
const LOGIN_PAUSE = 5 * MINUTE;
const SETTLE_AGAIN_MS = 1_000;

/** A mail on its way, by its latest claim. */
type Trip = { mail: ClaimedMail; done: Promise<void> };

/** Sends what is due in the outbox. */
export class Outbox {
  readonly #underWay = new Map<string, Trip>();
  #filling: Promise<void> = Promise.resolve();
  #nextFill: Promise<void> | null = null;
  #lanes = LANES;
  #pausedUntil = 0;
  #ending: Promise<void> | null = null;
  #isCut = false;
  #isWoken = false;

  constructor(private readonly deps: OutboxDeps) {}

  job(): Job {
    return {
      name: 'outbox',
      everyMs: POLL_MS,
      atStop: true,
      step: (signal) => (signal.aborted ? this.end() : this.fill()),
    };
  }

  /** Puts due mails on their way until all lanes are taken. Calls that come while one works share the next. */
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
    const free = this.#lanes - this.#underWay.size;
    if (free <= 0 || this.#ending || this.#isPaused()) return;
    for (const mail of await this.deps.store.claimMails(free, LEASE)) this.#start(mail);
  }

  /** A pause that is longer than any was made before the clock was set back. */
  #isPaused(): boolean {
    const now = this.deps.clock();
    return now < this.#pausedUntil && this.#pausedUntil <= now + LOGIN_PAUSE;
  }

  #start(mail: ClaimedMail): void {
    const before = this.#underWay.get(mail.id);
    if (before) {
      // The clock jumped over its lease: it goes on under the new one.
      before.mail = mail;
      return;
    }
    const trip = { mail, done: Promise.resolve() };
    this.#underWay.set(mail.id, trip);
    trip.done = this.#deliver(trip)
      .catch((error: unknown) => {
        this.deps.log.error('a mail could not be handled', { ...factsOf(trip.mail), error: String(error) });
      })
      .then(() => {
        this.#underWay.delete(mail.id);
        this.wake();
      });
  }

  /** Says that there may be something due. */
  wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    setTimeout(() => {
      this.#isWoken = false;
      this.fill().catch((error: unknown) => {
        this.deps.log.error('the outbox cannot be read', { error: String(error) });
      });
    }, WAKE_MS);
  }

  /** Fulfilled once nothing is due and nothing is on its way. */
  async drain(): Promise<void> {
    await this.fill();
    while (this.#underWay.size > 0) {
      await this.#allDone();
      await this.fill();
    }
  }

  #allDone(): Promise<unknown> {
    return Promise.all(this.#underWay.values().map(({ done }) => done));
  }

  async #deliver(trip: Trip): Promise<void> {
    const message = await this.#compose(trip.mail);
    const delivery = 'outcome' in message ? message : await this.deps.mailer.send(message);
    await this.#settle(trip, delivery);
  }

  /** What was sent must not be sent again for a write that fails: it is tried until it goes through. */
  async #settle(trip: Trip, delivery: Delivery): Promise<void> {
    const { store, log } = this.deps;
    const result = this.#settlementOf(trip.mail, delivery);
    for (;;) {
      try {
        const isOurs = await store.recordDelivery(trip.mail.id, trip.mail.fence, result);
        if (!isOurs) log.warn('a mail was deleted or claimed by someone else meanwhile', factsOf(trip.mail));
        else if (delivery.outcome === 'sent') log.info('mail sent', factsOf(trip.mail));
        else log.warn('mail not sent', { ...factsOf(trip.mail), outcome: delivery.outcome, now: result.state });
        return;
      } catch (error) {
        if (this.#ending) throw error;
        log.error('what became of a mail cannot be written', { ...factsOf(trip.mail), error: String(error) });
        await Bun.sleep(SETTLE_AGAIN_MS);
      }
    }
  }

  /** A damaged record, or a submission that names no address, is not better tomorrow; what else goes wrong may be. */
  async #compose(mail: ClaimedMail): Promise<Message | Delivery> {
    try {
      const message = await composeMail(this.deps, mail);
      return message ?? { outcome: 'refused', reason: 'it is not to be sent any more' };
    } catch (error) {
      if (error instanceof UnreadableRecordError) {
        return { outcome: 'refused', reason: `the submission is ${error.message}` };
      }
      this.deps.log.error('a mail could not be composed', { ...factsOf(mail), error: String(error) });
      return { outcome: 'failed', reason: `it could not be composed: ${error}` };
    }
  }

  #settlementOf(mail: ClaimedMail, delivery: Delivery): DeliveryResult {
    const { vault, clock } = this.deps;
    if (delivery.outcome === 'login') this.#pause();
    else this.#lanes = LANES;
    if (delivery.outcome === 'sent') return { state: 'sent' };
    if (delivery.outcome === 'failed' && this.#isCut) return { state: 'queued', dueAt: clock(), reason: null };
    const reason = vault.seal(delivery.reason, mailReasonAad(mail.id, mail.formId));
    if (delivery.outcome === 'login') return { state: 'queued', dueAt: this.#pausedUntil, reason };
    const dueAt = delivery.outcome === 'refused' ? null : nextAttemptAt(mail.failures + 1, clock(), Math.random());
    return dueAt === null ? { state: 'dead', reason } : { state: 'retrying', dueAt, reason };
  }

  /** Afterwards one mail tries for all, lest many wrong logins lock us out. */
  #pause(): void {
    if (!this.#isPaused()) {
      this.deps.log.error('the mail server refuses our credentials; mails wait. Check SMTP_URL', {});
    }
    this.#lanes = 1;
    this.#pausedUntil = this.deps.clock() + LOGIN_PAUSE;
  }

  /**
   * Takes up nothing new, waits for what is on its way, breaks off what takes longer than nine seconds, and gives that back.
   * Said twice, it is done once.
   */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const { store, mailer, clock } = this.deps;
    await this.#filling;
    await Promise.race([this.#allDone(), Bun.sleep(STOP_MS)]);
    this.#isCut = true;
    mailer.close();
    await Promise.race([this.#allDone(), Bun.sleep(CUT_MS)]);
    for (const { mail } of this.#underWay.values()) {
      await store.recordDelivery(mail.id, mail.fence, { state: 'queued', dueAt: clock(), reason: null });
    }
  }
}

function factsOf({ id, kind, formId, submissionId }: ClaimedMail) {
  return { mail: id, kind, form: formId, submission: submissionId };
}

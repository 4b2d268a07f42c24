import { type Clock, HOUR, MINUTE } from '../../lib/clock.ts';
import type { Logger } from '../../lib/log.ts';

type Deps = Readonly<{ clock: Clock; log: Logger }>;

/** Log of failing attempts: a line when the first one fails, one an hour meanwhile, and one when a mail is sent again. */
export class OutageLog {
  #isFailing = false;
  #failures = 0;
  #loggedAt = 0;

  constructor(private readonly deps: Deps) {}

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

import type { LogFields, Logger } from '../lib/log.ts';

const INTERVAL_MS = 60_000;

/** Messages by level: for refused requests, and for failures by a lasting fault such as a full disk. */
const MESSAGES = {
  info: { first: 'request refused', further: 'further requests refused' },
  error: { first: 'request failed', further: 'further requests failed' },
} as const;
type Level = keyof typeof MESSAGES;

/**
 * Log of refused requests. The first refusal of a kind is one line; further ones are counted, and the count is logged
 * once a minute, so that a flood of requests does not fill the disk.
 */
export class RefusalLog {
  /** Refusals by kind since the last line. */
  readonly #counts = new Map<string, number>();

  constructor(private readonly log: Logger) {}

  /** Logs or counts a refusal. `kind` has the fields that refusals are counted by, `details` those of the first one. */
  note(level: Level, kind: LogFields, details: LogFields): void {
    const name = JSON.stringify(kind);
    const count = this.#counts.get(name);
    if (count !== undefined) {
      this.#counts.set(name, count + 1);
      return;
    }
    this.log[level](MESSAGES[level].first, { ...details, ...kind });
    this.#counts.set(name, 0);
    const timer = setInterval(() => this.#report(level, name, kind, timer), INTERVAL_MS);
    timer.unref();
  }

  #report(level: Level, name: string, kind: LogFields, timer: Timer): void {
    const count = this.#counts.get(name) ?? 0;
    if (count > 0) {
      this.log[level](MESSAGES[level].further, { ...kind, count, seconds: INTERVAL_MS / 1000 });
      this.#counts.set(name, 0);
    } else {
      clearInterval(timer);
      this.#counts.delete(name);
    }
  }
}

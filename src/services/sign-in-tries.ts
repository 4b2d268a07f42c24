import { timingSafeEqual } from 'node:crypto';
import { type Clock, DAY, MINUTE, type Micros } from '../lib/clock.ts';
import { SlidingWindow } from '../lib/sliding-window.ts';
import type { Vault } from '../vault/vault.ts';
import { newToken } from './sessions.ts';

type Deps = Readonly<{ vault: Vault; monotonic: Clock }>;

/** From where someone tries: the name that their address is counted under, and the mark that their browser carries. */
export type TriedFrom = Readonly<{ client: string; mark: string | null }>;

/** How many wrong tries are taken in a span: from one address, for one account, and of a browser that is known. */
type Limits = Readonly<{ span: Micros; client: number; account: number; browser: number }>;

const OF_PASSWORDS: Limits = { span: 10 * MINUTE, client: 10, account: 20, browser: 10 };

/**
 * Of six digits of which three are right at any time: who knows the password and guesses for a year at this pace comes in
 * with a chance of 2 %.
 */
export const OF_CODES: Limits = { span: DAY, client: 20, account: 20, browser: 20 };

/**
 * Slows those who guess passwords: 10 wrong ones in ten minutes from one address, and 20 for one account, whether it is
 * there or not; and those who guess codes. So that nobody can shut an owner out by guessing on purpose, a browser gets a
 * mark when it signs in, as OWASP's "device cookies" have it: one with the mark of an account has tries of its own,
 * whatever others do. Kept in memory alone.
 */
export class SignInTries {
  readonly #clients: SlidingWindow;
  readonly #accounts: SlidingWindow;
  readonly #browsers: SlidingWindow;

  constructor(
    private readonly deps: Deps,
    { span, client, account, browser }: Limits = OF_PASSWORDS,
  ) {
    this.#clients = new SlidingWindow(client, span);
    this.#accounts = new SlidingWindow(account, span);
    this.#browsers = new SlidingWindow(browser, span);
  }

  /** Counts a try as wrong before it is looked at, or all that come at once would be let by; seconds to wait, or 0. */
  begin(email: string, from: TriedFrom): number {
    const now = this.deps.monotonic();
    const counts = this.#countsOf(email, from);
    const refused = counts.map(({ window, name }) => window.peek(name, now)).filter(({ allowed }) => !allowed);
    if (refused.length > 0) return Math.max(...refused.map(({ resetSeconds }) => resetSeconds));
    for (const { window, name } of counts) window.take(name, now);
    return 0;
  }

  /** Whether the browser carries a mark of the account. */
  isKnown(email: string, { mark }: TriedFrom): boolean {
    return this.#browserOf(email, mark) !== null;
  }

  /** Counts it no longer: it was right. */
  succeed(email: string, from: TriedFrom): void {
    for (const { window, name } of this.#countsOf(email, from)) window.refund(name);
  }

  /** What the browser that has signed in is to carry from now on. */
  markFor(email: string): string {
    const nonce = newToken();
    return `${nonce}.${this.#signatureOf(email, nonce)}`;
  }

  #countsOf(email: string, { client, mark }: TriedFrom) {
    const browser = this.#browserOf(email, mark);
    if (browser !== null) return [{ window: this.#browsers, name: browser }];
    return [
      { window: this.#clients, name: client },
      { window: this.#accounts, name: email },
    ];
  }

  /** What a browser is counted under whose mark is of the account; null for any other. */
  #browserOf(email: string, mark: string | null): string | null {
    const [nonce = '', signature = ''] = mark?.split('.') ?? [];
    return isSame(signature, this.#signatureOf(email, nonce)) ? nonce : null;
  }

  #signatureOf(email: string, nonce: string): string {
    return this.deps.vault.fingerprint('known browser', `${nonce}\0${email}`).slice(0, 32);
  }
}

function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

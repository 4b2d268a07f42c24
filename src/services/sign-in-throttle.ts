import { ClientWindow } from '../lib/client-window.ts';
import { type Clock, DAY, MINUTE, type Micros } from '../lib/clock.ts';
import { isSameText } from '../lib/is-same-text.ts';
import { SlidingWindow } from '../lib/sliding-window.ts';
import type { Vault } from '../vault/vault.ts';
import { newToken } from './sessions.ts';

type Deps = Readonly<{ vault: Vault; monotonic: Clock }>;

/** Source of a sign-in attempt: the client address and the device cookie. */
export type SignInSource = Readonly<{ client: string; mark: string | null }>;

/** Failed attempts per `span`: from one address, for one account, and from a known browser. */
type Limits = Readonly<{ span: Micros; client: number; account: number; browser: number }>;

const PASSWORD_LIMITS: Limits = { span: 10 * MINUTE, client: 10, account: 20, browser: 10 };

/**
 * Limits for six-digit codes, of which three are valid at any time: an attacker who knows the password and guesses at
 * this rate for a year succeeds with a probability of 2 %.
 */
export const CODE_LIMITS: Limits = { span: DAY, client: 20, account: 20, browser: 20 };

/**
 * In-memory rate limit of failed sign-ins by address and by account, existing or not. A browser that has signed in
 * before carries a device cookie (OWASP) and has a limit of its own, so that attackers can't lock an owner out.
 */
export class SignInThrottle {
  readonly #clients: ClientWindow;
  readonly #accounts: SlidingWindow;
  readonly #browsers: SlidingWindow;

  constructor(
    private readonly deps: Deps,
    { span, client, account, browser }: Limits = PASSWORD_LIMITS,
  ) {
    this.#clients = new ClientWindow(client, span);
    this.#accounts = new SlidingWindow(account, span);
    this.#browsers = new SlidingWindow(browser, span);
  }

  /**
   * Counts an attempt as failed before it is checked, so that concurrent attempts can't exceed the limit. Returns 0 if
   * it is allowed, otherwise the seconds to wait.
   */
  begin(email: string, source: SignInSource): number {
    const now = this.deps.monotonic();
    const counts = this.#countsOf(email, source);
    const refused = counts.map(({ window, name }) => window.peek(name, now)).filter(({ allowed }) => !allowed);
    if (refused.length > 0) return Math.max(...refused.map(({ resetSeconds }) => resetSeconds));
    for (const { window, name } of counts) window.take(name, now);
    return 0;
  }

  /** Returns whether the browser has a device cookie of the account. */
  isKnown(email: string, { mark }: SignInSource): boolean {
    return this.#browserOf(email, mark) !== null;
  }

  /** Takes back the count of an attempt that succeeded. */
  succeed(email: string, source: SignInSource): void {
    for (const { window, name } of this.#countsOf(email, source)) window.refund(name);
  }

  /** Returns a new device cookie for a browser that has signed in. */
  markFor(email: string): string {
    const nonce = newToken();
    return `${nonce}.${this.#signatureOf(email, nonce)}`;
  }

  #countsOf(email: string, { client, mark }: SignInSource) {
    const browser = this.#browserOf(email, mark);
    if (browser !== null) return [{ window: this.#browsers, name: browser }];
    return [
      { window: this.#clients, name: client },
      { window: this.#accounts, name: email },
    ];
  }

  /** Returns the rate limit key of a browser with a valid device cookie of the account; null otherwise. */
  #browserOf(email: string, mark: string | null): string | null {
    const [nonce = '', signature = ''] = mark?.split('.') ?? [];
    return isSameText(signature, this.#signatureOf(email, nonce)) ? nonce : null;
  }

  #signatureOf(email: string, nonce: string): string {
    return this.deps.vault.fingerprint('known browser', `${nonce}\0${email}`).slice(0, 32);
  }
}

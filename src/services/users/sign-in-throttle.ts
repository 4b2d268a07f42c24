import { type Clock, DAY, MINUTE, type Micros, SECOND } from '../../lib/clock.ts';
import { isSameText } from '../../lib/is-same-text.ts';
import { clientNetworks, SITE_FACTOR } from '../../lib/networks.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import type { Store } from '../../storage/store.ts';
import type { Vault } from '../../vault/vault.ts';
import { newToken } from './sessions.ts';

/** Source of a sign-in attempt: the client address and the device cookie. */
export type SignInSource = Readonly<{ client: string; mark: string | null }>;

/** Failed attempts of a kind per `span`: from one address, for one account, and from a known browser. */
type Limits = Readonly<{ kind: string; span: Micros; client: number; account: number; browser: number }>;

const PASSWORD_LIMITS: Limits = { kind: 'password', span: 10 * MINUTE, client: 10, account: 20, browser: 10 };

/**
 * Limits for six-digit codes, of which three are valid at any time: an attacker who knows the password and guesses at
 * this rate for a year succeeds with a probability of 2 %.
 */
export const CODE_LIMITS: Limits = { kind: 'code', span: DAY, client: 20, account: 20, browser: 20 };

/** A property of attempts that has a limit: an address, its IPv6 /48, an account, or a known browser. */
type CountedBy = 'client' | 'site' | 'account' | 'browser';

type Count = Readonly<{ by: CountedBy; name: string }>;

/**
 * Rate limit of failed sign-ins by address and by account, existing or not: in memory, and in the database if several
 * processes share it. A browser that has signed in before carries a device cookie (OWASP) and has a separate limit, so
 * that attackers can't lock an owner out.
 */
export class SignInThrottle {
  readonly #windows: Readonly<Record<CountedBy, SlidingWindow>>;

  constructor(
    private readonly deps: Readonly<{ store: Pick<Store, 'signInAttempts'>; vault: Vault; monotonic: Clock }>,
    private readonly limits: Limits = PASSWORD_LIMITS,
  ) {
    const { span, client, account, browser } = limits;
    this.#windows = {
      client: new SlidingWindow(client, span),
      site: new SlidingWindow(client * SITE_FACTOR, span),
      account: new SlidingWindow(account, span),
      browser: new SlidingWindow(browser, span),
    };
  }

  /**
   * Counts an attempt as failed before it is checked, so that concurrent attempts can't exceed the limit. Returns 0 if
   * it is allowed, otherwise the seconds to wait. Throws without counting if the database fails.
   */
  async begin(email: string, source: SignInSource): Promise<number> {
    const counts = this.#countsOf(email, source);
    const waitSeconds = this.#beginHere(counts);
    if (waitSeconds > 0) return waitSeconds;
    let wait: Micros | null = null;
    try {
      const limits = counts.map(({ by, name }) => ({
        name: this.#sharedName(by, name),
        limit: this.#windows[by].limit,
      }));
      wait = await this.deps.store.signInAttempts.count(limits, this.limits.span);
    } finally {
      if (wait !== 0) this.#takeBackHere(counts);
    }
    return Math.ceil(wait / SECOND);
  }

  /** Returns whether the browser has a device cookie of the account. */
  isKnown(email: string, { mark }: SignInSource): boolean {
    return this.#browserOf(email, mark) !== null;
  }

  /** Takes back the count of an attempt that succeeded or was not checked. */
  async takeBack(email: string, source: SignInSource): Promise<void> {
    const counts = this.#countsOf(email, source);
    this.#takeBackHere(counts);
    await this.deps.store.signInAttempts.takeBack(counts.map(({ by, name }) => this.#sharedName(by, name)));
  }

  /** Returns a new device cookie for a browser that has signed in. */
  markFor(email: string): string {
    const nonce = newToken();
    return `${nonce}.${this.#signatureOf(email, nonce)}`;
  }

  #beginHere(counts: readonly Count[]): number {
    const now = this.deps.monotonic();
    const refused = counts.map(({ by, name }) => this.#windows[by].peek(name, now)).filter(({ allowed }) => !allowed);
    if (refused.length > 0) return Math.max(...refused.map(({ resetSeconds }) => resetSeconds));
    for (const { by, name } of counts) this.#windows[by].take(name, now);
    return 0;
  }

  #takeBackHere(counts: readonly Count[]): void {
    for (const { by, name } of counts) this.#windows[by].refund(name);
  }

  #countsOf(email: string, { client, mark }: SignInSource): readonly Count[] {
    const browser = this.#browserOf(email, mark);
    if (browser !== null) return [{ by: 'browser', name: browser }];
    const [address, site] = clientNetworks(client);
    return [
      { by: 'client', name: address },
      ...(site === undefined ? [] : [{ by: 'site', name: site } as const]),
      { by: 'account', name: email },
    ];
  }

  /** Returns the name of a count in the database, which must not hold addresses. */
  #sharedName(by: CountedBy, name: string): string {
    return this.deps.vault.fingerprint('sign-in attempt', `${this.limits.kind}\0${by}\0${name}`);
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

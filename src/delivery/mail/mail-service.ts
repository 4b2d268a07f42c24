import { MAIL_SERVER_ID, type MailAccount } from '../../domain/mail/mail-server.ts';
import { RefusedHostError, type SsrfGuard } from '../../lib/ssrf-guard.ts';
import type { Mailer, SendFailure } from '../../mail/mailer.ts';
import type { ClaimedMail } from '../../storage/records.ts';
import { mailServerAad } from '../../vault/vault.ts';
import { OutboxEngine } from '../engine.ts';
import { type MailAttempt, MailTransport, type MailTransportDeps } from './transport.ts';

const NO_SERVER: SendFailure = { outcome: 'failed', reason: 'no mail server is set up', isUnreachable: true };
/** The time after which a replaced mail server has finished its mails, in milliseconds. */
const REPLACED_MS = 60_000;
const AAD = mailServerAad(MAIL_SERVER_ID);

/** Outbox and mailer of the mail server in `SMTP_URL`, or else of the one that was set up in the dashboard. */
export class MailService {
  /** The mail server of the moment; null without one. */
  account: MailAccount | null;
  /** True if `SMTP_URL` is set, so that the dashboard cannot change the mail server. */
  readonly isFixed: boolean;
  readonly outbox: OutboxEngine<ClaimedMail, MailAttempt>;
  readonly #transport: MailTransport;
  /** Connects at the first mail. */
  #connection: Promise<Mailer> | null = null;
  #isClosed = false;
  /** The sealed settings that were read last. */
  #sealed: Uint8Array | null = null;

  /** Sends by the mail server of the moment. */
  readonly mailer: Mailer = {
    send: async (message) => (await this.#connect())?.send(message) ?? NO_SERVER,
    check: async () => (await this.#connect())?.check() ?? NO_SERVER,
    // The account stays: posts that are accepted meanwhile still queue their mails, for the next start.
    close: () => {
      this.#isClosed = true;
      this.#connection?.then((mailer) => mailer.close());
    },
  };

  /** `fixed` is the account of `SMTP_URL`; `ownMailer` replaces its mail server. */
  constructor(
    private readonly deps: Omit<MailTransportDeps, 'mailer' | 'hasServer'> & Readonly<{ ssrfGuard: SsrfGuard }>,
    fixed: MailAccount | null,
    private readonly ownMailer?: Mailer,
  ) {
    this.account = fixed;
    this.isFixed = fixed !== null;
    this.#transport = new MailTransport({ ...deps, mailer: this.mailer, hasServer: () => this.account !== null });
    this.outbox = new OutboxEngine(this.#transport, deps.log);
  }

  /** The address of all mails, without a name; null without a mail server. */
  get sender(): string | null {
    return this.account?.sender ?? null;
  }

  /** True while mails cannot be sent. */
  readonly isFailing = (): boolean => this.account !== null && this.#transport.isFailing;

  /** Follows the mail server in the database, which another process may have changed. Unreadable settings change nothing. */
  async refresh(): Promise<void> {
    const { store, vault, log } = this.deps;
    const sealed = this.isFixed ? null : await store.mailServer.read();
    if (Bun.deepEquals(sealed, this.#sealed)) return;
    this.#sealed = sealed;
    try {
      this.#use(sealed && JSON.parse(vault.open(sealed, AAD).toString()));
    } catch (error) {
      log.error('the mail server of the dashboard could not be read. Set it up again', { error: String(error) });
    }
  }

  /** Stores another mail server, or none, and uses it from the next mail on. */
  async change(account: MailAccount | null): Promise<void> {
    const { store, vault } = this.deps;
    await store.mailServer.write(account && vault.seal(JSON.stringify(account), AAD));
    await this.refresh();
    this.outbox.wake();
  }

  /** Returns whether mails may be sent to a server. One that does not resolve now is permitted. */
  isAllowed({ url }: MailAccount): Promise<boolean> {
    return this.#resolve(new URL(url)).then(
      () => true,
      (error: unknown) => !(error instanceof RefusedHostError),
    );
  }

  /** Returns a new mailer. `onLine` gets the lines of its conversation with the mail server, without secrets. */
  async open(onLine?: (line: string) => void): Promise<Mailer> {
    if (this.ownMailer) return this.ownMailer;
    if (this.account === null) return { ...this.mailer, close: () => {} };
    const { url, from } = this.account;
    // Imported only if used: it takes a third of the start-up time.
    const { smtpMailer } = await import('../../mail/smtp.ts');
    const resolve = (to: URL) => this.#resolve(to);
    return smtpMailer(url, from, { ...(!this.isFixed && { resolve }), ...(onLine && { onLine }) });
  }

  #use(account: MailAccount | null): void {
    if (Bun.deepEquals(account, this.account)) return;
    const replaced = this.#connection;
    this.account = account;
    this.#connection = null;
    this.#transport.reset();
    // Its mails in flight may end: one that is sent and not recorded would be sent again.
    if (replaced) setTimeout(() => replaced.then((mailer) => mailer.close()), REPLACED_MS).unref();
  }

  async #connect(): Promise<Mailer | null> {
    if (this.account && !this.#isClosed) this.#connection ??= this.open();
    return this.#connection;
  }

  async #resolve(url: URL): Promise<string> {
    const { ssrfGuard } = this.deps;
    ssrfGuard.requireListed(url);
    return (await ssrfGuard.resolve(url))[0] ?? '';
  }
}

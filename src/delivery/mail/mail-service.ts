import { MAIL_SERVER_ID, type MailAccount, type MailServer, serverAccount } from '../../domain/mail/mail-server.ts';
import { RefusedHostError, type SsrfGuard } from '../../lib/ssrf-guard.ts';
import type { Delivery, Mailer } from '../../mail/mailer.ts';
import type { ClaimedMail } from '../../storage/records.ts';
import { mailServerAad } from '../../vault/vault.ts';
import { DeliveryEngine } from '../engine.ts';
import { type MailResult, MailTransport, type MailTransportDeps } from './transport.ts';

type Deps = Omit<MailTransportDeps, 'mailer' | 'hasServer'> & Readonly<{ ssrfGuard: SsrfGuard }>;

const NO_SERVER: Delivery = { outcome: 'failed', reason: 'no mail server is configured', isUnreachable: true };

/** The time after which a replaced mail server has finished its mails, in milliseconds. */
const REPLACED_MS = 60_000;
/** Limits of a recorded conversation. */
const MAX_LINES = 100;
const MAX_LINE_LENGTH = 300;

/** Outbox and mailer of the mail server in `SMTP_URL`, or else of the one that was set up in the dashboard. */
export class MailService {
  readonly outbox: DeliveryEngine<ClaimedMail, MailResult>;
  /** Sends by the mail server of the moment. */
  readonly mailer: Mailer;
  readonly #transport: MailTransport;
  #account: MailAccount | null;
  /** Connects at the first mail. */
  #connection: Promise<Mailer> | null = null;
  #server: MailServer | null = null;
  /** The sealed settings that `#server` was read from, or that could not be read. */
  #sealed: Uint8Array | null = null;
  #isClosed = false;

  /** `fixed` is the account of `SMTP_URL`; `ownMailer` replaces its mail server. */
  constructor(
    private readonly deps: Deps,
    private readonly fixed: MailAccount | null,
    private readonly ownMailer?: Mailer,
  ) {
    this.#account = fixed;
    this.mailer = {
      send: async (message) => (await this.#connect())?.send(message) ?? NO_SERVER,
      check: async () => (await this.#connect())?.check() ?? NO_SERVER,
      close: () => this.#close(),
    };
    this.#transport = new MailTransport({ ...deps, mailer: this.mailer, hasServer: () => this.#account !== null });
    this.outbox = new DeliveryEngine(this.#transport, deps.log);
  }

  /** The mail server of the moment; null without one. */
  get account(): MailAccount | null {
    return this.#account;
  }

  /** The address of all mails, without a name; null without a mail server. */
  get sender(): string | null {
    return this.#account?.sender ?? null;
  }

  /** True if `SMTP_URL` is set, so that the dashboard cannot change the mail server. */
  get isFixed(): boolean {
    return this.fixed !== null;
  }

  /** The mail server that was set up in the dashboard; null without one. */
  get server(): MailServer | null {
    return this.#server;
  }

  /** True while mails cannot be sent. */
  readonly isFailing = (): boolean => this.#account !== null && this.#transport.isFailing;

  /** Follows the mail server in the database, which another process may have changed. Unreadable settings change nothing. */
  async refresh(): Promise<void> {
    if (this.fixed) return;
    const sealed = await this.deps.store.mailServer.read();
    if (sealed === this.#sealed || (sealed && this.#sealed && Buffer.compare(sealed, this.#sealed) === 0)) return;
    this.#sealed = sealed;
    try {
      const json = sealed && this.deps.vault.open(sealed, mailServerAad(MAIL_SERVER_ID)).toString();
      this.#use(json === null ? null : JSON.parse(json));
    } catch (error) {
      this.deps.log.error('the mail server of the dashboard could not be read. Set it up again', {
        error: String(error),
      });
    }
  }

  /** Stores another mail server, or none, and uses it from the next mail on. */
  async change(server: MailServer | null): Promise<void> {
    const { store, vault } = this.deps;
    await store.mailServer.write(server && vault.seal(JSON.stringify(server), mailServerAad(MAIL_SERVER_ID)));
    await this.refresh();
    this.outbox.wake();
  }

  /** Returns whether mails may be sent to a server. One that does not resolve now is permitted. */
  async isAllowed(server: MailServer): Promise<boolean> {
    const resolving = this.#resolve(new URL(serverAccount(server).url));
    return resolving.then(
      () => true,
      (error: unknown) => !(error instanceof RefusedHostError),
    );
  }

  /** Calls `work` with a mailer of its own, and returns its result with the conversation, which has no secrets. */
  async record<Result>(
    work: (mailer: Mailer) => Promise<Result>,
  ): Promise<Readonly<{ result: Result; lines: string[] }>> {
    const lines: string[] = [];
    const onLine = (line: string) => {
      if (lines.length < MAX_LINES) lines.push(line.slice(0, MAX_LINE_LENGTH));
    };
    const mailer = this.#account ? await this.#open(this.#account, onLine) : this.mailer;
    try {
      return { result: await work(mailer), lines };
    } finally {
      if (mailer !== this.mailer) mailer.close();
    }
  }

  #use(server: MailServer | null): void {
    if (Bun.deepEquals(server, this.#server)) return;
    const replaced = this.#connection;
    this.#account = server && serverAccount(server);
    this.#server = server;
    this.#connection = null;
    this.#transport.reset();
    // Its mails in flight may end: one that is sent and not recorded would be sent again.
    if (replaced) setTimeout(() => replaced.then((mailer) => mailer.close()), REPLACED_MS).unref();
  }

  async #connect(): Promise<Mailer | null> {
    if (this.#account === null || this.#isClosed) return null;
    this.#connection ??= this.#open(this.#account);
    return this.#connection;
  }

  async #open({ url, from }: MailAccount, onLine?: (line: string) => void): Promise<Mailer> {
    if (this.ownMailer) return this.ownMailer;
    // Imported only if used: it takes a third of the start-up time.
    const { smtpMailer } = await import('../../mail/smtp.ts');
    return smtpMailer(url, from, {
      ...(!this.fixed && { resolve: (to: URL) => this.#resolve(to) }),
      ...(onLine && { onLine }),
    });
  }

  async #resolve(url: URL): Promise<string> {
    const { ssrfGuard } = this.deps;
    ssrfGuard.requireListed(url);
    const [address = ''] = await ssrfGuard.resolve(url);
    return address;
  }

  #close(): void {
    this.#isClosed = true;
    this.#connection?.then((mailer) => mailer.close());
  }
}

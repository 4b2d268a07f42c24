import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import { createTransport, type Transporter } from 'nodemailer';
import { isThisMachine, otherPorts } from '../domain/mail/mail-server.ts';
import type { Delivery, Mailer, Message } from './mailer.ts';

/** Timeouts for DNS, connection and greeting, for silence, and for a whole mail. */
const TIMEOUTS = { connectMs: 15_000, idleMs: 30_000, totalMs: 60_000 };

/** Statuses of mails that are larger than the server or the mailbox allows (RFC 3463). */
const TOO_LARGE = /^552\b|\b5\.(?:2\.3|3\.4)\b/;

const LOGIN_CODES = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2']);
const LOGIN_STATUSES = new Set([530, 534, 535, 538]);

/** An error thrown by nodemailer. */
type SmtpError = Error & Readonly<{ code?: string; command?: string; response?: string; responseCode?: number }>;

type Options = Readonly<{
  timeouts?: typeof TIMEOUTS;
  /** Returns the address to connect to for the host of a URL that a user chose. Throws if the host is refused. */
  resolve?: (url: URL) => Promise<string>;
  /** Gets the lines of the conversation, without credentials and mails. */
  onLine?: (line: string) => void;
}>;

/**
 * Returns a mailer for SMTP. `url` is `smtp://` (STARTTLS if the server offers it, and always with credentials for another
 * host) or `smtps://`, optionally with credentials; `from` is the sender of all mails. Connections are pooled with one mail at a time; after a failure or timeout
 * the connection is closed, so that nothing is sent on it later.
 */
export function smtpMailer(url: string, from: string, { timeouts = TIMEOUTS, resolve, onLine }: Options = {}): Mailer {
  const { connectMs, idleMs, totalMs } = timeouts;
  const server = requireTls(url);
  const open = new Set<Transporter>();
  const idle: Transporter[] = [];
  let isClosed = false;
  const connect = async () => {
    const target = resolve ? atAddress(server, await resolve(server)) : server;
    const transport = createTransport(
      {
        url: target.href,
        pool: true,
        maxConnections: 1,
        // Retries once if the server closed the connection before anything was sent, as servers do with idle ones.
        maxRequeues: 1,
        connectionTimeout: connectMs,
        greetingTimeout: connectMs,
        dnsTimeout: connectMs,
        socketTimeout: idleMs,
        disableFileAccess: true,
        disableUrlAccess: true,
        ...(onLine && { transactionLog: true, logger: conversationLogger(server, onLine) }),
      },
      { from },
    );
    open.add(transport);
    return transport;
  };
  const close = (transport: Transporter) => {
    open.delete(transport);
    // Without `force` the transport finishes its current mail.
    transport.close({ force: true });
  };
  const attempt = async (
    work: (transport: Transporter) => Promise<unknown>,
    transport?: Transporter,
  ): Promise<Delivery> => {
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeout.reject(new Error('the mail server took too long to respond')), totalMs);
    const run = async () => {
      transport ??= await connect();
      if (isClosed) throw new Error(SHUT_DOWN);
      await work(transport);
    };
    try {
      await Promise.race([run(), timeout.promise]);
      if (transport && open.has(transport)) idle.push(transport);
      return { outcome: 'sent' };
    } catch (error) {
      if (transport) close(transport);
      return toDelivery(error as SmtpError, server);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    send: async (message) => {
      if (isClosed) return { outcome: 'failed', reason: SHUT_DOWN };
      return attempt((transport) => transport.sendMail(toNodemailer(message, from)), idle.pop());
    },

    check: () => attempt((transport) => transport.verify()),

    close: () => {
      isClosed = true;
      idle.length = 0;
      for (const transport of open) close(transport);
    },
  };
}

const SHUT_DOWN = 'the mailer has shut down';

/** Returns the URL, with STARTTLS required if credentials would otherwise cross the network in the clear. */
function requireTls(url: string): URL {
  const parsed = new URL(url);
  if (isThisMachine(parsed) || (parsed.username === '' && parsed.password === '')) return parsed;
  parsed.searchParams.set('requireTLS', 'true');
  return parsed;
}

/** Returns the URL at an address of its host, with the name of the host for the certificate. */
function atAddress(url: URL, address: string): URL {
  const at = new URL(url);
  at.hostname = isIP(address) === 6 ? `[${address}]` : address;
  if (at.hostname !== url.hostname) at.searchParams.set('servername', url.hostname);
  return at;
}

/** Removes the password of the URL from a text of the server, which may repeat it. */
function withoutPassword({ username, password }: URL, text: string): string {
  if (password === '') return text;
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  const secrets = [pass, toBase64(pass), toBase64(`\0${user}\0${pass}`)];
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

/** Returns a logger of the mail library that passes on the commands and replies. */
function conversationLogger(server: URL, onLine: (line: string) => void) {
  const debug = ({ tnx }: Readonly<{ tnx?: string }>, text: string) => {
    const speaker = tnx === 'client' ? 'C' : tnx === 'server' ? 'S' : null;
    if (speaker === null) return;
    const said = text.replace(/^(AUTH \S+) \S+$/, '$1 ***');
    for (const line of said.split(/\r?\n/)) onLine(`${speaker}: ${withoutPassword(server, line)}`);
  };
  const none = () => {};
  return { level: none, trace: none, debug, info: none, warn: none, error: none, fatal: none };
}

const toBase64 = (text: string) => Buffer.from(text).toString('base64');

function toNodemailer(message: Message, from: string) {
  const { to, senderName, replyTo, subject, text, html, messageId, date, references, attachments } = message;
  const recipient = { name: '', address: to };
  return {
    ...(senderName && { from: { name: senderName, address: from.replace(/^.*<|>$/g, '') } }),
    to: recipient,
    // With a size, the mail is not begun if the server announces a lower limit.
    ...(attachments.length > 0 && { envelope: { from, to: recipient, size: estimateSize(message) } }),
    ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    subject,
    text,
    html,
    messageId,
    date: new Date(date / 1000),
    ...(references !== null && { references, inReplyTo: references.split(' ').at(-1) }),
    headers: { ...automaticHeaders(message), ...listHeaders(message) },
    attachments: attachments.map(({ name, contentType, bytes }) => ({
      filename: name,
      contentType,
      content: Readable.from(bytes),
    })),
  };
}

/** Keeps answering machines from answering; a mail from a person lacks these headers. */
function automaticHeaders({ autoSubmitted }: Message): Record<string, string> {
  return autoSubmitted === 'no' ? {} : { 'Auto-Submitted': autoSubmitted, 'X-Auto-Response-Suppress': 'All' };
}

/** Lets mail clients offer to unsubscribe; with one click only by https, as RFC 8058 requires. */
function listHeaders({ unsubscribeUrl }: Message): Record<string, string> {
  if (!unsubscribeUrl) return {};
  const isOneClick = unsubscribeUrl.startsWith('https:');
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    ...(isOneClick && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  };
}

/** Estimates the size of a mail in bytes: base64 has lines of 76 characters for 57 bytes. */
function estimateSize({ text, html, attachments }: Message): number {
  const texts = Buffer.byteLength(text) + Buffer.byteLength(html);
  return attachments.reduce((sum, { size }) => sum + Math.ceil(size / 57) * 78 + 1_000, 2 * texts + 5_000);
}

/** Classifies an error by its SMTP status and the command that failed. */
function toDelivery(error: SmtpError, server: URL): Delivery {
  const { code = '', command = '', response, responseCode = 0, message } = error;
  const codes = code && `(${[code, command].filter(Boolean).join(', ')})`;
  const reason = withoutPassword(server, [response ?? message, codes].filter(Boolean).join(' '));
  const isTemporary = responseCode >= 400 && responseCode < 500;
  const isLogin = LOGIN_CODES.has(code) || LOGIN_STATUSES.has(responseCode);
  if (!isTemporary && isLogin) return { outcome: 'login', reason, isUnreachable: true };
  const isOverAnnouncedSize = code === 'EMESSAGE' && command === 'MAIL FROM';
  if (isOverAnnouncedSize || TOO_LARGE.test(response ?? '')) return { outcome: 'too_large', reason };
  const isConnecting = isLogin || responseCode === 0 || /^(?:CONN|EHLO|HELO|STARTTLS|AUTH)/.test(command);
  // A permanent error to an earlier command concerns this server or sender, not the message.
  if (responseCode >= 500 && !isConnecting && command !== 'MAIL FROM') return { outcome: 'refused', reason };
  const ports = isConnecting && code === 'ETIMEDOUT' ? otherPorts(server) : [];
  return { outcome: 'failed', reason, isUnreachable: isConnecting, ...(ports.length > 0 && { otherPorts: ports }) };
}

import { isIP } from 'node:net';
import { parseSender } from './email-address.ts';

/** TLS from the start, STARTTLS, or no encryption, which is for a server on this machine only. */
export const SECURITIES = ['tls', 'starttls', 'none'] as const;

export type MailSecurity = (typeof SECURITIES)[number];

/** A mail server that was set up in the dashboard. An empty `user` means no login; `sender` is that of all mails. */
export type MailServer = Readonly<{
  host: string;
  port: number;
  security: MailSecurity;
  user: string;
  password: string;
  sender: string;
}>;

/** The id of the stored mail server, of which there is one at most. */
export const MAIL_SERVER_ID = 'mail_server';

/** The mail server as a URL and the sender; `sender` is the address in `from` without a name. */
export type MailAccount = Readonly<{ url: string; from: string; sender: string; domain: string }>;

/** A provider's server, with a port that clouds do not block. `user` is the login that all its customers share. */
export type MailProvider = Pick<MailServer, 'host' | 'port' | 'security' | 'user'> & Readonly<{ name: string }>;

export const MAIL_PROVIDERS: readonly MailProvider[] = [
  { name: 'Postmark', host: 'smtp.postmarkapp.com', port: 2525, security: 'starttls', user: '' },
  { name: 'Resend', host: 'smtp.resend.com', port: 2465, security: 'tls', user: 'resend' },
  { name: 'Amazon SES', host: 'email-smtp.eu-central-1.amazonaws.com', port: 2587, security: 'starttls', user: '' },
  { name: 'Brevo', host: 'smtp-relay.brevo.com', port: 2525, security: 'starttls', user: '' },
  { name: 'Mailgun', host: 'smtp.mailgun.org', port: 2525, security: 'starttls', user: '' },
];

/** Ports that many clouds block for outgoing mail, and those that providers offer in their place. */
const BLOCKED_PORTS = [25, 465, 587];
const OTHER_PORTS = [2525, 2587, 2465];

/** Returns the ports to try after a timeout: that of a known provider, or those that are usual. None for other ports. */
export function otherPorts(host: string, port: number): readonly number[] {
  if (!BLOCKED_PORTS.includes(port)) return [];
  const getDomain = (name: string) => name.split('.').slice(-2).join('.');
  const provider = MAIL_PROVIDERS.find((one) => getDomain(one.host) === getDomain(host));
  return provider ? [provider.port] : OTHER_PORTS;
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?)$/i;

/** Returns whether a host is this machine, where mails and credentials need no encryption. */
export function isThisMachine(host: string): boolean {
  return LOOPBACK_HOST.test(host);
}

/** Returns the account of `MAIL_FROM` or a stored sender at the server of a URL. */
export function toMailAccount(url: string, from: string): MailAccount {
  const sender = from.replace(/^.*<|>$/g, '');
  return { url, from, sender, domain: sender.slice(sender.lastIndexOf('@') + 1) };
}

/** Returns the account of a stored mail server. */
export function serverAccount({ host, port, security, user, password, sender }: MailServer): MailAccount {
  const scheme = security === 'tls' ? 'smtps' : 'smtp';
  const login = user && `${encodeURIComponent(user)}:${encodeURIComponent(password)}@`;
  const option = { tls: '', starttls: '/?requireTLS=true', none: '/?ignoreTLS=true' }[security];
  return toMailAccount(`${scheme}://${login}${isIP(host) === 6 ? `[${host}]` : host}:${port}${option}`, sender);
}

/** Returns the server of a URL as the dashboard shows it, without the password. */
export function describeServer({ url, from }: MailAccount): Omit<MailServer, 'password'> {
  const { protocol, hostname, port, username } = new URL(url);
  const security = protocol === 'smtps:' ? 'tls' : 'starttls';
  const usual = security === 'tls' ? 465 : 587;
  return { host: hostname, port: Number(port) || usual, security, user: decodeURIComponent(username), sender: from };
}

/** The field of a mail server that is wrong. */
export type MailServerFault = 'host' | 'port' | 'security' | 'password' | 'sender';

/**
 * Parses the fields of the dashboard's form. An empty password keeps that of `before` for the same user at the same host:
 * another host must not get it. Returns the fault of wrong input.
 */
export function parseMailServer(fields: URLSearchParams, before: MailServer | null): MailServer | MailServerFault {
  const text = (name: string) => fields.get(name)?.trim() ?? '';
  const host = parseHost(text('host'));
  const port = /^\d{1,5}$/.test(text('port')) ? Number(text('port')) : 0;
  const security = SECURITIES.find((one) => one === text('security'));
  const user = text('user');
  const isSame = before?.host === host && before?.user === user;
  const password = user && (fields.get('password') || (isSame ? before.password : ''));
  const sender = parseSender(text('sender'));
  if (host === null) return 'host';
  if (port < 1 || port > 65_535) return 'port';
  if (security === undefined || (security === 'none' && !isThisMachine(host))) return 'security';
  if (user && !password) return 'password';
  if (/\p{Cc}/u.test(user + password)) return 'password';
  return sender === null ? 'sender' : { host, port, security, user, password, sender };
}

/** Returns the canonical form of a host name or an address, without brackets; null if it is neither. */
function parseHost(text: string): string | null {
  const bare = text.replace(/^\[|\]$/g, '');
  if (isIP(bare)) return bare;
  const url = /^[^\s/?#@:\\]{1,253}$/.test(bare) && URL.canParse(`http://${bare}`) ? new URL(`http://${bare}`) : null;
  return url?.hostname ?? null;
}

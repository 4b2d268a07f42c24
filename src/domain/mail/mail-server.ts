import { isIP } from 'node:net';
import { parseSender } from './email-address.ts';

/** The id of the mail server that was set up in the dashboard, of which there is one at most. */
export const MAIL_SERVER_ID = 'mail_server';

/** TLS from the start, STARTTLS, or no encryption, which is for a server on this machine only. */
export const SECURITIES = ['tls', 'starttls', 'none'] as const;

/** A mail server as a URL, and the sender of all mails; `sender` is the address in `from` without a name. */
export type MailAccount = Readonly<{ url: string; from: string; sender: string; domain: string }>;

/** The fields of a mail server in the dashboard, without the password. */
type ServerFields = Readonly<Record<'host' | 'port' | 'security' | 'user' | 'sender', string>>;

/** Providers with ports that clouds do not block. An empty user differs by customer. */
export const MAIL_PROVIDERS: ReadonlyArray<Omit<ServerFields, 'sender'> & Readonly<{ name: string }>> = [
  { name: 'Postmark', host: 'smtp.postmarkapp.com', port: '2525', security: 'starttls', user: '' },
  { name: 'Resend', host: 'smtp.resend.com', port: '2465', security: 'tls', user: 'resend' },
  { name: 'Amazon SES', host: 'email-smtp.eu-central-1.amazonaws.com', port: '2587', security: 'starttls', user: '' },
  { name: 'Brevo', host: 'smtp-relay.brevo.com', port: '2525', security: 'starttls', user: '' },
  { name: 'Mailgun', host: 'smtp.mailgun.org', port: '2525', security: 'starttls', user: '' },
];

/** Returns the ports to try after a timeout: that of a known provider, or the usual ones. None for ports that clouds let pass. */
export function otherPorts({ hostname, port, protocol }: URL): readonly string[] {
  if (!['25', '465', '587'].includes(port || (protocol === 'smtps:' ? '465' : '587'))) return [];
  const getDomain = (name: string) => name.split('.').slice(-2).join('.');
  const provider = MAIL_PROVIDERS.find(({ host }) => getDomain(host) === getDomain(hostname));
  return provider ? [provider.port] : ['2525', '2587', '2465'];
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i;

/** Returns whether the host of a URL is this machine, where mails and credentials need no encryption. */
export const isThisMachine = ({ hostname }: URL): boolean => LOOPBACK_HOST.test(hostname);

export function toMailAccount(url: string, from: string): MailAccount {
  const sender = from.replace(/^.*<|>$/g, '');
  return { url, from, sender, domain: sender.slice(sender.lastIndexOf('@') + 1) };
}

/** Returns the fields that the dashboard shows of a mail server. */
export function describeServer({ url, from: sender }: MailAccount): ServerFields {
  const { protocol, hostname: host, port, username, searchParams } = new URL(url);
  const user = decodeURIComponent(username);
  if (protocol === 'smtps:') return { host, port: port || '465', security: 'tls', user, sender };
  return { host, port: port || '587', security: searchParams.has('ignoreTLS') ? 'none' : 'starttls', user, sender };
}

const HOST = /^[a-z0-9]([a-z0-9_.-]{0,251}[a-z0-9])?$/i;

/**
 * Parses the fields of the dashboard's form. An empty password keeps that of `before` for the same user at the same host:
 * another host must not get it. Returns the name of a wrong field instead.
 */
export function parseMailServer(fields: URLSearchParams, before: MailAccount | null) {
  const text = (name: string) => fields.get(name)?.trim() ?? '';
  const host = text('host').replace(/^\[|\]$/g, '');
  // An IPv6 address with a zone is none in a URL.
  if (host.includes('%') || (!isIP(host) && !HOST.test(host))) return 'host';
  if (!/^[1-9]\d{0,4}$/.test(text('port')) || Number(text('port')) > 65_535) return 'port';
  const security = SECURITIES.find((one) => one === text('security'));
  const url = new URL(`${security === 'tls' ? 'smtps' : 'smtp'}://${isIP(host) === 6 ? `[${host}]` : host}`);
  if (security === undefined || (security === 'none' && !isThisMachine(url))) return 'security';
  url.port = text('port');
  if (security !== 'tls') url.searchParams.set(security === 'none' ? 'ignoreTLS' : 'requireTLS', 'true');
  if (text('user') !== '') {
    url.username = encodeURIComponent(text('user'));
    const known = before && new URL(before.url);
    const isSame = known?.hostname === url.hostname && known.username === url.username;
    url.password = encodeURIComponent(fields.get('password') ?? '') || (isSame ? known.password : '');
    if (url.password === '') return 'password';
  }
  const from = parseSender(text('sender'));
  return from === null ? 'sender' : toMailAccount(url.href, from);
}

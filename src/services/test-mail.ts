import { parseAddress } from '../domain/email-address.ts';
import { AppError } from '../domain/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { toSingleLine } from '../lib/one-line.ts';
import type { Delivery, Mailer } from '../mail/mailer.ts';

/** `mail` is null if no mail server is configured; `sender` is the address of MAIL_FROM without a name. */
type Deps = Readonly<{ mail: Readonly<{ mailer: Mailer; sender: string }> | null; clock: Clock }>;

const TEXT = 'This is a test message. Your mail settings work: notifications of new submissions are sent the same way.';
const TEST_MAIL = { subject: 'Test mail from Formstead', text: TEXT, html: `<p>${TEXT}</p>` } as const;

/**
 * Sends a test mail immediately and returns its sender and recipient. Throws `invalid_input` with a remedy if no mail server
 * is configured, the address is invalid, or the server refuses the mail.
 */
export async function sendTestMail({ mail, clock }: Deps, to: string): Promise<Readonly<{ from: string; to: string }>> {
  const recipient = parseAddress(to.trim());
  if (recipient === null) {
    throw new AppError('invalid_input', `${JSON.stringify(to)} is not an email address such as ada@example.com.`);
  }
  if (!mail) throw new AppError('invalid_input', 'No mail server is configured. Set SMTP_URL and MAIL_FROM.');
  const delivery = await mail.mailer.send({
    to: recipient,
    replyTo: null,
    ...TEST_MAIL,
    messageId: `<${newId('mail')}@${mail.sender.slice(mail.sender.lastIndexOf('@') + 1)}>`,
    date: clock(),
    references: null,
    autoSubmitted: 'auto-generated',
    attachments: [],
  });
  if (delivery.outcome !== 'sent') {
    throw new AppError('invalid_input', `Could not send the mail: ${explainFailure(delivery)}`);
  }
  return { from: mail.sender, to: recipient };
}

/** Causes and remedies by the error of the server or the network; the first match counts. */
const ADVICE: ReadonlyArray<readonly [RegExp, string]> = [
  [/^4\d\d /, 'temporary failure. Try again in a few minutes'],
  [/MAIL FROM\)$/, 'the server rejected the sender. Set MAIL_FROM to an address that you may send from'],
  [/^5\d\d .*(?:CONN|HELO|EHLO)\)$/, 'the server rejected this machine. Check that it may send through this server'],
  [/ECONNREFUSED/, 'connection refused. Check host and port in SMTP_URL'],
  [/ENOTFOUND|EAI_|EDNS|ENODATA/, 'the host in SMTP_URL is unknown. Check its spelling and the DNS server'],
  [/EHOSTUNREACH|ENETUNREACH/, 'the host is unreachable. Check the network'],
  [/wrong.version.number/i, 'the port does not use TLS. Use smtp://, which upgrades with STARTTLS if possible'],
  [
    /certificate|self.signed|altname|unable to verify/i,
    'the certificate is not trusted. Use its host name, or for your own server add /?tls.rejectUnauthorized=false to SMTP_URL',
  ],
  [
    /timed? ?out|too long|greeting/i,
    'timeout. Use smtps:// for port 465 and smtp:// for other ports. Many networks block port 25; try 587',
  ],
  [/TLS|SSL/, 'TLS failed. Use smtps:// for port 465 and smtp:// for other ports'],
  [/closed|ECONNRESET/i, 'the server closed the connection. Use smtps:// for port 465 and smtp:// for other ports'],
];

/** Returns the cause, the remedy and the original error in words for the operator. */
export function explainFailure({ outcome, reason }: Exclude<Delivery, { outcome: 'sent' }>): string {
  return `${adviceFor(outcome, reason)}. Error: ${toSingleLine(reason, 500)}`;
}

function adviceFor(outcome: 'failed' | 'refused' | 'login', reason: string): string {
  if (outcome === 'login') {
    return 'the server rejected the credentials. Check user and password in SMTP_URL; special characters must be percent-encoded';
  }
  if (outcome === 'refused') {
    return 'the server rejected the mail. Check the address, and that MAIL_FROM may send to it';
  }
  const [, advice = 'unknown error. Check SMTP_URL'] = ADVICE.find(([pattern]) => pattern.test(reason)) ?? [];
  return advice;
}

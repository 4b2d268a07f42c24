import { parseAddress } from '../domain/email-address.ts';
import { AppError } from '../domain/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { toSingleLine } from '../lib/one-line.ts';
import type { Delivery, Mailer } from '../mail/mailer.ts';

/** `mail` is null where no mail is sent; `sender` is the bare address that mails come from. */
type Deps = Readonly<{ mail: Readonly<{ mailer: Mailer; sender: string }> | null; clock: Clock }>;

const TEXT = 'This is the test that you asked for: what your forms take in will be told the same way.';
const TEST = { subject: 'Formstead can send mails', text: TEXT, html: `<p>${TEXT}</p>` } as const;

/**
 * Sends one mail at once, and returns from which address to which. Throws `invalid_input`, with what to do about it, if there
 * is no mail server, if `to` is no address, or if the server does not take the mail.
 */
export async function sendTestMail({ mail, clock }: Deps, to: string): Promise<Readonly<{ from: string; to: string }>> {
  const recipient = parseAddress(to.trim());
  if (recipient === null) {
    throw new AppError('invalid_input', `${JSON.stringify(to)} is no e-mail address, such as ada@example.com.`);
  }
  if (!mail) throw new AppError('invalid_input', 'no mail server is set; set SMTP_URL and MAIL_FROM.');
  const delivery = await mail.mailer.send({
    to: recipient,
    replyTo: null,
    ...TEST,
    messageId: `<${newId('mail')}@${mail.sender.slice(mail.sender.lastIndexOf('@') + 1)}>`,
    date: clock(),
    references: null,
    autoSubmitted: 'auto-generated',
    attachments: [],
  });
  if (delivery.outcome !== 'sent') {
    throw new AppError('invalid_input', `the mail was not sent: ${explained(delivery)}`);
  }
  return { from: mail.sender, to: recipient };
}

/** What to do about what the server or the network said; the first that fits. */
const ADVICE: ReadonlyArray<readonly [RegExp, string]> = [
  [/^4\d\d /, 'the server wants it later; try again in a few minutes'],
  [/MAIL FROM\)$/, 'the server does not take mails from MAIL_FROM; set it to an address that you may send from'],
  [/^5\d\d .*(?:CONN|HELO|EHLO)\)$/, 'the server turns this machine away; check that it may send through that server'],
  [/ECONNREFUSED/, 'nothing listens there; check host and port in SMTP_URL'],
  [/ENOTFOUND|EAI_|EDNS|ENODATA/, 'the host in SMTP_URL is not known; check its spelling, and the name server'],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no way to that host from here; check the network'],
  [/wrong.version.number/i, 'that port begins without TLS; use smtp://, which turns it on where the server can'],
  [
    /certificate|self.signed|altname|unable to verify/i,
    'the certificate is not trusted; use the name it is made for, or for a server of your own add /?tls.rejectUnauthorized=false to SMTP_URL',
  ],
  [
    /timed? ?out|too long|greeting/i,
    'no answer in time; port 465 takes smtps:// and the others smtp://, and many networks let no one out on port 25, but on 587',
  ],
  [/TLS|SSL/, 'no secure connection; use smtps:// for port 465 and smtp:// for the others'],
  [/closed|ECONNRESET/i, 'it hung up; check the port: 465 takes smtps:// and the others smtp://'],
];

/** What to do about what the server or the network said, and what that was. */
export function explained({ outcome, reason }: Exclude<Delivery, { outcome: 'sent' }>): string {
  return `${adviceFor(outcome, reason)}. What was said: ${toSingleLine(reason, 500)}`;
}

function adviceFor(outcome: 'failed' | 'refused' | 'login', reason: string): string {
  if (outcome === 'login') {
    return 'the server does not let us in; check user and password in SMTP_URL, whose special characters must be percent-encoded';
  }
  if (outcome === 'refused') {
    return 'the server refuses it; check the address, and that you may send to it as MAIL_FROM';
  }
  const [, advice = 'check SMTP_URL'] = ADVICE.find(([said]) => said.test(reason)) ?? [];
  return advice;
}

import { invalidInput } from '../../domain/errors.ts';
import { parseAddress } from '../../domain/mail/email-address.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import type { MailTexts } from '../../mail/i18n/en.ts';
import { renderHtml } from '../../mail/layout.tsx';
import { MAIL_CATALOG, type MailLanguage } from '../../mail/locale.ts';
import { type SenderMailer, type SendFailure, sendNow } from '../../mail/mailer.ts';
import type { Services } from '../services.ts';
import type { SampleMail } from './sample-mail.ts';

type Deps = Pick<Services, 'clock' | 'store'> & Readonly<{ mail: SenderMailer }>;

type Advice = keyof MailTexts['test']['advice'];

/**
 * Sends a mail immediately and returns its sender. Throws `invalid_input` with a remedy in `language` if no mail server is
 * configured or it refuses the mail.
 */
export async function sendSample(
  { mail, clock }: Pick<Deps, 'mail' | 'clock'>,
  sample: SampleMail,
  to: string,
  language: MailLanguage,
): Promise<string> {
  const { test: t } = MAIL_CATALOG.textsIn(language);
  if (mail.sender === null) throw invalidInput(t.noServer);
  const result = await sendNow(mail, clock, { ...sample, to });
  if (result.outcome !== 'sent') throw invalidInput(t.notSent(explainFailure(result, language)));
  return mail.sender;
}

/** Sends a test mail like `sendSample` and returns its sender and recipient. Throws `invalid_input` for a wrong address too. */
export async function sendTestMail(deps: Deps, text: string, language: MailLanguage) {
  const to = parseAddress(text.trim());
  if (to === null) throw invalidInput(MAIL_CATALOG.textsIn(language).test.noAddress(JSON.stringify(text)));
  const user = await deps.store.users.findByEmail(to.toLowerCase());
  const mailLanguage = MAIL_CATALOG.find(user?.language) ?? language;
  const { subject, text: body } = MAIL_CATALOG.textsIn(mailLanguage).test;
  const rows = [{ name: null, text: body }];
  const html = renderHtml({ language: mailLanguage, title: subject, preview: body, rows, notes: [] });
  const mail = { replyTo: null, subject, text: body, html, autoSubmitted: 'auto-generated', attachments: [] } as const;
  const from = await sendSample(deps, mail, to, language);
  await deps.store.milestones.reach('mail_tested', deps.clock());
  return { from, to };
}

/** Causes by the error of the server or the network; the first match counts. */
const CAUSES: ReadonlyArray<readonly [RegExp, Advice]> = [
  [/\(ETLS, STARTTLS\)$/, 'noStarttls'],
  [/^4\d\d /, 'temporary'],
  [/MAIL FROM\)$/, 'sender'],
  [/^5\d\d .*(?:CONN|HELO|EHLO)\)$/, 'machine'],
  [/ECONNREFUSED/, 'refused'],
  [/is not (?:public|listed)$/, 'notAllowed'],
  [/ENOTFOUND|EAI_|EDNS|ENODATA/, 'unknownHost'],
  [/EHOSTUNREACH|ENETUNREACH/, 'unreachable'],
  [/wrong.version.number/i, 'noTls'],
  [/certificate|self.signed|altname|unable to verify/i, 'certificate'],
  [/timed? ?out|too long|greeting/i, 'timeout'],
  [/TLS|SSL/, 'tls'],
  [/closed|ECONNRESET/i, 'closed'],
];

/** Returns the cause, the remedy and the original error in words for the operator. */
export function explainFailure(failure: SendFailure, language: MailLanguage): string {
  const { test: t } = MAIL_CATALOG.textsIn(language);
  return t.explanation(adviceText(failure, language), toSingleLine(failure.reason, 500));
}

/** Returns the cause and the remedy, without the original error. */
export function adviceText({ outcome, reason, otherPorts = [] }: SendFailure, language: MailLanguage): string {
  const { test: t } = MAIL_CATALOG.textsIn(language);
  const ports = otherPorts.map((port) => (port === '2465' ? '2465 (smtps://)' : port));
  return ports.length > 0 ? t.blockedPort(ports.join(', ')) : t.advice[adviceFor(outcome, reason)];
}

function adviceFor(outcome: SendFailure['outcome'], reason: string): Advice {
  if (outcome === 'login') return 'credentials';
  if (outcome === 'too_large') return 'tooLarge';
  if (outcome === 'refused') return 'mail';
  return CAUSES.find(([pattern]) => pattern.test(reason))?.[1] ?? 'unknown';
}

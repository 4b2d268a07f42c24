/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../domain/forms/form.ts';
import { replyAddress } from '../domain/mail/mail.ts';
import type { MessageBody } from '../domain/submissions/message.ts';
import { asQuote, quoteText } from '../domain/submissions/quote.ts';
import type { Payload } from '../domain/submissions/submission.ts';
import type { Micros } from '../lib/clock.ts';
import { BrokenLines } from './layout.tsx';
import type { MailLocale } from './locale.ts';
import type { Message } from './mailer.ts';
import { shortName, toSubject } from './subject.ts';
import { valueText } from './value-text.ts';

/** Length limit of the quoted submission. */
const MAX_QUOTE_LENGTH = 4_000;

/** The parts of a reply. `author` is the address of the member, null if the account was deleted. */
type ReplyParts = Readonly<{
  locale: MailLocale;
  form: Form;
  payload: Payload;
  sentAt: Micros;
  message: MessageBody;
  author: string | null;
}>;

/** Composes the reply of a member to the visitor: its text, and the submission quoted below. */
export function replyMail({ locale, form, payload, sentAt, message, author }: ReplyParts) {
  const text = valueText(message.text).trimEnd();
  const visitor = shortName(replyAddress(payload) ?? '');
  const wrote = locale.texts.reply.wrote(locale.time(sentAt, form.timeZone), visitor);
  const quote = quoteText(form, payload, MAX_QUOTE_LENGTH);
  const html = <ReplyDocument language={locale.language} text={text} wrote={wrote} quote={quote} />;
  return {
    senderName: shortName(form.senderName ?? form.name).replaceAll('=?', '=_') || null,
    replyTo: form.replyTo ?? author,
    subject: toSubject(message.subject ?? '') || toSubject(form.name) || 'Re:',
    text: quote === '' ? text : `${text}\n\n${wrote}\n${asQuote(quote)}`,
    html: `<!doctype html>\n${html}`,
    autoSubmitted: 'no',
    attachments: [],
  } as const satisfies Partial<Message>;
}

/** A plain document, like one from a mail program. */
function ReplyDocument({
  language,
  text,
  wrote,
  quote,
}: Readonly<Record<'language' | 'text' | 'wrote' | 'quote', string>>) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="color-scheme" content="light dark" />
      </head>
      <body>
        <div dir="auto">
          <BrokenLines text={text} />
        </div>
        {quote !== '' && (
          <>
            <p>{wrote}</p>
            <blockquote dir="auto" style="margin: 0 0 0 8px; padding-left: 8px; border-left: 2px solid #a1a1aa">
              <BrokenLines text={quote} />
            </blockquote>
          </>
        )}
      </body>
    </html>
  );
}

import type { Clock } from '../../lib/clock.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { renderHtml } from '../../mail/layout.tsx';
import { type Delivery, type SenderMailer, sendNow } from '../../mail/mailer.ts';

/** Words around a link, each one line. */
type LinkMail = Readonly<{
  to: string;
  language: string;
  subject: string;
  before: string;
  url: string;
  /** The text of the link's button. */
  button: string;
  after: string;
}>;

const LONGEST_SUBJECT = 150;

/**
 * Sends a link that lets its holder in. Not by the outbox: the link is in the mail and nowhere else. Never throws, and
 * takes no longer than a minute.
 */
export function sendLink(
  mail: SenderMailer,
  clock: Clock,
  { to, language, subject: text, before, url, button, after }: LinkMail,
): Promise<Delivery> {
  const subject = toSingleLine(text, LONGEST_SUBJECT);
  return sendNow(mail, clock, {
    to,
    replyTo: null,
    subject,
    text: `${before}\n\n${url}\n\n${after}`,
    html: renderHtml({
      language,
      title: subject,
      preview: before,
      rows: [{ name: null, text: before }],
      actions: [{ text: button, url }],
      // The address too, for clients that open links in another browser than the one to sign in with.
      notes: [after, { text: url, url }],
    }),
    autoSubmitted: 'auto-generated',
    attachments: [],
  });
}

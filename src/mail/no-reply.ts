import type { Message } from './mailer.ts';
import { asHtml, asText, type Content } from './page.ts';
import { asSubject } from './subject.ts';

/** What of a message makes a mail that nobody is to answer, under its title. */
export function noReplyMail(content: Content & Readonly<{ title: string }>) {
  return {
    replyTo: null,
    subject: asSubject(content.title),
    text: asText(content),
    html: asHtml(content),
    autoSubmitted: 'auto-generated',
    attachments: [],
  } as const satisfies Partial<Message>;
}

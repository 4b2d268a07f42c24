import { type Content, renderHtml, renderText } from './layout.tsx';
import type { Message } from './mailer.ts';
import { MAX_COMPOSED_LENGTH, toSubject } from './subject.ts';

/** Composes a mail without a reply address; its title is also the subject. */
export function noReplyMail(content: Content & Readonly<{ title: string }>) {
  return {
    replyTo: null,
    subject: toSubject(content.title, MAX_COMPOSED_LENGTH),
    text: renderText(content),
    html: renderHtml(content),
    autoSubmitted: 'auto-generated',
    attachments: [],
  } as const satisfies Partial<Message>;
}

import { type Content, renderHtml, renderText } from './layout.tsx';
import type { Message } from './mailer.ts';
import { toSubject } from './subject.ts';

/** Composes a mail without a reply address; its title is also the subject. */
export function noReplyMail(content: Content & Readonly<{ title: string }>) {
  return {
    replyTo: null,
    subject: toSubject(content.title),
    text: renderText(content),
    html: renderHtml(content),
    autoSubmitted: 'auto-generated',
    attachments: [],
  } as const satisfies Partial<Message>;
}

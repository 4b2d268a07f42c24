/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { toSingleLine } from '../lib/one-line.ts';
import type { Delivery, Mailer } from '../mail/mailer.ts';

/** Words around a link, each one line. */
type LinkMail = Readonly<{ to: string; subject: string; before: string; url: string; after: string }>;

const LONGEST_SUBJECT = 150;

/**
 * Sends a link that lets its holder in. Not by the outbox: the link is in the mail and nowhere else. Never throws, and
 * takes no longer than a minute.
 */
export function sendLink(
  { mailer, sender }: Readonly<{ mailer: Mailer; sender: string }>,
  clock: Clock,
  { to, subject, before, url, after }: LinkMail,
): Promise<Delivery> {
  return mailer.send({
    to,
    replyTo: null,
    subject: toSingleLine(subject, LONGEST_SUBJECT),
    text: `${before}\n\n${url}\n\n${after}`,
    html: String(<LinkText before={before} url={url} after={after} />),
    messageId: `<${newId('mail')}@${sender.slice(sender.lastIndexOf('@') + 1)}>`,
    date: clock(),
    references: null,
    autoSubmitted: 'auto-generated',
    attachments: [],
  });
}

function LinkText({ before, url, after }: Pick<LinkMail, 'before' | 'url' | 'after'>) {
  return (
    <>
      <p>{before}</p>
      <p>
        <a href={url}>{url}</a>
      </p>
      <p>{after}</p>
    </>
  );
}

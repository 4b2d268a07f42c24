import type { SmtpSink } from '../support/smtp.ts';

/** The Message-IDs under which each post was mailed, by its number, once all of these were. */
export async function mailedPosts(smtp: SmtpSink, posts: ReadonlySet<string>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (let read = 0; ; await Bun.sleep(20)) {
    for (const { raw, messageId } of smtp.mails.slice(read)) {
      const n = /^subject: (\S+)/im.exec(raw.toString('latin1', 0, 5_000))?.[1] ?? '';
      found.set(n, [...(found.get(n) ?? []), messageId]);
      read++;
    }
    if (posts.isSubsetOf(found)) return found;
  }
}

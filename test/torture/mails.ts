import type { SmtpSink } from '../support/smtp.ts';

/** Longer than a mail waits whose first try has failed. */
const PATIENCE_MS = 120_000;

/**
 * The Message-IDs under which each post was mailed, by its number, once all of these were. Throws if no mail comes any more
 * before that.
 */
export async function mailedPosts(smtp: SmtpSink, posts: ReadonlySet<string>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  let latest = performance.now();
  for (let read = 0; ; await Bun.sleep(20)) {
    for (const { raw, messageId } of smtp.mails.slice(read)) {
      const n = /^subject: (\S+)/im.exec(raw.toString('latin1', 0, 5_000))?.[1] ?? '';
      found.set(n, [...(found.get(n) ?? []), messageId]);
      read++;
      latest = performance.now();
    }
    const missing = posts.difference(found);
    if (missing.size === 0) return found;
    if (performance.now() - latest > PATIENCE_MS) throw new Error(`not mailed: ${[...missing].join(', ')}`);
  }
}

import type { SmtpSink } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { WAIT_TIMEOUT_MS } from './harness.ts';

/**
 * Waits until all posts were mailed and returns their Message-IDs by post number. Throws if no mail arrives within the
 * timeout.
 */
export async function mailedPosts(smtp: SmtpSink, posts: ReadonlySet<string>): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (let read = 0; ; ) {
    for (const { raw, messageId } of smtp.mails.slice(read)) {
      const n = /^subject: (\S+)/im.exec(raw.toString('latin1', 0, 5_000))?.[1] ?? '';
      found.set(n, [...(found.get(n) ?? []), messageId]);
      read++;
    }
    const missing = posts.difference(found);
    if (missing.size === 0) return found;
    const some = [...missing].slice(0, 5).join(', ');
    await until(() => smtp.mails.length > read, `a mail of ${missing.size} posts, such as ${some}`, WAIT_TIMEOUT_MS);
  }
}

import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import type { SmtpSink } from '../../test/support/smtp.ts';
import { until } from '../../test/support/until.ts';
import { type TestData, WAIT_TIMEOUT_MS } from './harness.ts';

/**
 * Waits until every post was mailed or belongs to a digest, and returns the Message-IDs of the single mails by post
 * number. Throws if that takes longer than the timeout.
 */
export async function mailedPosts(
  smtp: SmtpSink,
  posts: ReadonlySet<string>,
  testData: TestData,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  let read = 0;
  const isComplete = () => {
    for (const { raw, messageId } of smtp.mails.slice(read)) {
      const n = /^subject: (\S+)/im.exec(raw.toString('latin1', 0, 5_000))?.[1] ?? '';
      if (posts.has(n)) found.set(n, [...(found.get(n) ?? []), messageId]);
      read++;
    }
    // A post whose deletion was not acknowledged counts as digested, but is not in `posts`.
    return posts.size - found.size <= countDigested(testData);
  };
  await until(isComplete, 'a mail or a digest for every post', WAIT_TIMEOUT_MS);
  return found;
}

/** Counts the submissions in sent digests and in the next one, which replace notifications beyond 60 an hour. */
function countDigested({ dataDir, formId }: TestData): number {
  const database = new Database(join(dataDir, 'formstead.db'), { readonly: true });
  database.run('PRAGMA busy_timeout = 5000');
  const counted = database
    .query<{ total: number }, [string]>(
      `SELECT count(*) AS total FROM submissions s JOIN forms f ON f.key = s.form_key
       WHERE f.id = ? AND s.is_spam = 0 AND (s.created_at >= f.digested_until OR EXISTS (
         SELECT 1 FROM outbox m WHERE m.form_id = f.id AND m.kind = 'digest' AND m.state = 'sent'
         AND s.created_at >= m.covers_from AND s.created_at < m.covers_until))`,
    )
    .get(formId);
  database.close();
  return counted?.total ?? 0;
}

import type { Receiver } from '../../test/support/receiver.ts';
import { until } from '../../test/support/until.ts';
import { WAIT_TIMEOUT_MS } from './harness.ts';

type Event = Readonly<{
  data: Readonly<{ submission: Readonly<{ created_at: string; data: Readonly<{ n: string }> }> }>;
}>;

/** Allows webhooks to receivers on this machine. */
export const LOCAL_WEBHOOKS = { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' };

/**
 * Waits until every post was delivered. Returns the `webhook-id`s by post number, and how many posts were first delivered
 * after a later one. Throws if that takes longer than the timeout.
 */
export async function deliveredPosts(receiver: Receiver, posts: ReadonlySet<string>) {
  const ids = new Map<string, string[]>();
  let [read, misplaced, latest] = [0, 0, ''];
  const isComplete = () => {
    for (; read < receiver.received.length; read++) {
      const { headers, body } = receiver.received[read] ?? { headers: new Headers(), body: '{}' };
      const { submission } = (JSON.parse(body) as Event).data;
      const known = ids.get(submission.data.n);
      if (known) known.push(headers.get('webhook-id') ?? '');
      else {
        ids.set(submission.data.n, [headers.get('webhook-id') ?? '']);
        if (submission.created_at < latest) misplaced += 1;
        else latest = submission.created_at;
      }
    }
    return posts.isSubsetOf(ids);
  };
  await until(isComplete, 'the delivery of every post', WAIT_TIMEOUT_MS);
  return { ids, misplaced };
}

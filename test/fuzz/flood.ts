import { type HostilePost, hostilePost } from './hostile.ts';
import { sendHostile } from './send.ts';

/** An answer that is neither yes nor the sender's fault, with the seed of its post. */
export type Failure = Readonly<{ seed: number; what: string; post?: HostilePost }>;

/** What a flood came to: how often each status was seen, and how many posts must be stored. */
export type Flood = Readonly<{ statuses: ReadonlyMap<number, number>; accepted: number; failures: readonly Failure[] }>;

type Options = Readonly<{
  url: string;
  formId: string;
  /** The post number n has the seed `seed + n`. */
  seed: number;
  count: number;
  /** Told after every post. */
  progress?: (sent: number) => void;
}>;

const AT_ONCE = 8;

/** Sends that many hostile posts, some at once, and waits for all answers. */
export async function flood({ url, formId, seed, count, progress = () => {} }: Options): Promise<Flood> {
  const statuses = new Map<number, number>();
  const failures: Failure[] = [];
  let accepted = 0;
  let sent = 0;
  const sendSome = async () => {
    while (sent < count) {
      const own = seed + sent++;
      const post = hostilePost(own);
      const status = await sendHostile(url, formId, post).catch((error: unknown) => String(error));
      if (typeof status === 'number') statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (!isFit(status, post)) failures.push({ seed: own, post, what: `answered with ${status}` });
      if (status === 200 && !post.isTrap) accepted++;
      progress(sent);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendSome));
  return { statuses, accepted, failures };
}

function isFit(status: number | string, { framing, isTrap }: HostilePost): boolean {
  if (typeof status === 'string') return false;
  if (framing === 'broken off') return status === 0;
  if (isTrap) return status === 200 || status === 415;
  return status === 200 || (status >= 400 && status < 500);
}

import { ok } from 'node:assert/strict';
import { showSpread, spreadOf } from '../../bench/report.ts';
import { type HostilePost, hostilePost } from '../hostile.ts';
import { PlainPosts } from '../plain-posts.ts';
import { sendHostile } from '../send.ts';
import { serverGround } from '../server-ground.ts';
import type { Target } from '../target.ts';

export const bodies: Target = {
  name: 'bodies',
  about: 'a post is stored or refused with a reason, while ordinary posts are accepted at the same time',
  inputs: 50_000,
  concurrency: 8,
  open: async () => {
    const ground = await serverGround();
    const plain = new PlainPosts(ground.url, ground.formId);
    return {
      check: async (prng) => {
        const post = hostilePost(prng);
        const status = await sendHostile(ground.url, ground.formId, post);
        if (status === 200 && !post.isTrap) ground.expect(1);
        ok(isFit(status, post), `answered with ${status}: ${JSON.stringify(post.headers)}`);
        return status === 0 ? 'they hung up' : String(status);
      },
      close: async () => {
        const times = await plain.stop().catch(async (error: unknown) => {
          await ground.close().catch(() => []);
          throw error;
        });
        ground.expect(times.length);
        const notes = await ground.close();
        return [
          ...notes,
          `A small post beside them took ${showSpread(spreadOf(times), 1)} ms; ${times.length} were sent.`,
        ];
      },
    };
  },
};

function isFit(status: number, { framing, isTrap }: HostilePost): boolean {
  if (framing === 'broken off') return status === 0;
  if (isTrap) return status === 200 || status === 415;
  return status === 200 || (status >= 400 && status < 500);
}

import { strictEqual } from 'node:assert/strict';
import { createApp } from '../../../src/app.ts';
import { startInstance } from '../../../test/support/instance.ts';
import { envelopeOf } from '../envelope.ts';
import { mutated } from '../mutations.ts';
import type { Choices, Prng } from '../prng.ts';
import type { Target } from '../target.ts';

const WORDS: Choices<string> = [
  'Bearer',
  'bearer ',
  'Basic ',
  'fs_live_',
  ' ',
  '\t',
  ',',
  ';',
  '"',
  '=',
  'x'.repeat(9_000),
];
const PATHS: Choices<string> = [
  '/v1/forms',
  '/v1/workspaces',
  '/v1/usage',
  '/v1/me',
  '/v1/webhooks/whk_x',
  '/v1/forms/frm_x',
  '/v1/submissions/sub_x',
];

export const keyHeader: Target = {
  name: 'key',
  about: 'only a complete key after `Bearer` gives access to the management API; all else gets 401',
  inputs: 80_000,
  open: async () => {
    let now = Date.now() * 1000;
    const instance = await startInstance({ clock: () => now });
    const { owner, makeKey } = instance;
    const app = createApp(instance.context);
    const expired = await makeKey(owner, 'read', now + 1);
    now += 1;
    const keys: Choices<string> = [owner.readKey, owner.writeKey, owner.readKey, expired.secret];
    const good = new Set([owner.readKey, owner.writeKey]);
    return {
      check: async (prng) => {
        const secret = prng.pick(keys);
        const sent = header(secret, prng);
        const path = prng.pick(PATHS);
        // A key outside the header must not be accepted.
        const query = prng.oneIn(10) ? `?access_token=${owner.readKey}&key=${owner.readKey}` : '';
        const request = new Request(
          `http://localhost${path}${query}`,
          sent === null ? {} : { headers: { Authorization: sent } },
        );
        const answer = await app.handle(request);
        const opens = good.has(/^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? '');
        if (opens) {
          strictEqual(answer.status, /_x$/.test(path) ? 404 : 200);
          return 'opened';
        }
        strictEqual(answer.status, 401);
        strictEqual(answer.headers.get('www-authenticate'), 'Bearer');
        await envelopeOf(answer);
        return 'refused';
      },
      close: async () => {
        await instance.stop();
        return [];
      },
    };
  },
};

/** Generates an Authorization header without bytes that are not allowed in one; null for no header. */
function header(secret: string, prng: Prng): string | null {
  if (prng.oneIn(20)) return null;
  const scheme = prng.pick(['Bearer ', 'Bearer ', 'bearer ', 'BEARER   ', 'Basic ', '', 'Bearer\t', 'Bearer Bearer ']);
  const text = mutated(Buffer.from(scheme + secret), prng, prng.below(3), WORDS);
  return text.toString('latin1').replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
}

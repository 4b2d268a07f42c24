import { afterAll, describe, expect, test } from 'bun:test';
import { hashSecret, newSecret } from '../../../src/domain/api-key.ts';
import { HOUR } from '../../../src/lib/clock.ts';
import { newId } from '../../../src/lib/ids.ts';
import { startInstance } from '../../support/instance.ts';
import { dataOf, TIMESTAMP } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, context, makeOwner } = instance;

const me = (key: string) => dataOf(api('GET', '/v1/me', { key }));

describe('GET /v1/me', () => {
  test('returns the key, its team and plan, for both scopes', async () => {
    const owner = await makeOwner('pro');
    for (const [scope, secret] of [
      ['read', owner.readKey],
      ['read_write', owner.writeKey],
    ] as const) {
      const shown = await me(secret);
      expect(Object.keys(shown)).toEqual(['id', 'name', 'scope', 'expires_at', 'team', 'plan', 'form_ids']);
      expect(shown).toMatchObject({ name: scope, scope, expires_at: null, plan: 'pro', form_ids: null });
      expect(shown.team).toEqual({ id: owner.teamId, name: 'Team' });
    }
  });

  test('returns the expiry', async () => {
    const { secret } = await instance.makeKey(instance.owner, 'read', context.clock() + HOUR);
    expect((await me(secret)).expires_at).toMatch(TIMESTAMP);
  });

  test('returns the forms that the key is limited to', async () => {
    const { teamId, form } = instance.owner;
    const secret = newSecret();
    const times = { createdAt: context.clock(), expiresAt: null, revokedAt: null, lastUsedAt: null };
    const key = { id: newId('key'), teamId, name: 'n8n', scope: 'read', formIds: [form.id], createdBy: null } as const;
    await context.store.keys.create({ ...key, ...times }, hashSecret(secret));
    expect((await me(secret)).form_ids).toEqual([form.id]);
  });

  test('contains no secret', async () => {
    expect(JSON.stringify(await me(instance.owner.readKey))).not.toContain('fs_live_');
  });
});

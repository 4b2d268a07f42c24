import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { PASSWORD, signIn } from './signed-in.ts';
import { settle, visitor } from './visitor.ts';

const instance = await startInstance();
afterAll(instance.stop);

/** Runs `work` and waits for `count` log lines: some are written after the response. */
async function logged(count: number, work: () => Promise<unknown>): Promise<Array<Record<string, unknown>>> {
  const before = instance.logs.length;
  await work();
  await until(() => instance.logs.length >= before + count, `${count} log lines`);
  return instance.logs.slice(before).map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('a logged refusal names', () => {
  test('the API key, even if it lacks the scope or is revoked', async () => {
    const { owner, api } = instance;
    const free = await instance.makeOwner('free');
    const [reading, revoked] = [await instance.makeKey(owner), await instance.makeKey(owner)];
    const planless = await instance.makeKey(free);
    await instance.context.store.keys.revoke(revoked.id, instance.context.clock());
    for (const [{ id, secret }, method, path, code] of [
      [reading, 'GET', '/v1/submissions/sub_none', 'not_found'],
      [reading, 'DELETE', '/v1/submissions/sub_none', 'read_only_key'],
      [revoked, 'GET', '/v1/usage', 'invalid_key'],
      [planless, 'GET', '/v1/usage', 'plan_without_api'],
    ] as const) {
      const lines = await logged(1, () => api(method, path, { key: secret }));
      expect(lines).toMatchObject([{ message: 'request refused', code, key: id }]);
    }
    const [unknown] = await logged(1, () => api('GET', '/v1/usage', { key: 'fs_live_nothing' }));
    expect(unknown).toMatchObject({ message: 'request refused', code: 'invalid_key' });
    expect(unknown).not.toHaveProperty('key');
    const all = instance.logs.join('');
    for (const { secret } of [reading, revoked, planless]) expect(all).not.toContain(secret.slice('fs_live_'.length));
  });

  test('the signed-in user, or nobody', async () => {
    const viewer = await signIn(instance, instance.owner, {}, 'viewer');
    expect(await logged(1, () => viewer.get('/dashboard/keys'))).toMatchObject([
      { message: 'request refused', code: 'role_forbids', user: viewer.user.id },
    ]);
    expect(await logged(1, () => viewer.get('/dashboard/submissions/sub_none'))).toMatchObject([
      { message: 'request refused', code: 'not_found', user: viewer.user.id },
    ]);
    const forged = { Origin: 'https://evil.example' };
    const [line] = await logged(1, () =>
      visitor(instance).post('/dashboard/sign-in', { email: 'a@example.com' }, forged),
    );
    expect(line).toMatchObject({ message: 'request refused' });
    expect(line).not.toHaveProperty('user');
    expect(instance.logs.join('')).not.toContain(viewer.cookie.split('=')[1]);
  });
});

test('failed and rate-limited sign-ins are logged with their account', async () => {
  const { email } = await settle(instance);
  const user = await instance.context.store.users.findByEmail(email);
  const stranger = visitor(instance);
  const lines = await logged(12, async () => {
    for (let n = 0; n < 12; n++) await stranger.post('/dashboard/sign-in', { email, password: `${PASSWORD} ${n}` });
  });
  const facts = { user: user?.id, request: expect.any(String) as unknown, address: '127.0.0.x' };
  for (const [message, count] of [
    ['sign-in failed', 10],
    ['sign-in rate limited', 2],
  ] as const) {
    const ofThem = lines.filter((line) => line.message === message);
    expect(ofThem).toHaveLength(count);
    for (const line of ofThem) expect(line).toMatchObject(facts);
  }
  expect(JSON.stringify(lines)).not.toContain(email);
  expect(JSON.stringify(lines)).not.toContain(PASSWORD);
});

test('wrong and rate-limited password confirmations are logged with their user', async () => {
  const owner = await signIn(instance, instance.owner);
  const lines = await logged(12, async () => {
    for (let n = 0; n < 12; n++) await owner.post('/dashboard/account/delete', { password: `${PASSWORD} ${n}` });
  });
  expect(lines.map(({ message }) => message)).toEqual([
    ...Array<string>(10).fill('a password confirmation was wrong'),
    ...Array<string>(2).fill('a password confirmation was refused after too many attempts'),
  ]);
  for (const line of lines) expect(line).toMatchObject({ user: owner.user.id, request: expect.any(String) as unknown });
  expect(JSON.stringify(lines)).not.toContain(owner.user.email);
  expect(JSON.stringify(lines)).not.toContain(PASSWORD);
});

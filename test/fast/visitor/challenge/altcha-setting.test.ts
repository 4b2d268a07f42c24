import { afterAll, describe, expect, test } from 'bun:test';
import type { Challenge } from 'altcha-lib';
import { startInstance } from '../../../support/instance.ts';
import { expectRefused } from '../helpers.ts';
import { challengeOf, guarded } from './solver.ts';

const SECOND = 1_000_000;
const NOW = Date.UTC(2100, 0, 1, 12) * 1_000 + 999_999;

const instance = await startInstance({ clock: () => NOW });
afterAll(instance.stop);

const ask = (id: string, headers: Record<string, string> = {}) =>
  instance.api('GET', `/v1/forms/${id}/challenge`, { headers });

test('a challenge contains its form, expires within an hour and is signed', async () => {
  const { form } = await guarded(instance);
  const answer = await ask(form.id);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json\b/);
  const { parameters, signature } = (await answer.json()) as Challenge;
  expect(parameters).toEqual({
    algorithm: 'PBKDF2/SHA-256',
    cost: 5_000,
    data: { form: form.id },
    expiresAt: Math.floor(NOW / SECOND) + 3_600,
    keyLength: 32,
    keyPrefix: '00',
    nonce: expect.stringMatching(/^[\da-f]{32}$/) as unknown as string,
    salt: expect.stringMatching(/^[\da-f]{32}$/) as unknown as string,
  });
  expect(signature).toMatch(/^[\da-f]{64}$/);
});

test('each challenge is different, by id and by short id', async () => {
  const { form } = await guarded(instance);
  const ids = [form.id, form.id, form.shortId];
  const challenges = await Promise.all(ids.map((id) => challengeOf(instance, id)));
  expect(new Set(challenges.map(({ parameters }) => parameters.nonce)).size).toBe(3);
  expect(challenges.map(({ parameters }) => parameters.data)).toEqual(Array(3).fill({ form: form.id }));
});

describe('a challenge is readable', () => {
  const ORIGIN = 'https://example.com';
  const readableBy = async (id: string, Origin: string) => {
    const { headers } = await ask(id, { Origin });
    return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
  };

  test('from any page', async () => {
    const { form } = await guarded(instance);
    expect(await readableBy(form.id, ORIGIN)).toEqual(['*', null]);
  });

  test('from the allowed origins only, if the form has any', async () => {
    const { form } = await guarded(instance, { allowedOrigins: [ORIGIN] });
    expect(await readableBy(form.id, ORIGIN)).toEqual([ORIGIN, null]);
    expect(await readableBy(form.id, 'https://evil.example')).toEqual([null, null]);
    expect((await ask(form.id, { Origin: ORIGIN })).headers.get('vary')).toContain('Origin');
  });
});

test.each(['frm_00000000000000000000000000000000', 'no-such-form', '%00'])(
  'answers 404 for the form %s',
  async (id) => {
    await expectRefused(await ask(id), 404, 'form_not_found');
  },
);

test('answers 404 for a form without a challenge, or with one of an external service', async () => {
  const service = { kind: 'turnstile', secret: 'secret', verifyUrl: null } as const;
  const served = await instance.makeForm(instance.owner, {}, service);
  for (const form of [instance.owner.form, served]) await expectRefused(await ask(form.id), 404, 'no_challenge');
});

test('supports GET only', async () => {
  const { form } = await guarded(instance);
  const answer = await fetch(`${instance.url}/v1/forms/${form.id}/challenge`, { method: 'POST' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

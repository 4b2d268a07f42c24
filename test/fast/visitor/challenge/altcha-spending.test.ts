import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startInstance } from '../../../support/instance.ts';
import { expectAccepted, expectNothingKept, expectRefused, kept, pause, used } from '../helpers.ts';
import { easyChallengeOf, easyToken, guarded, solutionOf, tokenOf } from './solver.ts';

const plans = '{"closed":{"api_access":true,"submissions_limit":0}}';
const instance = await startInstance({ env: { PLANS: plans } });
afterAll(instance.stop);

const post = (id: string, altcha: string, headers: Record<string, string> = {}) =>
  instance.post(id, { name: 'Ada', altcha }, headers);

describe('a solution is valid once', () => {
  test('regardless of the other fields of the second post', async () => {
    const owner = await guarded(instance);
    const { id, shortId } = owner.form;
    const altcha = await easyToken(instance, id);
    await expectAccepted(await post(id, altcha));
    await expectRefused(await post(id, altcha), 400, 'challenge_failed');
    await expectRefused(await post(shortId, altcha), 400, 'challenge_failed');
    await expectRefused(await instance.post(id, { other: 'x', altcha }), 400, 'challenge_failed');
    await expectRefused(await post(id, altcha, { 'Idempotency-Key': 'new' }), 400, 'challenge_failed');
    expect(await kept(instance, owner)).toHaveLength(1);
    expect(await used(instance, owner)).toBe(1);
  });

  test('in any encoding, and also with another solution of the same challenge', async () => {
    const owner = await guarded(instance);
    const challenge = await easyChallengeOf(instance, owner.form.id);
    const solution = await solutionOf(challenge);
    await expectAccepted(await post(owner.form.id, tokenOf(challenge, solution)));
    const second = await solutionOf(challenge, solution.counter + 1);
    const { parameters, signature } = challenge;
    const turned = { signature, parameters: Object.fromEntries(Object.entries(parameters).reverse()) };
    const tokens = [
      tokenOf(challenge, second),
      tokenOf(turned, solution),
      tokenOf({ ...challenge, more: 1 }, { ...solution, more: 1 }),
      ` ${tokenOf(challenge, solution)} `,
      tokenOf(challenge, solution).replaceAll('=', ''),
    ];
    for (const token of tokens) await expectRefused(await post(owner.form.id, token), 400, 'challenge_failed');
    expect(await kept(instance, owner)).toHaveLength(1);
  });

  test('in a hundred concurrent posts', async () => {
    const owner = await guarded(instance);
    const token = await easyToken(instance, owner.form.id);
    const posts = Array.from({ length: 100 }, () => post(owner.form.id, token));
    const statuses = (await Promise.all(posts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array<number>(99).fill(400)]);
    expect(await kept(instance, owner)).toHaveLength(1);
    expect(await used(instance, owner)).toBe(1);
  });

  test('and files of the second post are not stored', async () => {
    const owner = await guarded(instance);
    const filesDir = join(instance.dataDir, 'files');
    const countFiles = () => readdirSync(filesDir, { recursive: true, withFileTypes: true }).filter((e) => e.isFile());
    const body = new FormData();
    body.set('cv', new File(['%PDF-1.7'], 'cv.pdf'));
    body.set('altcha', await easyToken(instance, owner.form.id));
    await expectAccepted(await instance.post(owner.form.id, body));
    const files = countFiles();
    await expectRefused(await instance.post(owner.form.id, body), 400, 'challenge_failed');
    expect(countFiles()).toEqual(files);
  });

  test('but a retry with the same Idempotency-Key gets the first response', async () => {
    const owner = await guarded(instance);
    const token = await easyToken(instance, owner.form.id);
    const once = { 'Idempotency-Key': 'once' };
    for (let time = 0; time < 3; time++) await expectAccepted(await post(owner.form.id, token, once));
    expect(await kept(instance, owner)).toHaveLength(1);
    expect(await used(instance, owner)).toBe(1);
  });
});

describe('a solution is not spent by a post that', () => {
  const required = [{ name: 'email', label: 'E-mail', type: 'email', required: true }];

  test('breaks a rule, is empty or fills in a honeypot', async () => {
    const owner = await guarded(instance, { fields: required, enforcesRules: true });
    const { id } = owner.form;
    const altcha = await easyToken(instance, id);
    await expectRefused(await instance.post(id, { altcha }), 400, 'empty_submission');
    expect((await instance.post(id, { name: 'Ada', altcha })).status).toBe(400);
    await expectAccepted(await instance.post(id, { email: 'ada@example.com', _honey: 'x', altcha }));
    await expectNothingKept(instance, owner);
    await expectAccepted(await instance.post(id, { email: 'ada@example.com', altcha }));
    expect(await kept(instance, owner)).toEqual([[['email', 'ada@example.com']]]);
  });

  test('is over the cap or goes to a paused form', async () => {
    const owner = await guarded(instance);
    const { store } = instance.context;
    const token = await easyToken(instance, owner.form.id);
    await store.teams.update(owner.teamId, { plan: 'closed' });
    await expectRefused(await post(owner.form.id, token), 429, 'submission_cap_reached');
    await store.teams.update(owner.teamId, { plan: 'unlimited' });
    await pause(instance, owner);
    await expectRefused(await post(owner.form.id, token), 403, 'form_paused');
    await store.forms.update(owner.form.id, { isActive: true });
    await expectAccepted(await post(owner.form.id, token));
    expect(await kept(instance, owner)).toHaveLength(1);
  });
});

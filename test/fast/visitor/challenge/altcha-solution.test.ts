import { afterAll, describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { type Challenge, createChallenge, type Solution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { startInstance } from '../../../support/instance.ts';
import { ENCODINGS, expectAccepted, expectNothingKept, expectRefused, kept, send, used } from '../helpers.ts';
import { challengeOf, easyChallengeOf, easyToken, guarded, solutionOf, solvedToken, tokenOf } from './solver.ts';

const SECOND = 1_000_000;

let now = Date.now() * 1_000;
const instance = await startInstance({ clock: () => now });
afterAll(instance.stop);

const owner = await guarded(instance);
const { form } = owner;
const post = (altcha: unknown, id = form.id) => instance.post(id, { name: 'Ada', altcha });

describe('a solution', () => {
  test.each(ENCODINGS)('is accepted with %s and not stored', async (_name, encode) => {
    const one = await guarded(instance);
    const token = await easyToken(instance, one.form.id);
    await expectAccepted(await send(instance, one, encode(Object.entries({ name: 'Ada', altcha: token }))));
    expect(await kept(instance, one)).toEqual([[['name', 'Ada']]]);
    expect(await used(instance, one)).toBe(1);
  });

  test('is accepted under any token name', async () => {
    const one = await guarded(instance);
    const token = await solvedToken(instance, one.form.shortId);
    await expectAccepted(await instance.post(one.form.shortId, { name: 'Ada', 'captcha-response': token }));
  });

  test('is required', async () => {
    await expectRefused(await instance.post(form.id, { name: 'Ada' }), 400, 'challenge_missing');
    await expectRefused(await post(''), 400, 'challenge_missing');
    await expectNothingKept(instance, owner);
  });
});

test('a solution is valid until its challenge expires', async () => {
  const one = await guarded(instance);
  const challenge = await easyChallengeOf(instance, one.form.id);
  const late = await easyToken(instance, one.form.id);
  const token = tokenOf(challenge, await solutionOf(challenge));
  const [before, end] = [now, Number(challenge.parameters.expiresAt) * SECOND];
  now = end - 1;
  await expectAccepted(await post(token, one.form.id));
  now = end;
  await expectRefused(await post(late, one.form.id), 400, 'challenge_failed');
  now = before;
  expect(await kept(instance, one)).toHaveLength(1);
});

describe('nothing is stored', () => {
  /** Solution shared by all tests, because a refused solution is not spent. */
  const genuine = challengeOf(instance, form.id).then(async (challenge) => ({
    challenge,
    solution: await solutionOf(challenge),
  }));
  const refused = async (altcha: unknown) => {
    await expectRefused(await post(altcha), 400, 'challenge_failed');
    await expectNothingKept(instance, owner);
  };

  test("with a solution for another form, under either form's id", async () => {
    const other = await guarded(instance);
    const challenge = await easyChallengeOf(instance, other.form.id);
    const solution = await solutionOf(challenge);
    await refused(tokenOf(challenge, solution));
    const renamed = { ...challenge.parameters, data: { form: form.id } };
    await refused(tokenOf({ ...challenge, parameters: renamed }, solution));
    await expectAccepted(await post(tokenOf(challenge, solution), other.form.id));
  });

  test.each([
    ['a lower cost', { cost: 1 }],
    ['a shorter prefix', { keyPrefix: '0' }],
    ['another prefix', { keyPrefix: 'f' }],
    ['a shorter key', { keyLength: 1 }],
    ['a later expiry', { expiresAt: 4_000_000_000 }],
    ['another salt', { salt: '00' }],
    ['another nonce', { nonce: '00' }],
    ['an additional parameter', { keySignature: '00' }],
  ])('if the challenge was changed to %s and then solved', async (_what, change) => {
    const { challenge, solution } = await genuine;
    const { parameters, signature = '' } = challenge;
    const eased = { parameters: { ...parameters, cost: 1, keyPrefix: '0', ...change }, signature } as Challenge;
    await refused(tokenOf(eased, await solutionOf(eased)));
    const changed = { parameters: { ...parameters, ...change }, signature };
    await refused(tokenOf(changed, solution));
  });

  test.each(['secret', 'altcha', 'challenges', '0'.repeat(64)])(
    'if the challenge was signed with %j',
    async (secret) => {
      const expiresAt = Math.floor(Date.now() / 1_000) + 600;
      const own = await createChallenge({
        ...{ algorithm: 'PBKDF2/SHA-256', cost: 1, deriveKey, data: { form: form.id }, expiresAt },
        hmacSignatureSecret: secret,
      });
      await refused(tokenOf(own, await solutionOf(own)));
      const { challenge, solution } = await genuine;
      const signature = createHmac('sha256', secret).update(JSON.stringify(challenge.parameters)).digest('hex');
      await refused(tokenOf({ ...challenge, signature }, solution));
    },
  );

  test('without a signature', async () => {
    const { challenge, solution } = await genuine;
    const { parameters, signature = '' } = challenge;
    for (const without of [{ parameters }, { parameters, signature: '' }, { parameters, signature: null }]) {
      await refused(tokenOf(without, solution));
    }
    await refused(tokenOf({ parameters, signature: signature.toUpperCase() }, solution));
  });

  test('with a wrong counter or a wrong derived key', async () => {
    const { challenge, solution: solved } = await genuine;
    const { counter, derivedKey } = solved;
    const unsolving = await unsolvingFrom(challenge, counter + 1);
    const wrong = [
      unsolving,
      { counter: unsolving.counter, derivedKey },
      { counter, derivedKey: unsolving.derivedKey },
      { counter, derivedKey: derivedKey.toUpperCase() },
      { counter, derivedKey: '00' },
      { counter, derivedKey: '' },
      { counter: counter + 2 ** 32, derivedKey },
      { counter: counter - 2 ** 32, derivedKey },
      { counter: counter + 0.5, derivedKey },
      { counter: String(counter), derivedKey },
      { counter: null, derivedKey },
      { counter },
      { derivedKey },
      {},
      null,
      [counter, derivedKey],
    ];
    for (const solution of wrong) await refused(tokenOf(challenge, solution));
    await refused(tokenOf(challenge, undefined));
  });

  test.each([
    ['not base64', '{}'],
    ['a number', btoa('7')],
    ['null', btoa('null')],
    ['an array', btoa('[]')],
    ['an object', btoa('{}')],
    ['not JSON', btoa('{"challenge":')],
    ['the shape of version 1', btoa('{"algorithm":"SHA-256","challenge":"00","number":1,"salt":"x","signature":"x"}')],
    ['null inside', tokenOf(null, null)],
    ['null at a deeper level', tokenOf({ parameters: null, signature: 'x' }, { counter: 1, derivedKey: '00' })],
    ['a prototype', btoa('{"__proto__":{"challenge":1},"constructor":1}')],
    ['zeros', '\0'.repeat(300)],
    ['emoji', '😀'.repeat(300)],
    ['deep nesting', btoa('['.repeat(1_000) + ']'.repeat(1_000))],
    ['deeper nesting', btoa(`${'{"challenge":'.repeat(9_000)}1${'}'.repeat(9_000)}`)],
    ['200 KiB', 'A'.repeat(200 * 1024)],
  ])('with a token that is %s', async (_what, token) => {
    await refused(token);
  });

  test('with a solution beside much other data', async () => {
    const { challenge, solution } = await genuine;
    await refused(tokenOf(challenge, { ...solution, more: 'x'.repeat(4_096) }));
  });

  test('with a challenge that has deeply nested additional parameters', async () => {
    const { challenge, solution } = await genuine;
    const deep = JSON.stringify(challenge.parameters).replace('{', `{"a":${'['.repeat(1_000)}${']'.repeat(1_000)},`);
    const { signature } = challenge;
    const text = `{"challenge":{"parameters":${deep},"signature":"${signature}"},"solution":${JSON.stringify(solution)}}`;
    await refused(btoa(text));
  });

  test('until the unchanged solution is sent', async () => {
    const { challenge, solution } = await genuine;
    await expectAccepted(await post(tokenOf(challenge, solution)));
    expect(await kept(instance, owner)).toEqual([[['name', 'Ada']]]);
  });
});

/** Returns the first counter from `counter` on that is no solution, with its derived key. */
async function unsolvingFrom(challenge: Challenge, counter: number): Promise<Solution> {
  const derivedKey = await keyOf(challenge, counter);
  return derivedKey.startsWith('00') ? unsolvingFrom(challenge, counter + 1) : { counter, derivedKey };
}

async function keyOf({ parameters }: Challenge, counter: number): Promise<string> {
  const password = Buffer.concat([Buffer.from(parameters.nonce, 'hex'), Buffer.alloc(4)]);
  password.writeUInt32BE(counter, password.length - 4);
  const { derivedKey } = await deriveKey(parameters, Buffer.from(parameters.salt, 'hex'), password);
  return Buffer.from(derivedKey).toString('hex');
}

import { afterAll, describe, expect, test } from 'bun:test';
import { ChallengeServices } from '../../../../src/intake/challenge/siteverify.ts';
import { proxiesOf } from '../../../../src/lib/proxies.ts';
import { SsrfGuard } from '../../../../src/lib/ssrf-guard.ts';
import { startInstance } from '../../../support/instance.ts';
import { until } from '../../../support/until.ts';
import { expectAccepted, expectNothingKept, expectRefused, kept } from '../helpers.ts';
import { guardedBy, logOf, postToken, SECRET, saying, startService, TOKEN, yes } from './service.ts';
import { startWire } from './wire-service.ts';

/** Has a deadline that no test reaches, however slow the machine. */
const instance = await startInstance({ challengeMs: 3_600_000 });
const hurried = await startInstance({ challengeMs: 100 });
const service = startService();
afterAll(async () => {
  await Promise.all([instance.stop(), hurried.stop()]);
  await service.stop();
});

/** Nothing is kept or counted, the visitor may try again, and the log says why and no secret. */
async function expectUnavailable(url: string, reason: string | RegExp, by = instance): Promise<void> {
  const owner = await guardedBy(by, { url });
  const answer = await postToken(by, owner);
  await expectRefused(answer, 500, 'challenge_unavailable');
  await expectNothingKept(by, owner);
  const error = expect.stringMatching(new RegExp(`^ChallengeServiceError ${new RegExp(reason).source}$`)) as unknown;
  expect(logOf(by, answer)).toMatchObject({ level: 'error', code: 'challenge_unavailable', error });
  const logged = by.logs.join('');
  expect([logged.includes(SECRET), logged.includes(TOKEN)]).toEqual([false, false]);
}

const MORE_THAN_AN_ANSWER = ' '.repeat(1024 * 1024);

/** Repeats a piece until the reader has gone. */
function endless(piece: string): Response {
  const bytes = new TextEncoder().encode(piece);
  return new Response(
    new ReadableStream({
      pull: async (controller) => {
        // Leaves the reader time to read; how much decides nothing.
        await Bun.sleep(10);
        controller.enqueue(bytes);
      },
    }),
  );
}

describe('nothing is kept while the service', () => {
  test.each([
    ['is not JSON', 'yes'],
    ['is a page', '<!doctype html><title>Error</title>'],
    ['is empty', ''],
    ['is cut off', '{"success":true'],
    ['has a success in words', '{"success":"true"}'],
    ['has a success in numbers', '{"success":1}'],
    ['has no success', '{"hostname":"example.com"}'],
    ['is an array', '[{"success":true}]'],
    ['is null', 'null'],
    ['is true', 'true'],
    ['has a host that is none', '{"success":true,"hostname":["example.com"]}'],
    ['has error codes that are none', '{"success":true,"error-codes":"none"}'],
  ])('gives an answer that %s', async (_what, text) => {
    await expectUnavailable(service.desk(saying(text)).url, 'HTTP 200, not a siteverify response');
  });

  test.each([500, 502, 503, 429])('answers with HTTP %i, whatever it says', async (status) => {
    await expectUnavailable(service.desk(saying('{"success":true}', status)).url, `HTTP ${status}`);
    await expectUnavailable(service.desk(saying('{"success":false}', status)).url, `HTTP ${status}`);
  });

  test.each([400, 404, 201])('says yes with HTTP %i', async (status) => {
    await expectUnavailable(service.desk(saying('{"success":true}', status)).url, `HTTP ${status} with a success`);
  });

  test.each([301, 302, 303, 307, 308])('sends us elsewhere with HTTP %i, where we do not go', async (status) => {
    const elsewhere = service.desk(yes);
    const desk = service.desk(() => new Response('{"success":true}', { status, headers: { Location: elsewhere.url } }));
    await expectUnavailable(desk.url, `HTTP ${status}`);
    expect(elsewhere.asked).toEqual([]);
  });

  test.each([
    'missing-input-secret',
    'invalid-input-secret',
    'sitekey-secret-mismatch',
    'not-using-dummy-secret',
    'invalid-keys',
    'bad-request',
    'internal-error',
  ])('blames our set-up with %s', async (code) => {
    const codes = ['invalid-input-response', code];
    const answer = saying(JSON.stringify({ success: false, 'error-codes': codes }), 400);
    await expectUnavailable(service.desk(answer).url, code);
  });

  test.each([403, 404])('blames our set-up as Cap does, with HTTP %i', async (status) => {
    const answer = saying('{"success":false,"error":"Invalid site key or secret"}', status);
    await expectUnavailable(service.desk(answer).url, 'Invalid site key or secret');
  });

  test.each([
    ['declared', () => new Response(`{"success":true}${MORE_THAN_AN_ANSWER}`)],
    ['compressed', () => new Response(Bun.gzipSync(MORE_THAN_AN_ANSWER), { headers: { 'Content-Encoding': 'gzip' } })],
    ['without an end', () => endless(MORE_THAN_AN_ANSWER)],
  ])('gives a huge answer, %s', async (_how, answer) => {
    await expectUnavailable(service.desk(answer).url, 'response too large');
  });

  test.each<[string, () => Response | Promise<Response>]>([
    ['no answer', () => new Promise(() => {})],
    ['an answer that never ends', () => endless(' ')],
  ])('gives %s before the deadline', async (_what, answer) => {
    await expectUnavailable(service.desk(answer).url, 'no response in time', hurried);
  });

  test('answers with HTTP 503 and a body that never ends', async () => {
    const failing = service.desk(() => new Response(endless(' ').body, { status: 503 }));
    await expectUnavailable(failing.url, 'HTTP 503');
  });

  test('is down', async () => {
    const gone = startService();
    const { url } = gone.desk(yes);
    await gone.stop();
    await expectUnavailable(url, 'connection failed');
  });

  test('speaks no TLS where it should', async () => {
    await expectUnavailable(service.desk(yes).url.replace('http:', 'https:'), 'connection failed');
  });

  test.each([
    ['before it answers', ''],
    ['in the head', 'HTTP/1.1 200 OK\r\nContent-'],
    ['in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"success":true}'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"success":true}\r\n'],
    ['after words that are not HTTP', '{"success":true}\r\n\r\n'],
  ])('breaks off %s', async (_where, bytes) => {
    using wire = startWire(bytes);
    await expectUnavailable(wire.url, 'connection failed');
  });
});

test('a service whose name cannot be resolved cannot be reached', async () => {
  const destinations = new SsrfGuard([], () => Promise.reject(new Error('ENOTFOUND')));
  const services = new ChallengeServices(destinations, proxiesOf({}));
  const question = { url: 'http://nowhere.invalid/siteverify', secret: SECRET, token: TOKEN, hostnames: [] };
  await expect(services.verify(question)).rejects.toThrow('connection failed');
});

test('an Idempotency-Key is not used up by what was not kept', async () => {
  const answers = [saying('', 503), saying('{"success":false}'), yes];
  const desk = service.desk(() => (answers.shift() ?? yes)());
  const owner = await guardedBy(instance, desk);
  const codes: number[] = [];
  for (const token of ['first', 'second', 'third', 'fourth']) {
    codes.push((await postToken(instance, owner, token, { 'Idempotency-Key': 'once' })).status);
  }
  expect(codes).toEqual([500, 400, 200, 200]);
  expect(desk.asked).toHaveLength(3);
  expect(await kept(instance, owner)).toEqual([[['name', 'Ada']]]);
});

test('fifty posts that wait for a silent service keep no one else waiting', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const silent = service.desk(async () => {
    await released;
    return saying('', 503)();
  });
  const [waiting, guarded] = [await guardedBy(instance, silent), await guardedBy(instance, service.desk(yes))];
  let answered = 0;
  const posts = Array.from({ length: 50 }, async () => {
    const { status } = await postToken(instance, waiting);
    answered += 1;
    return status;
  });
  await until(() => silent.asked.length === 50, 'the service to be asked by all posts');
  await expectAccepted(await postToken(instance, guarded));
  await expectAccepted(await instance.post(instance.owner.form.id, { name: 'Ada' }));
  expect(answered).toBe(0);
  release();
  expect(new Set(await Promise.all(posts))).toEqual(new Set([500]));
  await expectNothingKept(instance, waiting);
});

test('of the posts to a silent service only so many wait: the next is told at once, and works again afterwards', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const silent = service.desk(async () => {
    await released;
    return yes();
  });
  const owner = await guardedBy(instance, silent);
  const waiting = Array.from({ length: 64 }, () => postToken(instance, owner));
  await until(() => silent.asked.length === 64, 'the service to be asked by all posts');
  await expectRefused(await postToken(instance, owner), 500, 'challenge_unavailable');
  expect(silent.asked).toHaveLength(64);
  release();
  for (const answer of await Promise.all(waiting)) await expectAccepted(answer);
  await expectAccepted(await postToken(instance, owner));
});

import { afterAll, describe, expect, test } from 'bun:test';
import { ChallengeServices } from '../../../../src/intake/challenge/siteverify.ts';
import { OutgoingShares } from '../../../../src/lib/outgoing-shares.ts';
import { readProxies } from '../../../../src/lib/proxies.ts';
import { SsrfGuard } from '../../../../src/lib/ssrf-guard.ts';
import { startInstance } from '../../../support/instance.ts';
import { until } from '../../../support/until.ts';
import { expectAccepted, expectNothingKept, expectRefused, kept } from '../helpers.ts';
import { guardedBy, logOf, postToken, SECRET, saying, startService, TOKEN, yes } from './service.ts';
import { startWire } from './wire-service.ts';

/** An instance with a timeout that no test reaches, even on a slow machine. */
const instance = await startInstance({ challengeMs: 3_600_000 });
const hurried = await startInstance({ challengeMs: 100 });
const service = startService();
afterAll(async () => {
  await Promise.all([instance.stop(), hurried.stop()]);
  await service.stop();
});

/** Expects that nothing is stored or counted, the refusal allows a retry, and the log has the reason but no secret. */
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

/** Repeats a piece until the reader disconnects. */
function endless(piece: string): Response {
  const bytes = new TextEncoder().encode(piece);
  return new Response(
    new ReadableStream({
      pull: async (controller) => {
        // Give the reader time to read; the length of the pause does not matter.
        await Bun.sleep(10);
        controller.enqueue(bytes);
      },
    }),
  );
}

describe('nothing is stored if the service', () => {
  test.each([
    ['is not JSON', 'yes'],
    ['is an HTML page', '<!doctype html><title>Error</title>'],
    ['is empty', ''],
    ['is truncated', '{"success":true'],
    ['has success as a string', '{"success":"true"}'],
    ['has success as a number', '{"success":1}'],
    ['lacks success', '{"hostname":"example.com"}'],
    ['is an array', '[{"success":true}]'],
    ['is null', 'null'],
    ['is true', 'true'],
    ['has an invalid host name', '{"success":true,"hostname":["example.com"]}'],
    ['has invalid error codes', '{"success":true,"error-codes":"none"}'],
  ])('sends a response that %s', async (_what, text) => {
    await expectUnavailable(service.desk(saying(text)).url, 'HTTP 200, not a siteverify response');
  });

  test.each([500, 502, 503, 429])('responds with HTTP %i and any body', async (status) => {
    await expectUnavailable(service.desk(saying('{"success":true}', status)).url, `HTTP ${status}`);
    await expectUnavailable(service.desk(saying('{"success":false}', status)).url, `HTTP ${status}`);
  });

  test.each([400, 404, 201])('reports success with HTTP %i', async (status) => {
    await expectUnavailable(service.desk(saying('{"success":true}', status)).url, `HTTP ${status} with a success`);
  });

  test.each([301, 302, 303, 307, 308])('redirects with HTTP %i, which is not followed', async (status) => {
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
  ])('reports a configuration error with %s', async (code) => {
    const codes = ['invalid-input-response', code];
    const answer = saying(JSON.stringify({ success: false, 'error-codes': codes }), 400);
    await expectUnavailable(service.desk(answer).url, code);
  });

  test.each([403, 404])('reports a configuration error like Cap, with HTTP %i', async (status) => {
    const answer = saying('{"success":false,"error":"Invalid site key or secret"}', status);
    await expectUnavailable(service.desk(answer).url, 'Invalid site key or secret');
  });

  test.each([
    ['declared', () => new Response(`{"success":true}${MORE_THAN_AN_ANSWER}`)],
    ['without an end', () => endless(MORE_THAN_AN_ANSWER)],
  ])('sends a huge response, %s', async (_how, answer) => {
    await expectUnavailable(service.desk(answer).url, 'response too large');
  });

  test('answers compressed: that was not asked for, and is not decompressed', async () => {
    const packed = Bun.gzipSync(JSON.stringify({ success: true }));
    const desk = service.desk(() => new Response(packed, { headers: { 'Content-Encoding': 'gzip' } }));
    await expectUnavailable(desk.url, 'HTTP 200, not a siteverify response');
    expect(desk.asked.map(({ headers }) => headers.get('accept-encoding'))).toEqual(['identity']);
  });

  test.each<[string, () => Response | Promise<Response>]>([
    ['no response', () => new Promise(() => {})],
    ['an endless response', () => endless(' ')],
  ])('sends %s before the timeout', async (_what, answer) => {
    await expectUnavailable(service.desk(answer).url, 'no response in time', hurried);
  });

  test('responds with HTTP 503 and an endless body', async () => {
    const failing = service.desk(() => new Response(endless(' ').body, { status: 503 }));
    await expectUnavailable(failing.url, 'HTTP 503');
  });

  test('is down', async () => {
    const gone = startService();
    const { url } = gone.desk(yes);
    await gone.stop();
    await expectUnavailable(url, 'connection failed');
  });

  test('does not speak TLS on an https address', async () => {
    await expectUnavailable(service.desk(yes).url.replace('http:', 'https:'), 'connection failed');
  });

  test.each([
    ['before it responds', ''],
    ['in the headers', 'HTTP/1.1 200 OK\r\nContent-'],
    ['in the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"success":true}'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"success":true}\r\n'],
    ['after text that is not HTTP', '{"success":true}\r\n\r\n'],
  ])('disconnects %s', async (_where, bytes) => {
    using wire = startWire(bytes);
    await expectUnavailable(wire.url, 'connection failed');
  });
});

test('a host name that cannot be resolved is reported as a failed connection', async () => {
  const destinations = new SsrfGuard({ allowedPrivateHosts: [] }, () => Promise.reject(new Error('ENOTFOUND')));
  const services = new ChallengeServices({
    ssrfGuard: destinations,
    proxies: readProxies({}),
    shares: new OutgoingShares(),
  });
  const question = { url: 'http://nowhere.invalid/siteverify', secret: SECRET, token: TOKEN, hostnames: [] };
  await expect(services.verify('team', question)).rejects.toThrow('connection failed');
});

test('an Idempotency-Key stays unused if nothing was stored', async () => {
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

test('thirty posts waiting for a silent service do not delay other posts', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const silent = service.desk(async () => {
    await released;
    return saying('', 503)();
  });
  const [waiting, guarded] = [await guardedBy(instance, silent), await guardedBy(instance, service.desk(yes))];
  let answered = 0;
  const posts = Array.from({ length: 30 }, async () => {
    const { status } = await postToken(instance, waiting);
    answered += 1;
    return status;
  });
  await until(() => silent.asked.length === 30, 'the service to be called for all posts');
  await expectAccepted(await postToken(instance, guarded));
  await expectAccepted(await instance.post(instance.owner.form.id, { name: 'Ada' }));
  expect(answered).toBe(0);
  release();
  expect(new Set(await Promise.all(posts))).toEqual(new Set([500]));
  await expectNothingKept(instance, waiting);
});

test('at most 32 posts of a team wait for a silent service: further ones are refused at once, other teams go on, and all are accepted again afterwards', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const silent = service.desk(async () => {
    await released;
    return yes();
  });
  const owner = await guardedBy(instance, silent);
  const waiting = Array.from({ length: 32 }, () => postToken(instance, owner));
  await until(() => silent.asked.length === 32, 'the service to be called for all posts');
  await expectRefused(await postToken(instance, owner), 500, 'challenge_unavailable');
  expect(silent.asked).toHaveLength(32);
  await expectAccepted(await postToken(instance, await guardedBy(instance, service.desk(yes))));
  release();
  for (const answer of await Promise.all(waiting)) await expectAccepted(answer);
  await expectAccepted(await postToken(instance, owner));
});

import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import { BodyMemory } from '../../../src/http/body-memory.ts';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { signIn } from '../dashboard/signed-in.ts';
import { parseExposition } from '../instance/exposition.ts';
import { multipart, URLENCODED } from './helpers.ts';
import { chunked, exchange, head } from './wire.ts';

const EN = CATALOG.textsIn('en');

const MiB = 1024 * 1024;
const QUARTER = MiB / 4;

const instance = await startInstance({
  env: { TRUSTED_PROXIES: '127.0.0.1', BODY_MEMORY_BYTES: String(MiB) },
  config: { bodySeconds: 0.2 },
});
const slow = await startInstance({ env: { TRUSTED_PROXIES: '127.0.0.1', BODY_MEMORY_BYTES: String(MiB) } });
afterAll(() => Promise.all([instance.stop(), slow.stop()]));

const from = (client: string) => `X-Forwarded-For: ${client}`;

/** Returns an urlencoded body of exactly `length` bytes, whose values are within their limit. */
function bodyOf(length: number): string {
  const fields = Array.from({ length: Math.ceil(length / 100_000) }, (_, index) =>
    `&f${index}=`.padEnd(Math.min(100_000, length - index * 100_000), 'a'),
  );
  return fields.join('');
}

/** Waits until unfinished bodies hold `bytes` of memory. */
const untilHeld = (of: typeof instance, bytes: number) =>
  until(async () => {
    const { values } = parseExposition(await (await fetch(`${of.url}/metrics`)).text());
    return values.get('formstead_body_memory_bytes') === bytes;
  }, `${bytes} bytes of memory to be held`);

/** Starts a post of `length` bytes whose last byte is missing. */
function startPost(of: typeof instance, client: string, length: number) {
  const last = Promise.withResolvers<string>();
  const start = head(of.owner.form.id, `Content-Type: ${URLENCODED}`, `Content-Length: ${length}`, from(client));
  const answer = exchange(of, start + bodyOf(length).slice(0, -1), () => last.promise);
  return { answer, finish: () => last.resolve('a') };
}

const post = (of: typeof instance, client: string, length: number) =>
  of.post(of.owner.form.id, bodyOf(length), { 'Content-Type': URLENCODED, 'X-Forwarded-For': client });

/** Posts a body as large as all the memory, which is refused as long as any other body holds some. */
const isFree = async (of: typeof instance) => (await post(of, '192.0.2.99', MiB)).status === 200;

describe('the memory for request bodies', () => {
  test('is a quarter for one client: a further post gets 503 with Retry-After, others are accepted', async () => {
    const { answer, finish } = startPost(slow, '192.0.2.1', QUARTER - 1000);
    await untilHeld(slow, QUARTER - 1000);
    const refused = await post(slow, '192.0.2.1', 2000);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toEqual({
      success: false,
      message: 'The server is receiving too many requests at once. Try again in a few seconds.',
      code: 'server_busy',
    });
    expect((await post(slow, '192.0.2.1', 900)).status).toBe(200);
    expect((await post(slow, '192.0.2.2', 2000)).status).toBe(200);
    finish();
    expect((await answer).status).toBe(200);
    expect(await isFree(slow)).toBe(true);
  });

  test('is half for all clients of an IPv6 /48', async () => {
    const held = [startPost(slow, '2001:db8:1:1::1', QUARTER), startPost(slow, '2001:db8:1:2::1', QUARTER)];
    await untilHeld(slow, 2 * QUARTER);
    expect((await post(slow, '2001:db8:1:3::1', 100)).status).toBe(503);
    expect((await post(slow, '2001:db8:2:1::1', QUARTER)).status).toBe(200);
    for (const { finish } of held) finish();
    await Promise.all(held.map(({ answer }) => answer));
    expect(await isFree(slow)).toBe(true);
  });

  test('is limited for all clients together, on pages and in the API too', async () => {
    const { writeKey, form } = slow.owner;
    const me = await signIn(slow, slow.owner);
    const clients = [1, 2, 3, 4].map((last) => `192.0.2.${last}`);
    const held = clients.map((client) => startPost(slow, client, QUARTER));
    await untilHeld(slow, MiB);
    expect((await post(slow, '192.0.2.5', 1)).status).toBe(503);
    const patched = await slow.api('PATCH', `/v1/forms/${form.id}`, { key: writeKey, body: { isActive: true } });
    expect([patched.status, patched.headers.get('retry-after')]).toEqual([503, '5']);
    const saved = await me.post('/dashboard/account/preferences', { language: 'en' });
    expect([saved.status, saved.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await saved.text()).toContain(EN.failure.codes.server_busy);
    const stream = ['Transfer-Encoding: chunked', from('192.0.2.6')];
    for (const type of [URLENCODED, multipart([]).type, 'text/html']) {
      const start = head(form.id, `Content-Type: ${type}`, ...stream);
      expect((await exchange(slow, start, chunked('a=b'))).status).toBe(503);
    }
    expect((await me.get('/dashboard/forms')).status).toBe(200);
    expect((await fetch(`${slow.url}/healthz`)).status).toBe(200);
    for (const { finish } of held) finish();
    expect((await Promise.all(held.map(({ answer }) => answer))).map(({ status }) => status)).toEqual(
      Array(4).fill(200),
    );
    expect(await isFree(slow)).toBe(true);
  });

  test('is reserved for a chunked body as it arrives', async () => {
    const blocker = startPost(slow, '192.0.2.1', QUARTER * 3);
    await untilHeld(slow, QUARTER * 3);
    const start = head(slow.owner.form.id, `Content-Type: ${URLENCODED}`, 'Transfer-Encoding: chunked');
    const answer = await exchange(slow, start, chunked(bodyOf(90_000), bodyOf(90_000)));
    expect(answer.status).toBe(503);
    blocker.finish();
    await blocker.answer;
    expect(await isFree(slow)).toBe(true);
  });

  const declared = (length: number, type = URLENCODED) =>
    head(instance.owner.form.id, `Content-Type: ${type}`, `Content-Length: ${length}`);
  const open = (type = URLENCODED) =>
    head(instance.owner.form.id, `Content-Type: ${type}`, 'Transfer-Encoding: chunked');

  test.each<[string, number, ...string[]]>([
    ['a timeout', 408, declared(1000), 'a='],
    ['a timeout of a chunked body', 408, open(), '3\r\na=b\r\n'],
    ['an unreadable body', 400, declared(9, 'application/json'), '{"a":"b" '],
    ['a body over the limit', 413, open(), chunked(bodyOf(MiB + 1))],
    ['another content type', 415, open('text/html'), chunked('a=b')],
    ['a multipart body that ends early', 400, open(multipart([]).type), chunked('--a')],
  ])('is given back after %s', async (_case, status, ...pieces) => {
    expect((await exchange(instance, ...pieces)).status).toBe(status);
    expect(await isFree(instance)).toBe(true);
  });

  test('is given back after disconnects', async () => {
    const { hostname, port } = new URL(slow.url);
    const signIn = ['Host: localhost', 'Sec-Fetch-Site: same-origin', 'Content-Length: 1000', '', ''].join('\r\n');
    for (const [start, bytes] of [
      [head(slow.owner.form.id, `Content-Type: ${URLENCODED}`, 'Content-Length: 1000'), 1000],
      [head(slow.owner.form.id, `Content-Type: ${URLENCODED}`, 'Transfer-Encoding: chunked'), 128 * 1024],
      [`POST /dashboard/sign-in HTTP/1.1\r\n${signIn}`, 1000],
    ] as const) {
      const socket = await Bun.connect({ hostname, port: Number(port), socket: { data: () => {} } });
      socket.write(start);
      await untilHeld(slow, bytes);
      socket.terminate();
      await untilHeld(slow, 0);
      expect(await isFree(slow)).toBe(true);
    }
  });
});

const uses = fc.array(
  fc.record({
    client: fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'),
    sizes: fc.array(fc.nat(600), { maxLength: 5 }),
    fails: fc.boolean(),
  }),
  { maxLength: 30 },
);

test('no order of posts reserves more than the limit, or keeps anything', async () => {
  await fc.assert(
    fc.asyncProperty(uses, fc.scheduler(), async (posts, scheduler) => {
      const memory = new BodyMemory(1000);
      let held = 0;
      const run = ({ client, sizes, fails }: (typeof posts)[number]) =>
        memory.lend(client, async (reserve) => {
          let own = 0;
          try {
            for (const size of sizes) {
              await scheduler.schedule(Promise.resolve());
              reserve(size);
              own += size;
              held += size;
              expect(held <= 1000 || held === own).toBe(true);
            }
            if (fails) throw new Error('aborted');
          } finally {
            held -= own;
          }
        });
      const all = Promise.allSettled(posts.map(run));
      await scheduler.waitFor(all);
      const whole = memory.lend('192.0.2.9', async (reserve) => {
        reserve(1);
        return memory.lend('192.0.2.8', async (other) => other(999));
      });
      expect(await whole).toBeUndefined();
    }),
  );
});

import { afterEach, describe, expect, test } from 'bun:test';
import { connect, type Socket } from 'node:net';
import { AppError } from '../../../src/domain/errors.ts';
import { Downloads, MAX_DOWNLOADS, MAX_EXPORTS } from '../../../src/http/downloads.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { countOpenFiles, MiB, noise, shown } from '../visitor/files.ts';
import { expectAccepted } from '../visitor/helpers.ts';

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

type Served = Readonly<{ url: URL; logs: string[]; ended: () => number }>;

/** Serves the output of `make` to readers named in the path; `ended` counts closed sources. */
function serve(
  stallMs: number,
  make: () => AsyncGenerator<string | Uint8Array>,
  requireAccess = async () => {},
): Served {
  const logs: string[] = [];
  const log = createLogger({ level: 'info', isPretty: false, write: (line) => logs.push(line) });
  const downloads = new Downloads(log, stallMs);
  let ended = 0;
  async function* counted() {
    try {
      yield* make();
    } finally {
      ended += 1;
    }
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    development: false,
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const team = searchParams.get('team') ?? pathname;
      try {
        if (pathname.startsWith('/prefetched'))
          return new Response(await downloads.streamPrefetched(pathname, counted(), requireAccess));
        return new Response(downloads.stream(pathname, team, counted(), requireAccess));
      } catch (error) {
        const { status, headers } = error instanceof AppError ? error : { status: 500, headers: {} };
        return new Response('refused', { status, headers });
      }
    },
  });
  servers.push(server);
  return { url: server.url, logs, ended: () => ended };
}

const PIECE = new Uint8Array(64 * 1024).fill(7);
async function* endless() {
  for (;;) yield PIECE.subarray(0, 1024);
}

/** Opens a download without reading from it. */
function openUnread(url: URL, ...headers: string[]): Socket {
  const socket = connect(Number(url.port), url.hostname);
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET ${url.pathname} HTTP/1.1\r\n${['Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`);
  return socket;
}

describe('a client', () => {
  test('that reads nothing is cut off, and the source is closed', async () => {
    const { url, logs, ended } = serve(50, endless);
    const socket = openUnread(new URL('/key_1', url));
    await until(() => logs.length > 0, 'the download to be cut off');
    expect(JSON.parse(logs[0] ?? '')).toMatchObject({
      message: 'download aborted: the client is too slow',
      reader: '/key_1',
    });
    await until(() => ended() === 1, 'the source to be closed');
    socket.destroy();
  });

  test('that disconnects during a download is logged', async () => {
    let made = 0;
    const { url, logs, ended } = serve(60_000, async function* () {
      // More than a connection buffers, so that the download waits for its reader.
      for (const huge = new Uint8Array(32 * MiB); ; yield huge) made += 1;
    });
    const socket = openUnread(new URL('/key_1', url));
    await until(() => made > 0, 'the download to begin');
    socket.destroy();
    await until(() => ended() === 1, 'the source to be closed');
    expect(logs.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { message: 'download aborted: the client disconnected or read nothing', reader: '/key_1' },
    ]);
  });

  test('that reads on gets the whole body even from a slow source', async () => {
    const { url, ended } = serve(20, async function* () {
      yield 'one ';
      // Longer than the stall timeout.
      await Bun.sleep(100);
      yield PIECE;
      for (let n = 0; n < 100; n++) yield PIECE;
    });
    const body = await (await fetch(url)).bytes();
    expect([body.length, ended()]).toEqual([4 + 101 * PIECE.length, 1]);
  });

  test('gets an empty body from an empty source, and an error response if the first chunk fails', async () => {
    const empty = serve(1_000, async function* () {});
    expect([await (await fetch(new URL('/prefetched', empty.url))).text(), empty.ended()]).toEqual(['', 1]);
    const broken = serve(1_000, () => {
      throw new Error('not there');
    });
    expect((await fetch(new URL('/prefetched', broken.url))).status).toBe(500);
  });

  test('sees an error if the source fails halfway', async () => {
    const begun = Promise.withResolvers<void>();
    const { url } = serve(60_000, async function* () {
      yield PIECE;
      await begun.promise;
      throw new Error('broken');
    });
    const answer = await fetch(url);
    begun.resolve();
    await expect(answer.bytes()).rejects.toThrow();
  });
});

test.each(['/stream', '/prefetched'])(
  'a reader without access gets no further chunk, and the source is closed: %s',
  async (path) => {
    const lost = Promise.withResolvers<void>();
    let chunks = 0;
    const { url, logs, ended } = serve(
      60_000,
      async function* () {
        for (;;) {
          if (chunks === 3) await lost.promise;
          chunks += 1;
          yield PIECE;
        }
      },
      async () => {
        if (chunks > 3) throw new Error('no access');
      },
    );
    const answer = await fetch(new URL(path, url));
    lost.resolve();
    await expect(answer.bytes()).rejects.toThrow();
    expect([chunks, ended()]).toEqual([4, 1]);
    expect(logs.join('')).toContain('access was checked and refused');
  },
);

test('a download by a key ends when the key is revoked', async () => {
  // More than the buffers of both ends can grow to.
  const size = 32 * MiB;
  const instance = await startInstance({ env: { MAX_FILE_BYTES: String(size), MAX_UPLOAD_BYTES: String(2 * size) } });
  const { owner, api } = instance;
  const body = new FormData();
  body.append('big', new File([noise(size)], 'big.bin'));
  await expectAccepted(await instance.post(owner.form.id, body));
  const [row] = await shown(instance, owner);
  const key = await instance.makeKey(owner);
  const path = `/v1/submissions/${row?.id}/files/${row?.file_metadata?.files[0]?.id}`;
  const socket = openUnread(new URL(path, instance.url), `Authorization: Bearer ${key.secret}`);
  await until(() => countOpenFiles(instance) === 1, 'the download to begin');
  await instance.context.store.keys.revoke(key.id, instance.context.clock());
  let received = 0;
  socket.on('data', ({ length }) => {
    received += length;
  });
  socket.resume();
  await until(() => socket.closed, 'the connection to be closed');
  expect(received).toBeLessThan(size);
  expect((await api('GET', path, { key: key.secret })).status).toBe(401);
  await instance.stop();
});

describe('concurrent downloads', () => {
  test.each([
    ['/stream', MAX_EXPORTS.reader],
    ['/prefetched', MAX_DOWNLOADS],
  ])('are limited per reader, and a finished one frees its slot: %s to %d', async (path, limit) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { url } = serve(60_000, async function* () {
      yield 'begun';
      await released;
    });
    const ask = (reader: string, init: RequestInit = {}) => fetch(new URL(`${path}/${reader}`, url), init);
    const gone = new AbortController();
    const held = await Promise.all(
      Array.from({ length: limit }, (_, n) => ask('ada', n === 0 ? { signal: gone.signal } : {})),
    );
    const refusal = await ask('ada');
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '10']);
    const other = await ask('bob');
    expect(other.status).toBe(200);

    gone.abort();
    const next = await until(async () => {
      const answer = await ask('ada');
      return answer.status === 429 ? null : answer;
    }, 'the slot of the finished download to be free');
    expect([next.status, (await ask('ada')).status]).toEqual([200, 429]);
    release();
    for (const answer of [...held.slice(1), next, other]) await answer.text();
    expect((await ask('ada')).status).toBe(200);
  });

  test.each([
    ['a team', MAX_EXPORTS.team, () => 'one'],
    ['the server', MAX_EXPORTS.all, (reader: number) => `team${reader}`],
  ])('of %s have a limit of exports: %d', async (_, limit, teamOf) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { url } = serve(60_000, async function* () {
      yield 'begun';
      await released;
    });
    // Held, because a response that is collected as garbage frees its slot.
    const answers: Response[] = [];
    for (let reader = 0; reader <= limit; reader++)
      answers.push(await fetch(new URL(`/stream/reader${reader}?team=${teamOf(reader)}`, url)));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(limit).fill(200), 429]);
    release();
    for (const answer of answers) await answer.text();
  });

  test('of HEAD requests hold no slot', async () => {
    const { url, ended } = serve(60_000, endless);
    for (let n = 0; n < MAX_DOWNLOADS * 2; n++) {
      expect((await fetch(new URL('/prefetched/ada', url), { method: 'HEAD' })).status).toBe(200);
    }
    await until(() => ended() === MAX_DOWNLOADS * 2, 'all sources to be closed');
  });
});

test('a key with the maximum of stalled downloads gets 429 until they end, and other keys are not affected', async () => {
  const instance = await startInstance();
  const { owner, api } = instance;
  const body = new FormData();
  body.append('big', new File([noise(8 * MiB)], 'big.bin'));
  await expectAccepted(await instance.post(owner.form.id, body));
  const [row] = await shown(instance, owner);
  const path = `/v1/submissions/${row?.id}/files/${row?.file_metadata?.files[0]?.id}`;
  const read = async (key: string) => {
    const answer = await api('GET', path, { key });
    await answer.arrayBuffer();
    return answer.status;
  };
  const url = new URL(path, instance.url);
  const held = Array.from({ length: MAX_DOWNLOADS }, () => openUnread(url, `Authorization: Bearer ${owner.readKey}`));
  await until(() => countOpenFiles(instance) === MAX_DOWNLOADS, 'all downloads to begin');
  expect([await read(owner.readKey), await read(owner.writeKey)]).toEqual([429, 200]);
  for (const socket of held) socket.destroy();
  await until(() => countOpenFiles(instance) === 0, 'all files to be closed');
  expect(await read(owner.readKey)).toBe(200);
  await instance.stop();
});

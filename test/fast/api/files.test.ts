import { afterAll, describe, expect, test } from 'bun:test';
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import {
  blobNames,
  countOpenFiles,
  download,
  type FileFacts,
  formData,
  MiB,
  noise,
  sha256,
  shown,
} from '../visitor/files.ts';
import { expectAccepted } from '../visitor/helpers.ts';
import { dataOf, refused } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, owner } = instance;

type Kept = Readonly<{ submissionId: string; file: FileFacts; path: string; blob: string }>;

/** Creates a submission with one file and returns its ids and its blob. */
async function keepFile(bytes: Uint8Array<ArrayBuffer>, name = 'cv.bin', by = owner, type = ''): Promise<Kept> {
  const before = blobNames(instance);
  await expectAccepted(await instance.post(by.form.id, formData([['cv', new File([bytes], name, { type })]])));
  const [row] = await shown(instance, by);
  const [file] = row?.file_metadata?.files ?? [];
  const [blob] = blobNames(instance).filter((each) => !before.includes(each));
  if (!row || !file || !blob) throw new Error('nothing was kept');
  const path = `/v1/submissions/${row.id}/files/${file.id}`;
  return { submissionId: row.id, file, path, blob: join(instance.dataDir, 'files', blob) };
}

describe('GET /v1/submissions/:submissionId/files/:fileId', () => {
  test('returns the bytes to keys of both scopes, as an attachment that cannot run code', async () => {
    const { path } = await keepFile(Buffer.from('<script>alert(1)</script>'), 'page.html', owner, 'text/html');
    for (const key of [owner.readKey, owner.writeKey]) {
      const answer = await api('GET', path, { key });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe('<script>alert(1)</script>');
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/html',
        'content-disposition': 'attachment; filename=page.html',
        'x-content-type-options': 'nosniff',
        'content-security-policy':
          "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
        'cache-control': 'no-store',
      });
    }
  });

  test.each(['text/javascript', 'application/x-javascript', 'text/ecmascript', 'text/css'])(
    'returns %s as bytes of no type, so that no page can run or apply it',
    async (type) => {
      const { path, file } = await keepFile(Buffer.from('a{}'), 'a.txt', owner, type);
      expect(file.content_type).toBe(type);
      const answer = await api('GET', path, { key: owner.readKey });
      expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    },
  );

  test("returns 404 for another team's key and for ids that do not match", async () => {
    const [mine, other] = [await keepFile(noise(10)), await keepFile(noise(10))];
    const stranger = await instance.makeOwner();
    const theirs = await keepFile(noise(10), 'x', stranger);
    const path = (submissionId: string, fileId: string) => `/v1/submissions/${submissionId}/files/${fileId}`;
    await refused(api('GET', mine.path, { key: stranger.writeKey }), 404);
    await refused(api('GET', theirs.path, { key: owner.writeKey }), 404);
    for (const [submissionId, fileId] of [
      [mine.submissionId, other.file.id],
      [mine.submissionId, theirs.file.id],
      [mine.submissionId, 'file_unknown'],
      [mine.submissionId, mine.file.id.toUpperCase()],
      [mine.submissionId, '..%2F..%2Fencryption.key'],
      [mine.submissionId, '__proto__'],
      ['sub_unknown', mine.file.id],
    ] as const) {
      await refused(api('GET', path(submissionId, fileId), { key: owner.readKey }), 404);
    }
  });

  test('returns 404 for a submission without files', async () => {
    await instance.post(owner.form.id, { a: '1' });
    const [row] = await shown(instance, owner);
    await refused(api('GET', `/v1/submissions/${row?.id}/files/file_1`, { key: owner.readKey }), 404);
  });

  test('serves one file to fifty readers at once', async () => {
    const bytes = noise(MiB);
    const { submissionId, file } = await keepFile(bytes);
    const sums = Array.from({ length: 50 }, async () => {
      const answer = await download(instance, owner.readKey, submissionId, file.id);
      return sha256(await answer.bytes());
    });
    expect(new Set(await Promise.all(sums))).toEqual(new Set([sha256(bytes)]));
  });

  test('closes the file after HEAD and after a disconnect', async () => {
    const { path, submissionId, file } = await keepFile(noise(5 * MiB));
    for (let time = 0; time < 10; time++) {
      expect((await api('HEAD', path, { key: owner.readKey })).status).toBe(200);
      const answer = await download(instance, owner.readKey, submissionId, file.id);
      const reader = answer.body?.getReader();
      await reader?.read();
      await reader?.cancel();
    }
    // A file handle closed by the garbage collector is an error that ends the process.
    await until(() => countOpenFiles(instance) === 0, 'all files to be closed');
    Bun.gc(true);
    expect((await api('HEAD', path, { key: owner.readKey })).status).toBe(200);
  });
});

describe('a file damaged on disk', () => {
  const bytes = noise(200_000);
  const name = 'canary.bin';
  const CHUNK = 65_536 + 16;

  /** Returns the bytes, or the kind of failure. */
  async function read({ submissionId, file }: Kept): Promise<Uint8Array | 'damaged' | 'broken off'> {
    try {
      const answer = await download(instance, owner.readKey, submissionId, file.id);
      const body = await answer.bytes();
      return answer.status === 500 ? 'damaged' : body;
    } catch {
      return 'broken off';
    }
  }

  /** Asserts that the damage is detected and logged without the file name; then repairs the file. */
  async function expectDetected(
    damage: (blob: string, sealed: Buffer) => void,
    outcome: 'damaged' | 'broken off',
  ): Promise<void> {
    const kept = await keepFile(bytes, name);
    const sealed = readFileSync(kept.blob);
    const before = instance.logs.length;
    damage(kept.blob, sealed);
    expect(await read(kept)).toBe(outcome);
    const noted = instance.logs.slice(before).filter((line) => line.includes('could not read a stored file'));
    expect(JSON.parse(noted[0] ?? '{}')).toMatchObject({ submission: kept.submissionId, file: kept.file.id });
    expect(instance.logs.join('')).not.toContain('canary');
    writeFileSync(kept.blob, sealed);
    expect(await read(kept)).toEqual(bytes);
  }

  test.each<[string, (blob: string, sealed: Buffer) => void]>([
    ['missing', (blob) => rmSync(blob)],
    ['empty', (blob) => truncateSync(blob, 0)],
    ['a byte short', (blob, { length }) => truncateSync(blob, length - 1)],
    ['a chunk short', (blob) => truncateSync(blob, 1 + 3 * CHUNK)],
    ['a byte longer', (blob, sealed) => writeFileSync(blob, Buffer.concat([sealed, Buffer.alloc(1)]))],
    ['a chunk longer', (blob, sealed) => writeFileSync(blob, Buffer.concat([sealed, sealed.subarray(1, 1 + CHUNK)]))],
  ])('that is %s is refused', (_what, damage) => expectDetected(damage, 'damaged'));

  const turnBit = (at: number) => (blob: string, sealed: Buffer) => {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at);
    writeFileSync(blob, changed);
  };

  test.each([0, 1, 70, CHUNK])('with a flipped bit in byte %i of the first chunk is refused', (at) =>
    expectDetected(turnBit(at), 'damaged'),
  );

  test.each([1 + CHUNK, 100_000, 1 + 3 * CHUNK, 200_000, 200_064])(
    'with one bit turned in byte %i, it breaks off',
    (at) => expectDetected(turnBit(at), 'broken off'),
  );

  test('with two chunks swapped is refused', () =>
    expectDetected((blob, sealed) => {
      const [first, second] = [sealed.subarray(1, 1 + CHUNK), sealed.subarray(1 + CHUNK, 1 + 2 * CHUNK)];
      const rest = sealed.subarray(1 + 2 * CHUNK);
      writeFileSync(blob, Buffer.concat([sealed.subarray(0, 1), second, first, rest]));
    }, 'damaged'));

  test('in place of another file of the same size is refused', async () => {
    const other = await keepFile(noise(bytes.length));
    await expectDetected((blob) => copyFileSync(other.blob, blob), 'damaged');
  });
});

describe('DELETE /v1/submissions/:submissionId', () => {
  test('removes all of its files and no others', async () => {
    const before = blobNames(instance);
    const files = [1, 2, 3].map((n) => [`f${n}`, new File(['x'], 'x')] as const);
    await instance.post(owner.form.id, formData(files));
    const [row] = await shown(instance, owner);
    const fileId = row?.file_metadata?.files[0]?.id ?? '';
    expect(blobNames(instance)).toHaveLength(before.length + 3);
    await dataOf(api('DELETE', `/v1/submissions/${row?.id}`, { key: owner.writeKey }));
    expect(blobNames(instance)).toEqual(before);
    await refused(api('GET', `/v1/submissions/${row?.id}/files/${fileId}`, { key: owner.readKey }), 404);
  });

  test('during downloads lets each reader get the whole file or 404', async () => {
    for (let round = 0; round < 20; round++) {
      const bytes = noise(100_000);
      const { submissionId, file } = await keepFile(bytes);
      const reads = Array.from({ length: 20 }, async (_, n) => {
        // Spreads the reads around the deletion.
        await Bun.sleep(n / 4);
        const answer = await download(instance, owner.readKey, submissionId, file.id);
        const body = await answer.bytes();
        expect([200, 404]).toContain(answer.status);
        if (answer.status === 200) expect(sha256(body)).toBe(sha256(bytes));
      });
      await Bun.sleep(2);
      await dataOf(api('DELETE', `/v1/submissions/${submissionId}`, { key: owner.writeKey }));
      await Promise.all(reads);
    }
  });

  test('makes later downloads of its file return 404', async () => {
    const { submissionId, file } = await keepFile(noise(100_000));
    expect((await download(instance, owner.readKey, submissionId, file.id)).status).toBe(200);
    await dataOf(api('DELETE', `/v1/submissions/${submissionId}`, { key: owner.writeKey }));
    expect((await download(instance, owner.readKey, submissionId, file.id)).status).toBe(404);
  });

  test('removes no file if it is refused', async () => {
    const { submissionId } = await keepFile(noise(10));
    const before = blobNames(instance);
    const stranger = await instance.makeOwner();
    await refused(api('DELETE', `/v1/submissions/${submissionId}`, { key: stranger.writeKey }), 404);
    await refused(api('DELETE', `/v1/submissions/${submissionId}`, { key: owner.readKey }), 403);
    expect(blobNames(instance)).toEqual(before);
  });

  test('succeeds for a submission whose file is missing', async () => {
    const { submissionId, blob } = await keepFile(noise(10));
    rmSync(blob);
    await dataOf(api('DELETE', `/v1/submissions/${submissionId}`, { key: owner.writeKey }));
  });

  test('lets a running download finish', async () => {
    const bytes = noise(10 * MiB);
    const { submissionId, file } = await keepFile(bytes);
    const answer = await download(instance, owner.readKey, submissionId, file.id);
    const read: Uint8Array[] = [];
    for await (const piece of answer.body ?? []) {
      read.push(piece);
      if (read.length > 1) continue;
      await dataOf(api('DELETE', `/v1/submissions/${submissionId}`, { key: owner.writeKey }));
    }
    expect(sha256(Buffer.concat(read))).toBe(sha256(bytes));
  });
});

test('a page of a hundred submissions lists the files of each', async () => {
  const team = await instance.makeOwner();
  const numbers = Array.from({ length: 100 }, (_, n) => n);
  for (const n of numbers) {
    const files = Array.from({ length: n % 3 }, (_, f) => [`f${f}`, new File(['x'.repeat(n)], `${n}.txt`)] as const);
    await instance.post(team.form.id, formData([['n', String(n)], ...files]));
  }
  const rows = await shown(instance, team);
  const facts = (n: number) => (_: unknown, f: number) => ({ field: `f${f}`, name: `${n}.txt`, size: n });
  const expected = numbers.map((n) => ({
    data: { n: String(n) },
    file_metadata: n % 3 === 0 ? null : { files: Array.from({ length: n % 3 }, facts(n)) },
  }));
  expect(rows).toMatchObject(expected.reverse());
});

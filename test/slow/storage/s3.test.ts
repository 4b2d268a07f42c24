import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { AppError } from '../../../src/domain/errors.ts';
import { parseS3Location } from '../../../src/domain/instance/s3-location.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { type Blobs, BucketError } from '../../../src/storage/blobs.ts';
import { diskBlobs } from '../../../src/storage/disk/disk-blobs.ts';
import { DiskWatch } from '../../../src/storage/disk-watch.ts';
import { s3Blobs, s3Copies } from '../../../src/storage/s3/s3-blobs.ts';
import { S3Bucket } from '../../../src/storage/s3/s3-bucket.ts';
import { describeBlobs } from '../../fast/storage/blobs-contract.ts';
import { temporaryDir } from '../../support/instance.ts';
import { type S3Server, startS3, startStubS3 } from '../../support/s3.ts';
import { until } from '../../support/until.ts';

const dir = temporaryDir();
const log = createLogger({ level: 'silent', isPretty: false, write: () => {} });
const disk = new DiskWatch({ readFreeBytes: () => 0, minFreeBytes: 0, monotonic: () => 0, log });
const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', sessionToken: null };

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3(join(dir, 's3'));
});
afterAll(async () => {
  await s3.stop();
  rmSync(dir, { recursive: true });
});

/** Opens the blob store of a data directory under a prefix of its own. */
function openS3(prefix = crypto.randomUUID(), writerId = '0123abcd') {
  const spoolFolder = mkdtempSync(join(dir, 'spool-'));
  const bucket = new S3Bucket(parseS3Location(`s3://forms/${prefix}?endpoint=${s3.endpoint}`), credentials);
  return { blobs: s3Blobs({ bucket, writerId, spoolFolder, disk, log }), bucket, spoolFolder, prefix };
}

describeBlobs('an S3 server', () => {
  const { blobs, prefix } = openS3();
  return { blobs, again: () => openS3(prefix).blobs };
});

/** Opens a blob store on a stub, whose requests time out after 300 ms. */
function openStub(answer: Parameters<typeof startStubS3>[0]) {
  const stub = startStubS3(answer);
  stubs.push(stub.stop);
  const bucket = new S3Bucket(parseS3Location(stub.env.S3_URL), credentials, 300);
  return { stub, blobs: s3Blobs({ bucket, writerId: '0123abcd', spoolFolder: dir, disk, log }) };
}
const stubs: Array<() => unknown> = [];
afterAll(() => Promise.all(stubs.map((stop) => stop())));

async function store(blobs: Blobs, text = 'x'): Promise<string> {
  const writer = await blobs.create();
  try {
    await writer.write([Buffer.from(text)]);
    await writer.finish();
  } catch (error) {
    await blobs.remove([writer.name]);
    throw error;
  }
  return writer.name;
}

async function causeOf(work: Promise<unknown>): Promise<BucketError> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'storage_unavailable', status: 500, headers: { 'Retry-After': '60' } });
  const { cause } = error as AppError;
  expect(cause).toBeInstanceOf(BucketError);
  return cause as BucketError;
}

describe('a blob in a bucket', () => {
  test('reaches the bucket only when it is complete, and leaves no file in the spool folder', async () => {
    const { blobs, prefix, spoolFolder } = openS3();
    const writer = await blobs.create();
    await writer.write([Buffer.alloc(200_000, 'y')]);
    const ofPrefix = async () => (await s3.keys()).filter((key) => key.startsWith(prefix));
    expect([await ofPrefix(), readdirSync(spoolFolder)]).toEqual([[], []]);
    await writer.finish();
    expect(await ofPrefix()).toEqual([`${prefix}/${writer.name}`]);
  });

  test('is not listed by another data directory that uses the same prefix', async () => {
    const { blobs, prefix } = openS3();
    const name = await store(blobs);
    blobs.markReferenced([name]);
    const other = openS3(prefix, 'ffff0000').blobs;
    expect(await Array.fromAsync(other.list())).toEqual([]);
    expect((await other.read(name))?.size).toBe(1);
  });

  test('is removed completely while its upload is under way, or stays for the sweep', async () => {
    const { stub, blobs } = openStub(() => undefined);
    const writer = await blobs.create();
    const finished = causeOf(writer.finish());
    await until(() => stub.requests.length > 0, 'the upload to begin');
    expect((await finished).code).toBe('TIMEOUT');
    await blobs.remove([writer.name]);
    expect(stub.requests.map(({ method }) => method)).toEqual(['PUT']);
  });
});

describe('an upload', () => {
  test('sends length and hash, so that the store refuses a changed body', async () => {
    const { stub, blobs } = openStub(async (request) => {
      await request.arrayBuffer();
      return new Response();
    });
    await store(blobs, 'one');
    const [{ headers }] = stub.requests as [Request];
    const md5 = new Bun.CryptoHasher('md5').update('one').digest('base64');
    expect([headers.get('content-length'), headers.get('content-md5')]).toEqual(['3', md5]);
  });

  test('is repeated after a failure of the store, with the whole content', async () => {
    const bodies: string[] = [];
    const { blobs } = openStub(async (request) => {
      bodies.push(await request.text());
      return new Response('<Error><Code>SlowDown</Code></Error>', { status: bodies.length === 1 ? 503 : 200 });
    });
    await store(blobs, 'z'.repeat(150_000));
    expect(bodies.map((body) => body.length)).toEqual([150_000, 150_000]);
  });

  test('is not repeated after a refusal, whose code is the cause', async () => {
    const { stub, blobs } = openStub(
      () => new Response('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', { status: 403 }),
    );
    expect((await causeOf(store(blobs))).message).toBe('PUT failed with 403 AccessDenied');
    expect(stub.requests).toHaveLength(1);
  });

  test('follows no redirect', async () => {
    const { blobs } = openStub(() => Response.redirect('http://127.0.0.1:9/elsewhere', 307));
    expect((await causeOf(store(blobs))).code).toBe('307');
  });

  test('whose error names no URL and no credentials', async () => {
    // Not a closed port: another server of the tests may take it.
    const refusing = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const endpoint = `http://127.0.0.1:${(refusing.address() as AddressInfo).port}`;
    const bucket = new S3Bucket(parseS3Location(`s3://forms/files?endpoint=${endpoint}`), credentials, 300);
    const blobs = s3Blobs({ bucket, writerId: '0123abcd', spoolFolder: dir, disk, log });
    const cause = await causeOf(store(blobs));
    refusing.close();
    expect(Bun.inspect(cause)).not.toMatch(/X-Amz|S3RVER/);
    expect(cause.isTransient).toBe(true);
  });

  test('fails when the store does not answer, and deletions after that fail at once', async () => {
    const { stub, blobs } = openStub(() => undefined);
    expect((await causeOf(store(blobs))).code).toBe('TIMEOUT');
    expect((await causeOf(blobs.remove(['0'.repeat(32)]))).message).toContain('DELETE');
    expect(stub.requests.map(({ method }) => method)).toEqual(['PUT']);
  });
});

test('a missing bucket is an error and no missing blob', async () => {
  const bucket = new S3Bucket(parseS3Location(`s3://missing?endpoint=${s3.endpoint}`), credentials);
  const blobs = s3Blobs({ bucket, writerId: '0123abcd', spoolFolder: dir, disk, log });
  const name = '0'.repeat(32);
  expect((await causeOf(blobs.read(name))).code).toContain('NoSuchBucket');
  expect((await causeOf(blobs.remove([name]))).code).toContain('NoSuchBucket');
  expect((await causeOf(store(blobs))).code).toContain('NoSuchBucket');
  expect((await causeOf(Array.fromAsync(blobs.list()))).code).toContain('NoSuchBucket');
});

test('a list reads all pages', async () => {
  const page = (names: string[], next?: string) => {
    const contents = names.map(
      (name) =>
        `<Contents><Key>files/${name}</Key><LastModified>2026-11-22T10:00:00.000Z</LastModified><Size>5</Size></Contents>`,
    );
    const more = next ? `<NextContinuationToken>${next}</NextContinuationToken>` : '';
    return new Response(
      `<?xml version="1.0"?><ListBucketResult><Name>forms</Name><IsTruncated>${next !== undefined}</IsTruncated>${more}${contents.join('')}</ListBucketResult>`,
      { headers: { 'Content-Type': 'application/xml' } },
    );
  };
  const { stub, blobs } = openStub((request) =>
    new URL(request.url).searchParams.has('continuation-token')
      ? page(['0123abcdc'])
      : page(['0123abcda', '0123abcdb'], 'two'),
  );
  const modifiedAt = Date.parse('2026-11-22T10:00:00Z') * 1000;
  expect(await Array.fromAsync(blobs.list())).toEqual(
    ['0123abcda', '0123abcdb', '0123abcdc'].map((name) => ({ name, size: 5, modifiedAt })),
  );
  expect(stub.requests.map(({ url }) => new URL(url).searchParams.get('prefix'))).toEqual([
    'files/0123abcd',
    'files/0123abcd',
  ]);
});

test('a download that breaks off in the middle is an error', async () => {
  const { blobs } = openStub((request) => {
    const headers = { 'Content-Length': '1000000' };
    if (request.method === 'HEAD') return new Response(null, { headers });
    return new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new Uint8Array(1000));
        },
      }),
      { headers },
    );
  });
  const blob = await blobs.read('0'.repeat(32));
  expect((await causeOf(Array.fromAsync(blob?.bytes ?? []))).code).toBe('TIMEOUT');
});

test('a file on disk of several reads is copied to a bucket under its name', async () => {
  const { bucket, spoolFolder } = openS3();
  const onDisk = diskBlobs(join(spoolFolder, 'files'), disk);
  const content = randomBytes(300_000);
  const writer = await onDisk.create();
  await writer.write([Uint8Array.from(content)]);
  await writer.finish();
  const stored = await onDisk.read(writer.name);
  if (!stored) throw new Error('the file is missing');
  await s3Copies(bucket, spoolFolder, disk).put(writer.name, stored);
  const copy = await bucket.read(writer.name);
  expect(Buffer.concat(await Array.fromAsync(copy?.bytes ?? []))).toEqual(content);
});

test('60 MB are stored and read with flat memory', async () => {
  const { blobs } = openS3();
  const size = 60_000_000;
  const chunkBytes = 64 * 1024;

  const writer = await blobs.create();
  /** Returns the memory in use without garbage, which depends on the load of the machine. */
  const used = () => {
    Bun.gc(true);
    return process.memoryUsage.rss();
  };
  const before = used();
  let peak = before;
  const measure = () => {
    peak = Math.max(peak, used());
  };
  const timer = setInterval(measure, 500);
  for (let at = 0; at < size; at += chunkBytes) {
    await writer.write([Buffer.alloc(Math.min(chunkBytes, size - at), 'q')]);
  }
  await writer.finish();
  clearInterval(timer);
  measure();
  let read = 0;
  for await (const bytes of (await blobs.read(writer.name))?.bytes ?? []) {
    if (Math.floor(read / 5_000_000) < Math.floor((read + bytes.length) / 5_000_000)) measure();
    read += bytes.length;
  }
  expect(read).toBe(size);
  expect(peak - before).toBeLessThan(size * 0.75);
});

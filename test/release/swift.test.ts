import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AppError } from '../../src/domain/errors.ts';
import { parseS3Location } from '../../src/domain/instance/s3-location.ts';
import { createLogger } from '../../src/lib/log.ts';
import { DiskWatch } from '../../src/storage/disk-watch.ts';
import { s3Blobs } from '../../src/storage/s3/s3-blobs.ts';
import { S3Bucket } from '../../src/storage/s3/s3-bucket.ts';
import { describeBlobs } from '../fast/storage/blobs-contract.ts';
import { temporaryDir } from '../support/instance.ts';
import { type Swift, startSwift } from '../support/swift.ts';

const dir = temporaryDir();
const log = createLogger({ level: 'silent', isPretty: false, write: () => {} });
const disk = new DiskWatch({ readFreeBytes: () => 0, minFreeBytes: 0, monotonic: () => 0, log });

let swift: Swift;
beforeAll(async () => {
  mkdirSync(join(dir, 'spool'));
  swift = await startSwift(dir);
}, 300_000);
afterAll(async () => {
  await swift.stop();
  rmSync(dir, { recursive: true });
});

function openBucket(prefix: string, credentials: Partial<Swift['credentials']> = {}): S3Bucket {
  const location = parseS3Location(`s3://${swift.bucket}/${prefix}?endpoint=${swift.endpoint}`);
  return new S3Bucket(location, { ...swift.credentials, ...credentials });
}

describeBlobs('OpenStack Swift', () => {
  const prefix = crypto.randomUUID();
  const open = () =>
    s3Blobs({ bucket: openBucket(prefix), writerId: '0123abcd', spoolFolder: join(dir, 'spool'), disk, log });
  return { blobs: open(), again: open };
});

const ONE = new Uint8Array([1]);
const md5 = (bytes: Uint8Array) => new Bun.CryptoHasher('md5').update(bytes).digest('base64');
const put = (bucket: S3Bucket, name: string, hash = md5(ONE)) =>
  bucket.put(name, { size: 1, md5: hash, open: () => ONE });
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: AppError) => String(error.cause),
  );

test('more objects than a page has are all listed', async () => {
  const bucket = openBucket('pages');
  const names = Array.from({ length: 1_010 }, (_, index) => `n${index}`);
  for (let at = 0; at < names.length; at += 20) {
    await Promise.all(names.slice(at, at + 20).map((name) => put(bucket, name)));
  }
  const listed = await Array.fromAsync(bucket.list('n'), ({ name }) => name);
  expect(listed.sort()).toEqual(names.sort());
}, 300_000);

test('a body that differs from its hash, and a wrong secret, are refused', async () => {
  expect(await refusalOf(put(openBucket('bad'), 'x', md5(new Uint8Array([2]))))).toContain('400 BadDigest');
  const wrong = openBucket('bad', { secretAccessKey: 'wrong' });
  expect(await refusalOf(put(wrong, 'x'))).toContain('403 SignatureDoesNotMatch');
  expect(await refusalOf(Array.fromAsync(wrong.list('')))).toContain('SignatureDoesNotMatch');
  expect(await openBucket('bad').read('x')).toBeNull();
});

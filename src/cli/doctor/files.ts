import type { Context } from '../../context/context.ts';
import { AppError } from '../../domain/errors.ts';
import { type Blobs, BucketError } from '../../storage/blobs.ts';
import { SEVERAL_WRITERS } from '../../storage/sole-writer.ts';
import { broken, off, ok, type Verdict } from './finding.ts';

const CONTENT = 'Written by formstead doctor.';

/** Limit of files to look for, each of the newest and of the oldest submissions. */
const SAMPLE = 20;

/** Checks the bucket by a small object that it writes, lists, reads and deletes, and looks for some stored files. */
export async function files({ blobs, store, config: { s3 } }: Context): Promise<Verdict> {
  if (!s3 && (await store.instances.list()).length > 1) return broken(SEVERAL_WRITERS);
  if (!s3) {
    const fault = await findMissing(blobs, store);
    if (fault !== null) return broken(fault);
    return off('In the data directory. Set S3_URL to keep them in a bucket.');
  }
  const place = `The bucket ${s3.bucket} at ${s3.endpoint}`;
  try {
    const fault = (await tryOut(blobs)) ?? (await findMissing(blobs, store));
    if (fault !== null) return broken(`${place}: ${fault}`);
    return ok(`${place} can be written, listed, read and deleted from.`);
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    if (!(cause instanceof BucketError)) throw error;
    return broken(`${place}: ${cause.message}. ${advice(cause)}`);
  }
}

/** Returns a fault that is no error, or null. The sweep deletes what a failed try leaves. */
async function tryOut(blobs: Blobs): Promise<string | null> {
  const writer = await blobs.create();
  try {
    await writer.write([Buffer.from(CONTENT)]);
    await writer.finish();
    blobs.markReferenced([writer.name]);
    const stored = await blobs.read(writer.name);
    const text = stored && Buffer.concat(await Array.fromAsync(stored.bytes, (bytes) => Buffer.from(bytes))).toString();
    if (text !== CONTENT)
      return 'an object reads differently than it was written. Check that S3_URL leads to an S3 store.';
    if (!(await isListed(blobs, writer.name))) {
      return 'a new object is not listed, so files of refused posts would stay. Check that the store supports ListObjectsV2.';
    }
    return null;
  } finally {
    await blobs.remove([writer.name]);
  }
}

/** Returns a fault if files of the sample are missing, except those deleted meanwhile; null if there are none. */
async function findMissing(blobs: Blobs, store: Context['store']): Promise<string | null> {
  const sample = await store.files.sample(SAMPLE);
  const missing: string[] = [];
  for (const name of sample) if (!(await blobs.read(name))) missing.push(name);
  const deleted = await store.files.findOrphans(missing);
  if (missing.length === deleted.length) return null;
  return `${missing.length - deleted.length} of ${sample.length} files looked for are missing. Run "formstead vault check" to list all, then restore them from a backup.`;
}

async function isListed(blobs: Blobs, name: string): Promise<boolean> {
  for await (const blob of blobs.list()) if (blob.name === name) return true;
  return false;
}

const ADVICE: ReadonlyArray<readonly [code: RegExp, advice: string]> = [
  [/NoSuchBucket/, 'Create the bucket, or correct its name in S3_URL.'],
  [/RequestTimeTooSkewed/, 'Set the clock of this machine (timedatectl shows its state).'],
  [
    /InvalidAccessKeyId|SignatureDoesNotMatch|InvalidToken|ExpiredToken/,
    'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
  ],
  [
    /^30\d|Authorization(?:HeaderMalformed|QueryParametersError)|IllegalLocation/,
    'Correct the region or the endpoint in S3_URL.',
  ],
  [
    /^40[13]|AccessDenied/,
    'Allow the access key s3:PutObject, s3:GetObject and s3:DeleteObject on the objects and s3:ListBucket on the bucket.',
  ],
  [/^5\d\d|^429/, 'The store refuses requests at the moment. See its own status.'],
];

/** Returns the remedy for an error code of a bucket. */
function advice({ code }: BucketError): string {
  return (
    ADVICE.find(([pattern]) => pattern.test(code))?.[1] ?? 'Check that this machine can reach the endpoint in S3_URL.'
  );
}

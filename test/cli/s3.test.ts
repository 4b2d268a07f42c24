import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { SetupError } from '../../src/domain/errors.ts';
import { formData } from '../fast/visitor/files.ts';
import { temporaryDir } from '../support/instance.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { startS3, startStubS3 } from '../support/s3.ts';
import { instances, json, run } from './command-line.ts';

const instance = instances();
const dir = temporaryDir();
const s3 = await startS3(join(dir, 's3'));
afterAll(async () => {
  await s3.stop();
  rmSync(dir, { recursive: true });
});

const readNothing = () => {
  throw new Error('ENOENT');
};

function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SetupError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('S3_URL', () => {
  const location = (S3_URL: string) => loadConfig({ S3_URL }).s3;

  test('names bucket, prefix, region, endpoint and style', () => {
    expect(location('s3://my-bucket?region=eu-central-1')).toEqual({
      bucket: 'my-bucket',
      prefix: '',
      endpoint: 'https://s3.eu-central-1.amazonaws.com',
      region: 'eu-central-1',
      forcePathStyle: false,
    });
    expect(location('s3://forms/team/files/?endpoint=http://10.0.0.7:9000')).toEqual({
      bucket: 'forms',
      prefix: 'team/files/',
      endpoint: 'http://10.0.0.7:9000',
      region: 'us-east-1',
      forcePathStyle: true,
    });
    expect(location('s3://forms?endpoint=https://s3.example.com/&region=auto&forcePathStyle=false')).toMatchObject({
      endpoint: 'https://s3.example.com',
      region: 'auto',
      forcePathStyle: false,
    });
  });

  test.each([
    ['my-bucket', /is not an s3:\/\/ URL \(9 characters\)\. Set it to/],
    ['https://my-bucket', /is not an s3:\/\/ URL/],
    ['s3://', /is not an s3:\/\/ URL/],
    ['s3://key:hunter2@forms?region=a', /contains credentials\. Remove them/],
    ['s3://hunter2@forms?region=a', /contains credentials/],
    ['s3://forms', /neither region nor endpoint\. Add the region/],
    ['s3://forms?region=eu central', /invalid region\. Set it/],
    ['s3://forms?region=a&secret=hunter2', /unknown parameter \(secret\)\. Remove it/],
    ['s3://forms?region=a&forcePathStyle=yes', /invalid forcePathStyle\. Set it to true or false/],
    ['s3://forms?endpoint=s3.example.com', /invalid endpoint\. Set it/],
    ['s3://forms?endpoint=https://a:hunter2@s3.example.com', /invalid endpoint/],
    ['s3://forms?endpoint=https://s3.example.com/path', /invalid endpoint/],
    ['s3://forms:9000?region=a', /port behind the bucket\. Set/],
    ['s3://forms?region=a#hunter2', /after "#"\. Remove it/],
    ['s3://a?region=a', /names the bucket "a"/],
    ['s3://forms/a b?region=a', /prefix with other characters/],
  ])('%s is refused', (text, message) => {
    const refusal = refusalOf(() => location(text));
    expect(refusal).toMatch(message);
    expect(refusal).toStartWith('S3_URL ');
    expect(refusal).not.toContain('hunter2');
  });

  const S3_URL = 's3://forms?region=eu-central-1';
  const ID = { AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE' };
  const KEY = { AWS_SECRET_ACCESS_KEY: 'hunter2/+' };

  test('takes credentials from the standard variables or files', () => {
    const token = { AWS_SESSION_TOKEN: 'a/b+c=' };
    const expected = { s3AccessKeyId: 'AKIAEXAMPLE', s3SecretAccessKey: 'hunter2/+', s3SessionToken: 'a/b+c=' };
    const direct = { S3_URL, ...ID, ...KEY, ...token };
    expect(loadSecrets(direct, readNothing)).toMatchObject(expected);
    const inFiles = { S3_URL, ...ID, AWS_SECRET_ACCESS_KEY_FILE: '/run/secret', AWS_SESSION_TOKEN_FILE: '/run/token' };
    const read = (path: string) => (path === '/run/secret' ? 'hunter2/+\n' : 'a/b+c=\n');
    expect(loadSecrets(inFiles, read)).toMatchObject(expected);
  });

  test.each<[Record<string, string>, RegExp]>([
    [ID, /^S3_URL is set but AWS_SECRET_ACCESS_KEY is not\. Set it/],
    [KEY, /^S3_URL is set but AWS_ACCESS_KEY_ID is not\. Set it/],
    [{}, /^S3_URL is set but AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not\. Set them/],
    [{ AWS_ACCESS_KEY_ID: 'hunter2/+', ...KEY }, /^AWS_ACCESS_KEY_ID must be letters.*\(got 9 characters\)/],
    [{ ...ID, AWS_SECRET_ACCESS_KEY: 'hunter2 hunter2' }, /^AWS_SECRET_ACCESS_KEY must be printable/],
    [{ ...ID, ...KEY, AWS_SECRET_ACCESS_KEY_FILE: '/a' }, /both set/],
    [{ ...ID, AWS_SECRET_ACCESS_KEY_FILE: '/a' }, /must be the path of a readable file/],
  ])('without right credentials is refused: %j', (env, message) => {
    const refusal = refusalOf(() => loadSecrets({ S3_URL, ...env }, readNothing));
    expect(refusal).toMatch(message);
    expect(refusal).not.toContain('hunter2');
  });

  test('that is not set leaves credentials of other programs alone', () => {
    const env = { AWS_ACCESS_KEY_ID: 'not for us!', AWS_SECRET_ACCESS_KEY: 'a', AWS_SECRET_ACCESS_KEY_FILE: '/b' };
    expect(loadSecrets(env, readNothing)).toEqual(loadSecrets({}, readNothing));
  });
});

const env = { ...s3.env, READS_PER_MINUTE: '0' };
type Made = { id: string; secret: string };

/** Creates a data directory with a form, without a bucket. */
async function newInstance() {
  const dataDir = instance();
  const make = (...args: string[]) => json<Made>(dataDir, args);
  const team = await make('team', 'create', '--name', 'Team');
  const workspace = await make('workspace', 'create', '--team', team.id, '--name', 'Workspace');
  const form = await make('form', 'create', '--workspace', workspace.id, '--name', 'Form');
  const { secret } = await make('key', 'create', '--team', team.id, '--name', 'Key');
  const upload = async ({ url }: ServerProcess, text: string) => {
    const body = formData([['cv', new File([text], 'cv.txt')]]);
    const answer = await fetch(`${url}/v1/forms/${form.id}/submissions`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  };
  /** Reads the files of all submissions, newest first. */
  const readAll = async ({ url }: ServerProcess) => {
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = await fetch(`${url}/v1/forms/${form.id}/submissions`, { headers });
    const { data } = (await answer.json()) as {
      data: { items: Array<{ id: string; file_metadata: { files: Array<{ id: string }> } }> };
    };
    return Promise.all(
      data.items.map(async ({ id, file_metadata }) => {
        const file = await fetch(`${url}/v1/submissions/${id}/files/${file_metadata.files[0]?.id}`, { headers });
        return file.text();
      }),
    );
  };
  return { dataDir, upload, readAll };
}

test('files from before S3_URL stay readable on disk, and a backup has the files of both places', async () => {
  const { dataDir, upload, readAll } = await newInstance();
  const before = await spawnServer(dataDir);
  await upload(before, 'on disk');
  await before.end();
  const server = await spawnServer(dataDir, env);
  await upload(server, 'in the bucket');
  expect(await readAll(server)).toEqual(['in the bucket', 'on disk']);
  expect(readdirSync(join(dataDir, 'files'))).toHaveLength(1);

  const target = join(dir, 'backups');
  const backup = await run(dataDir, ['backup', target, '--with-key', '--json'], env);
  expect([backup.code, backup.stderr]).toEqual([0, '']);
  const { path, missing } = JSON.parse(backup.stdout) as { path: string; missing: number };
  expect([missing, readdirSync(join(path, 'files')).length]).toEqual([0, 2]);
  await server.end();

  const restored = join(dir, 'restored');
  expect((await run(restored, ['restore', path])).code).toBe(0);
  const copy = await spawnServer(restored);
  expect(await readAll(copy)).toEqual(['in the bucket', 'on disk']);
  await copy.end();
});

test('a backup fails with the reason if the bucket cannot be reached', async () => {
  const { dataDir, upload } = await newInstance();
  const server = await spawnServer(dataDir, env);
  await upload(server, 'in the bucket');
  await server.end();
  const refusing = startStubS3(() => new Response(null, { status: 403 }));
  const target = join(dir, 'failed');
  const { code, stderr } = await run(dataDir, ['backup', target, '--with-key'], refusing.env);
  await refusing.stop();
  expect([code, readdirSync(target)]).toEqual([1, []]);
  expect(stderr).toContain('Could not copy the files in the bucket: HEAD failed with 403. Run "formstead doctor"');
  expect(stderr).not.toContain('secret-canary');
});

test('a check of all files ends with the reason if the bucket cannot be reached, and names no file as damaged', async () => {
  const { dataDir, upload } = await newInstance();
  const server = await spawnServer(dataDir, env);
  for (let n = 0; n < 20; n++) await upload(server, 'in the bucket');
  await server.end();
  const intact = await run(dataDir, ['restore', '--verify'], env);
  expect(intact).toEqual({ code: 0, stdout: '', stderr: '40 records and 20 files opened, 0 failed.\n' });
  const failing = [
    ['HEAD failed with 403', () => new Response(null, { status: 403 })],
    [
      'GET failed with 403',
      ({ method }: Request) => {
        const headers = { 'Content-Length': '30' };
        return method === 'HEAD' ? new Response(null, { headers }) : new Response(null, { status: 403 });
      },
    ],
  ] as const;
  for (const [says, answer] of failing) {
    const stub = startStubS3(answer);
    const { code, stdout, stderr } = await run(dataDir, ['restore', '--verify'], stub.env);
    await stub.stop();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Could not use the bucket of S3_URL: ${says}. Run "formstead doctor" for the reason.`);
  }
});

describe('doctor', () => {
  const examine = async (settings: Record<string, string>) => {
    const { dataDir } = await newInstance();
    const { stdout } = await run(dataDir, ['doctor', '--json'], settings);
    const findings = JSON.parse(stdout) as Array<{ check: string; state: string; message: string }>;
    return findings.find(({ check }) => check === 'files');
  };

  test('writes, lists, reads and deletes an object', async () => {
    const before = await s3.keys();
    expect(await examine(env)).toMatchObject({ state: 'ok', message: expect.stringContaining('The bucket forms at') });
    expect(await s3.keys()).toEqual(before);
  });

  const refusals: Array<[code: string, status: number, says: RegExp]> = [
    ['SignatureDoesNotMatch', 403, /Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY\.$/],
    ['RequestTimeTooSkewed', 403, /Set the clock of this machine/],
    ['AccessDenied', 403, /Allow the access key s3:PutObject/],
    ['AuthorizationHeaderMalformed', 400, /Correct the region or the endpoint in S3_URL\.$/],
    ['InternalError', 500, /The store refuses requests at the moment/],
  ];

  test.each(refusals)('explains %s', async (code, status, says) => {
    const stub = startStubS3(() => new Response(`<Error><Code>${code}</Code></Error>`, { status }));
    const finding = await examine(stub.env);
    await stub.stop();
    expect(finding?.state).toBe('broken');
    expect(finding?.message).toContain(`PUT failed with ${status} ${code}. `);
    expect(finding?.message).toMatch(says);
    expect(finding?.message).not.toContain('secret-canary');
  });

  test.each([
    ['a missing bucket', `s3://missing?endpoint=${s3.endpoint}`, /404 NoSuchBucket\. Create the bucket/],
    ['an unreachable store', 's3://forms?endpoint=http://127.0.0.1:9', /\. Check that this machine can reach/],
  ])('explains %s', async (_, S3_URL, says) => {
    const finding = await examine({ ...env, S3_URL });
    expect(finding?.state).toBe('broken');
    expect(finding?.message).toMatch(says);
  });
});

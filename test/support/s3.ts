import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const S3RVER = join(import.meta.dir, '../s3rver');
const START_MS = 60_000;
const BUCKET = 'forms';

/** An S3 server on this machine with one bucket. */
export type S3Server = Readonly<{
  /** Settings of an instance that keeps its files in the bucket. */
  env: Readonly<Record<'S3_URL' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY', string>>;
  endpoint: string;
  /** Starts the server again on the same address after `stop`. */
  start: () => Promise<void>;
  stop: () => Promise<void>;
  /** Lists the keys of all objects, sorted. */
  keys: () => Promise<string[]>;
  /** Client with full access to the bucket, independent of the code under test. */
  client: Bun.S3Client;
}>;

/** Starts s3rver with its objects in `folder`. Installs it at the first use. */
export async function startS3(folder: string, bucket = BUCKET): Promise<S3Server> {
  const install = Bun.spawn(['bun', 'install', '--frozen-lockfile', '--silent'], { cwd: S3RVER, stdin: 'ignore' });
  if ((await install.exited) !== 0) throw new Error('could not install s3rver');
  mkdirSync(folder, { recursive: true });
  const port = freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  const client = new Bun.S3Client({ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', endpoint, bucket });
  let server: ReturnType<typeof spawn> | null = null;
  const spawn = () => {
    const command = ['node', 'node_modules/s3rver/bin/s3rver.js', '--directory', folder, '--port', String(port)];
    return Bun.spawn([...command, '--address', '127.0.0.1', '--silent', '--configure-bucket', bucket], {
      cwd: S3RVER,
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'ignore',
    });
  };
  const start = async () => {
    server = spawn();
    const answers = () =>
      fetch(endpoint).then(
        () => true,
        () => {
          if (server?.exitCode !== null) throw new Error('s3rver ended');
          return false;
        },
      );
    await until(answers, 'the S3 server to answer', START_MS);
  };
  await start();
  return {
    env: { S3_URL: `s3://${bucket}/team/files?endpoint=${endpoint}`, ...credentials },
    endpoint,
    client,
    start,
    stop: async () => {
      server?.kill('SIGKILL');
      await server?.exited;
    },
    keys: async () => ((await client.list()).contents ?? []).map(({ key }) => key).sort(),
  };
}

/** A stand-in for an S3 server that answers as `answer` says; undefined means never. */
export function startStubS3(answer: (request: Request) => Response | undefined | Promise<Response | undefined>) {
  const requests: Request[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      requests.push(request);
      return (await answer(request)) ?? new Promise<Response>(() => {});
    },
  });
  const endpoint = `http://127.0.0.1:${server.port}`;
  return {
    endpoint,
    requests,
    env: {
      S3_URL: `s3://forms/files?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: 'ACCESSKEY',
      AWS_SECRET_ACCESS_KEY: 'secret-canary',
    },
    stop: () => server.stop(true),
  };
}

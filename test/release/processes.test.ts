import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestData, listAll, type TestData } from '../../.ci/torture/harness.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { unpackDebian } from '../support/debian.ts';
import { namedBlock } from '../support/documents.ts';
import { stablePort } from '../support/free-port.ts';
import { temporaryDir } from '../support/instance.ts';
import { type PostgresServer, startPostgres, withClient } from '../support/postgres.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { type S3Server, startS3 } from '../support/s3.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

const HOST = 'forms.example.com';
const METRICS_TOKEN = 'token-of-the-compose-tests';
const PROCESSES = ['formstead-a', 'formstead-b'] as const;
/** The number of visitors of each process. */
const VISITORS_EACH = 4;
const POSTS_BETWEEN = 60;
const BODY_BYTES = 60_000;

type Service = Readonly<{
  environment: Record<string, string>;
  secrets?: string[];
  volumes: string[];
  stop_grace_period?: string;
  healthcheck: Readonly<{ test: string[] }>;
  logging: Readonly<{ options: Record<string, string> }>;
}>;
type Compose = Readonly<{
  services: Record<(typeof PROCESSES)[number] | 'caddy' | 'postgres' | 'garage', Service>;
  volumes: Record<string, unknown>;
  secrets: Record<string, Readonly<{ file: string }>>;
  configs: Record<string, Readonly<{ content: string }>>;
}>;

const compose = Bun.YAML.parse(namedBlock('processes')) as Compose;
const folder = temporaryDir();
afterAll(() => rmSync(folder, { recursive: true }));

test('the compose file sets what the image and the manual require', () => {
  const image = readFileSync(join(import.meta.dir, '../../Dockerfile'), 'utf8');
  const known = Object.values(SETTINGS).flatMap(({ name }) => [name, `${name}_FILE`]) as string[];
  for (const name of PROCESSES) {
    const { environment, volumes, secrets, healthcheck, stop_grace_period: grace } = compose.services[name];
    expect(Object.keys(environment).filter((each) => !known.includes(each))).toEqual([]);
    expect(volumes).toEqual([`${name}:${/^VOLUME (\S+)$/m.exec(image)?.[1]}`]);
    const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
    expect(files.map((file) => file.slice('/run/secrets/'.length))).toEqual(secrets ?? []);
    expect(Number.parseInt(grace ?? '', 10)).toBeGreaterThan(Number(environment.SHUTDOWN_DELAY_SECONDS) + 15);
    expect(image).toContain(`CMD ["${healthcheck.test[1]}", "${healthcheck.test[2]}"]`);
  }
  for (const { logging, volumes } of Object.values(compose.services)) {
    expect(logging.options).toEqual({ 'max-size': '10m', 'max-file': '5' });
    expect(Object.keys(compose.volumes)).toContain(volumes[0]?.split(':', 1)[0] ?? '');
  }
});

test(
  'docker-compose accepts the compose file',
  async () => {
    const programs = join(folder, 'docker-compose');
    const libraries = await unpackDebian(programs, ['docker-compose']);
    // The version in Debian does not know inline configs.
    const configs = Object.entries(compose.configs).map(([name, { content }]) => {
      writeFileSync(join(programs, name), content);
      return [name, { file: `./${name}` }];
    });
    mkdirSync(join(programs, 'secrets'));
    writeFileSync(join(programs, 'secrets/garage.env'), '');
    writeFileSync(join(programs, 'compose.json'), JSON.stringify({ ...compose, configs: Object.fromEntries(configs) }));
    const env = { ...Bun.env, PYTHONPATH: join(programs, 'usr/lib/python3/dist-packages'), LD_LIBRARY_PATH: libraries };
    await run(['/usr/bin/python3', '-m', 'compose', '-f', 'compose.json', 'config', '-q'], programs, env);
  },
  limit(120),
);

/** Runs a command and returns its output. Throws its error output if it fails. */
async function run(command: string[], cwd: string, env: Record<string, string | undefined> = Bun.env): Promise<string> {
  const child = Bun.spawn(command, { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** The services of the compose file as processes of this machine. */
type Deployment = Readonly<{
  testData: TestData;
  s3: S3Server;
  /** Sends a request to the public address through Caddy, from an address of this machine. */
  curl: (from: string, path: string, ...options: string[]) => Promise<{ status: number; body: string }>;
  /** The address of a process, behind Caddy. */
  direct: (name: string) => { url: string };
  processes: Map<string, ServerProcess>;
  start: (name: string) => Promise<void>;
  /** The command that the health check of a service runs. */
  isHealthy: (name: string) => Promise<boolean>;
  stop: () => Promise<void>;
}>;

async function deploy(): Promise<Deployment> {
  const postgres = await startPostgres();
  const s3 = await startS3(join(folder, 's3'), 'formstead');
  await createSecrets(postgres);
  const ports = new Map(PROCESSES.map((name) => [name as string, stablePort()]));
  const envOf = (name: (typeof PROCESSES)[number]): Record<string, string> => ({
    ...localSettings(compose.services[name].environment, s3),
    PORT: String(ports.get(name)),
    ...{ METRICS_TOKEN, READS_PER_MINUTE: '0' },
  });
  const testData = await createTestData(join(folder, 'formstead-a'), envOf('formstead-a'));
  const processes = new Map<string, ServerProcess>();
  const start = async (name: string) => {
    processes.set(name, await spawnServer(join(folder, name), envOf(name as (typeof PROCESSES)[number])));
  };
  for (const name of PROCESSES) await start(name);
  const caddy = await startCaddy(ports);
  return {
    ...{ testData, s3, processes, start, curl: caddy.curl },
    direct: (name) => ({ url: `http://127.0.0.1:${ports.get(name)}` }),
    isHealthy: async (name) => {
      const [, , ...args] = compose.services['formstead-a'].healthcheck.test;
      return (await formstead(folder, args, { PORT: String(ports.get(name)) })).code === 0;
    },
    stop: async () => {
      await caddy.stop();
      await Promise.all(processes.values().map((server) => server.end('SIGKILL')));
      await Promise.all([s3.stop(), postgres.stop()]);
    },
  };
}

/** Runs the commands for secrets, and replaces the host of the database and the keys of the bucket. */
async function createSecrets(postgres: PostgresServer): Promise<void> {
  await run(['bash', '-euo', 'pipefail', '-c', namedBlock('secrets')], folder);
  const secret = (name: string) => join(folder, compose.secrets[name]?.file ?? '');
  expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700);
  for (const name of Object.keys(compose.secrets)) expect(statSync(secret(name)).mode & 0o777).toBe(0o644);
  const garage = Object.fromEntries(
    new URLSearchParams(readFileSync(join(folder, 'secrets/garage.env'), 'utf8').trim().replaceAll('\n', '&')),
  );
  expect(garage).toEqual({
    GARAGE_RPC_SECRET: expect.stringMatching(/^[0-9a-f]{64}$/),
    GARAGE_DEFAULT_ACCESS_KEY: readFileSync(secret('s3-access-key'), 'utf8').trim(),
    GARAGE_DEFAULT_SECRET_KEY: readFileSync(secret('s3-secret-key'), 'utf8').trim(),
  });
  for (const name of ['s3-access-key', 's3-secret-key']) writeFileSync(secret(name), 'S3RVER\n');
  const url = readFileSync(secret('database-url'), 'utf8');
  writeFileSync(secret('database-url'), url.replace('@postgres:5432', `@${new URL(postgres.url).host}`));
  const user = compose.services.postgres.environment.POSTGRES_USER;
  const password = readFileSync(secret('postgres-password'), 'utf8').trim();
  await withClient(postgres.url, async (client) => {
    await client.query(`CREATE ROLE ${user} LOGIN PASSWORD '${password}'`);
    await client.query(`CREATE DATABASE ${user} OWNER ${user}`);
  });
}

/** Returns the settings of a service with the paths and addresses of this machine. */
function localSettings(environment: Record<string, string>, s3: S3Server): Record<string, string> {
  const local = Object.entries(environment).map(([name, value]) => [
    name,
    value
      .replace(/^\/run\/secrets\/(\S+)/, (_, secret) => join(folder, compose.secrets[secret]?.file ?? ''))
      .replace('http://garage:3900', s3.endpoint)
      .replace('172.30.99.0/24', '127.0.0.1'),
  ]);
  return Object.fromEntries(local);
}

/** Starts Debian's Caddy with the Caddyfile of the compose file. */
async function startCaddy(ports: ReadonlyMap<string, number>) {
  const programs = join(folder, 'caddy');
  const libraries = await unpackDebian(programs, ['caddy']);
  const [https, http] = [stablePort(), stablePort()];
  let caddyfile = compose.configs.caddyfile?.content ?? '';
  for (const [name, port] of ports) caddyfile = caddyfile.replace(`${name}:3000`, `127.0.0.1:${port}`);
  const file = join(folder, 'Caddyfile');
  writeFileSync(
    file,
    `{
      admin off
      storage file_system ${programs}/storage
      default_bind 127.0.0.1
      http_port ${http}
      https_port ${https}
      local_certs
      skip_install_trust
    }
    ${caddyfile}`,
  );
  const child = Bun.spawn([join(programs, 'usr/bin/caddy'), 'run', '--adapter', 'caddyfile', '--config', file], {
    env: { PATH: Bun.env.PATH, HOME: programs, LD_LIBRARY_PATH: libraries },
    stdout: 'ignore',
    stderr: Bun.file(join(folder, 'caddy.log')),
  });
  const curl = async (from: string, path: string, ...options: string[]) => {
    // Over HTTP/2, Caddy sometimes cuts off the body of an answer to an unfinished request.
    const connect = ['--insecure', '--http1.1', '--connect-to', `${HOST}:443:127.0.0.1:${https}`, '--interface', from];
    const command = ['curl', '--silent', ...connect, '--write-out', '\n%{http_code}', ...options];
    const request = Bun.spawn([...command, `https://${HOST}${path}`], { stdout: 'pipe', stderr: 'ignore' });
    const output = await request.stdout.text();
    const end = output.lastIndexOf('\n');
    return { status: Number(output.slice(end + 1)), body: output.slice(0, end) };
  };
  await until(async () => (await curl('127.0.0.1', '/readyz')).status === 200, 'Caddy to answer');
  return {
    curl,
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

describe('the services of the compose file as processes', () => {
  let services: Deployment;
  beforeAll(async () => {
    services = await deploy();
    visitors = await findVisitors();
  }, limit(180));
  afterAll(() => services.stop());

  /** The process that Caddy sends each visitor to, by address. */
  let visitors: ReadonlyMap<string, string>;

  async function findVisitors(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (let number = 1; found.size < PROCESSES.length * VISITORS_EACH; number++) {
      const address = `127.${(number * 37) % 251}.${(number * 91) % 241}.${1 + (number % 200)}`;
      const name = await processOf(address);
      if ([...found.values()].filter((each) => each === name).length < VISITORS_EACH) found.set(address, name);
    }
    return found;
  }

  const path = () => `/v1/forms/${services.testData.formId}/submissions`;

  /** Returns the process that Caddy sends an address to. */
  async function processOf(address: string): Promise<string> {
    const { body } = await services.curl(address, '/metrics', '--header', `Authorization: Bearer ${METRICS_TOKEN}`);
    const [, port] = /instance="[^"]*:(\d+)"/.exec(body) ?? [];
    return PROCESSES.find((name) => services.direct(name).url.endsWith(`:${port}`)) ?? '';
  }

  /** Posts from all addresses all the time while `work` runs. Returns what was acknowledged, and what failed. */
  async function whilePosting(prefix: string, work: (acknowledged: Set<string>) => Promise<void>) {
    const acknowledged = new Set<string>();
    const failures: Array<Readonly<{ address: string; status: number }>> = [];
    let isOver = false;
    const visitor = async (address: string) => {
      for (let turn = 0; !isOver; turn++) {
        const n = `${prefix} ${address} ${turn}`;
        const { status } = await services.curl(address, path(), '--json', JSON.stringify({ n }));
        if (status === 200) acknowledged.add(n);
        else failures.push({ address, status });
      }
    };
    const clients = Array.from(visitors.keys(), visitor);
    try {
      await work(acknowledged);
    } finally {
      isOver = true;
      await Promise.all(clients);
    }
    return { acknowledged, failures };
  }

  /** Returns the stored values of `n` that begin with a prefix, sorted. */
  async function stored(prefix: string, name: string = PROCESSES[0]): Promise<string[]> {
    const items = await listAll(services.direct(name), services.testData);
    return items
      .map(({ data }) => data.n ?? '')
      .filter((n) => n.startsWith(prefix))
      .sort();
  }

  test('a post with a file is stored, and its file is in the bucket', async () => {
    const before = await services.s3.keys();
    writeFileSync(join(folder, 'upload'), Buffer.alloc(BODY_BYTES, 'upload'));
    const { status } = await services.curl('127.0.0.2', path(), '--form', `cv=@${join(folder, 'upload')}`);
    expect(status).toBe(200);
    const keys = (await services.s3.keys()).filter((key) => !before.includes(key));
    expect(keys).toEqual([expect.stringMatching(/^files\//)]);
    const { s3 } = services;
    expect(Buffer.from(await s3.client.file(keys[0] ?? '').bytes()).includes('uploadupload')).toBe(false);
  });

  test('Caddy keeps an address, and so its session, with one process', async () => {
    for (const [address, name] of visitors) {
      for (let turn = 0; turn < 5; turn++) expect(await processOf(address)).toBe(name);
    }
  });

  test(
    'the deploy of the manual restarts both processes, and no post fails',
    async () => {
      const restarted: string[] = [];
      const control = Bun.serve({
        port: 0,
        hostname: '127.0.0.1',
        idleTimeout: 0,
        fetch: async (request) => {
          const [, name] = /^compose up -d --no-deps --force-recreate --wait (\S+)$/.exec(await request.text()) ?? [];
          if (!name) return new Response();
          expect(await services.processes.get(name)?.end()).toBe(0);
          await services.start(name);
          await until(() => services.isHealthy(name), 'the process to be healthy');
          restarted.push(name);
          return new Response();
        },
      });
      const bin = join(folder, 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'docker'), `#!/bin/sh\nexec curl -sf --data "$*" ${control.url}\n`);
      chmodSync(join(bin, 'docker'), 0o755);
      const { acknowledged, failures } = await whilePosting('deploy', async (seen) => {
        await until(() => seen.size >= POSTS_BETWEEN, 'posts before the deploy');
        await run(['bash', '-euo', 'pipefail', '-c', namedBlock('deploy')], folder, {
          ...Bun.env,
          PATH: `${bin}:${Bun.env.PATH}`,
        });
        const goal = seen.size + POSTS_BETWEEN;
        await until(() => seen.size >= goal, 'posts after the deploy');
      });
      await control.stop();
      expect(restarted).toEqual([...PROCESSES]);
      expect(failures).toEqual([]);
      expect(await stored('deploy')).toEqual([...acknowledged].sort());
    },
    limit(240),
  );

  test(
    'Caddy repeats no post that a killed process had received, and sends later ones to the other process',
    async () => {
      const [[address, name] = ['', '']] = visitors;
      const [other = ''] = PROCESSES.filter((each) => each !== name);
      const server = services.processes.get(name);
      process.kill(server?.pid ?? 0, 'SIGSTOP');
      const body = JSON.stringify({ n: 'in flight', text: 'x'.repeat(BODY_BYTES) });
      const answer = services.curl(address, path(), '--json', body);
      await until(() => unreadBytes(services.direct(name).url) >= BODY_BYTES / 2, 'the post to reach the process');
      await server?.end('SIGKILL');
      expect((await answer).status).toBe(502);
      const again = () => services.curl(address, path(), '--json', JSON.stringify({ n: 'in flight, again' }));
      await until(async () => (await again()).status === 200, 'Caddy to use the other process');
      expect(await stored('in flight', other)).toEqual(['in flight, again']);
      await services.start(name);
      await until(async () => (await processOf(address)) === name, 'Caddy to use the new process');
    },
    limit(60),
  );

  test(
    'a process that is killed while visitors post fails posts of its own visitors only, and none is stored twice',
    async () => {
      const [name] = PROCESSES;
      const [other = ''] = PROCESSES.filter((each) => each !== name);
      const { acknowledged, failures } = await whilePosting('killed', async (seen) => {
        await until(() => seen.size >= POSTS_BETWEEN, 'posts before the kill');
        await services.processes.get(name)?.end('SIGKILL');
        const goal = seen.size + POSTS_BETWEEN;
        await until(() => seen.size >= goal, 'posts after the kill');
      });
      const strays = failures.filter(({ address, status }) => status !== 502 || visitors.get(address) !== name);
      expect(strays).toEqual([]);
      const found = await stored('killed', other);
      expect(new Set(found).size).toBe(found.length);
      expect([...acknowledged].filter((n) => !found.includes(n))).toEqual([]);
    },
    limit(120),
  );
});

/** Returns the most bytes that a connection to a port has received and its process has not read. */
function unreadBytes(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
  const table = readFileSync('/proc/net/tcp', 'utf8');
  const queues = table.matchAll(new RegExp(`: [0-9A-F]{8}:${port} \\S+ 01 [0-9A-F]{8}:([0-9A-F]{8})`, 'g'));
  return Math.max(0, ...Array.from(queues, ([, queue = '0']) => Number.parseInt(queue, 16)));
}

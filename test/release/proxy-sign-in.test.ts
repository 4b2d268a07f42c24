import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAccount } from '../fast/dashboard/signed-in.ts';
import { unpackDebian } from '../support/debian.ts';
import { namedBlock } from '../support/documents.ts';
import { startOnFreePort } from '../support/free-port.ts';
import { type Instance, startInstance, temporaryDir } from '../support/instance.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

const folder = temporaryDir();
let libraries = '';
beforeAll(async () => {
  libraries = await unpackDebian(folder, ['nginx', 'caddy']);
}, limit(120));
afterAll(() => rmSync(folder, { recursive: true }));

/** A service that signs people in by a cookie with their address, as the forward authentication of Authelia does. */
function startAuthService() {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ headers }) {
      const email = /(?:^|; )auth=([^;]+)/.exec(headers.get('cookie') ?? '')?.[1];
      if (email === undefined) return new Response('sign in first', { status: 401 });
      return new Response('', email === 'nameless' ? {} : { headers: { 'Remote-Email': decodeURIComponent(email) } });
    },
  });
}

type Ports = Readonly<{ port: number; upstream: string; auth: string }>;

/** Returns a recipe of the manual with the addresses of the test. */
function recipe(name: string, { upstream, auth }: Ports): string {
  return namedBlock(name).replaceAll('127.0.0.1:3000', upstream).replaceAll('127.0.0.1:9091', auth);
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const PROGRAMS: Readonly<Record<string, (ports: Ports) => Readonly<{ command: string[]; configuration: string }>>> = {
  caddy: (ports) => ({
    command: [join(folder, 'usr/bin/caddy'), 'run', '--adapter', 'caddyfile', '--config'],
    configuration: `
      {
        admin off
        storage file_system ${folder}/caddy
        default_bind 127.0.0.1
        auto_https off
      }
      ${recipe('caddy-sign-in', ports).replace('forms.example.com', `http://127.0.0.1:${ports.port}`)}`,
  }),
  nginx: (ports) => ({
    command: [join(folder, 'usr/sbin/nginx'), '-e', 'stderr', '-c'],
    configuration: `
      daemon off;
      master_process off;
      pid ${folder}/nginx.pid;
      error_log stderr warn;
      events {}
      http {
        access_log off;
        ${TEMPORARY.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
        server {
          listen 127.0.0.1:${ports.port};
          ${recipe('nginx-sign-in', ports)}
        }
      }`,
  }),
};

describe.each(Object.entries(PROGRAMS))('behind %s', (name, program) => {
  let instance: Instance;
  let auth: ReturnType<typeof startAuthService>;
  let url = '';
  let stop = async () => {};
  const [ada, eve] = ['ada@x.example', 'eve@x.example'];

  beforeAll(async () => {
    instance = await startInstance({ env: { AUTH_HEADER: 'Remote-Email', TRUSTED_PROXIES: '127.0.0.1' } });
    auth = startAuthService();
    for (const email of [ada, eve]) await makeAccount(instance, instance.owner, { email });
    await startOnFreePort(async (port) => {
      url = `http://127.0.0.1:${port}`;
      const ports = { port, upstream: new URL(instance.url).host, auth: `127.0.0.1:${auth.port}` };
      const { command, configuration } = program(ports);
      const file = join(folder, `${name}.conf`);
      writeFileSync(file, configuration);
      const env = { PATH: Bun.env.PATH, HOME: folder, LD_LIBRARY_PATH: libraries };
      const child = Bun.spawn([...command, file], { cwd: folder, env, stdout: 'ignore', stderr: 'pipe' });
      const answers = async () => (await fetch(`${url}/healthz`).catch(() => null))?.status === 200;
      await until(async () => child.exitCode !== null || (await answers()), `${name} to answer`);
      if (child.exitCode !== null) throw new Error(`${await child.stderr.text()} EADDRINUSE`);
      stop = async () => {
        child.kill();
        await child.exited;
      };
    });
  }, limit(60));
  afterAll(async () => {
    await stop();
    await auth.stop(true);
    await instance.stop();
  });

  let jars = 0;

  /** Opens the account page as a browser does; returns the status and who is signed in. */
  const open = async (...options: string[]) => {
    const jar = join(folder, `${name}-${++jars}.cookies`);
    const child = Bun.spawn(
      [
        'curl',
        '-sL',
        '--max-redirs',
        '6',
        '-b',
        jar,
        '-c',
        jar,
        '-w',
        '\n%{http_code}',
        ...options,
        `${url}/dashboard/account`,
      ],
      { stdout: 'pipe', stderr: 'ignore' },
    );
    const [, body = '', status = ''] = /^(.*)\n(\d{3})$/s.exec(await child.stdout.text()) ?? [];
    return { status: Number(status), person: /<span class="grow">(\S+@x\.example)</.exec(body)?.[1] ?? null };
  };
  const as = (email: string) => ['-H', `Cookie: auth=${email}`];

  test('the person of the proxy is signed in, and nobody without', async () => {
    expect(await open(...as(ada))).toEqual({ status: 200, person: ada });
    expect(await open(...as(eve))).toEqual({ status: 200, person: eve });
    expect(await open()).toEqual({ status: 401, person: null });
    expect((await open(...as('stranger@x.example'))).status).toBe(403);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  test.each([
    ['the header', ['-H', `Remote-Email: ${ada}`]],
    ['the header in lower case', ['-H', `remote-email: ${ada}`]],
    ['the header twice', ['-H', `Remote-Email: ${ada}`, '-H', `Remote-Email: ${ada}`]],
    ['the header with underscores', ['-H', `Remote_Email: ${ada}`]],
    ['an empty header before it', ['-H', 'Remote-Email;', '-H', `Remote-Email: ${ada}`]],
    ['the header marked as one of the connection', ['-H', `Remote-Email: ${ada}`, '-H', 'Connection: Remote-Email']],
    ['the address of the proxy', ['-H', `Remote-Email: ${ada}`, '-H', 'X-Forwarded-For: 127.0.0.1']],
    ['both addresses', ['-H', `Remote-Email: ${ada}, ${eve}`]],
    ['another original URL', ['-H', `Remote-Email: ${ada}`, '-H', 'X-Original-URL: /healthz']],
    ['a rewritten host', ['-H', `Remote-Email: ${ada}`, '-H', 'X-Forwarded-Host: 127.0.0.1']],
  ])('%s does not make one person another', async (_, forged) => {
    expect((await open(...forged)).person).toBeNull();
    expect([eve, null]).toContain((await open(...as(eve), ...forged)).person);
    expect((await open(...as('nameless'), ...forged)).person).toBeNull();
  });

  test.each([
    '/x\\..\\dashboard/sign-in/proxy',
    '/x/..\\dashboard/sign-in/proxy',
    '/.\\dashboard/sign-in/proxy',
    '/x\\%2e%2e/dashboard/sign-in/proxy',
    '/x/../dashboard/sign-in/proxy',
    '/%2e/dashboard/sign-in/proxy',
  ])('the path %p leads nobody to the dashboard', async (path) => {
    const command = ['curl', '-s', '--path-as-is', '-o', '/dev/null', '-D', '-', '-H', `Remote-Email: ${ada}`];
    const child = Bun.spawn([...command, url + path], { stdout: 'pipe' });
    const headers = await child.stdout.text();
    expect(headers).toMatch(/^HTTP\/1.1 4\d\d/);
    expect(headers.toLowerCase()).not.toContain('set-cookie');
  });

  test('a request past the proxy is refused', async () => {
    const direct = Bun.spawn(
      [
        'curl',
        '-s',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '--interface',
        '127.0.0.2',
        '-H',
        `Remote-Email: ${ada}`,
        `${instance.url}/dashboard/account`,
      ],
      { stdout: 'pipe' },
    );
    expect(await direct.stdout.text()).toBe('403');
  });
});

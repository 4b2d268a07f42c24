import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { loadConfig } from '../../src/config/config.ts';
import { unpackDebian } from '../support/debian.ts';
import { documentText, namedBlock } from '../support/documents.ts';
import { startOnFreePort } from '../support/free-port.ts';
import { type Instance, startInstance, temporaryDir } from '../support/instance.ts';
import { BASE_URL, caddyOptions, curl, HOST, type ProxyPorts } from '../support/public-address.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

const METRICS_TOKEN = 'token-of-the-proxy-tests';
const LIMIT = 3;
const UPLOAD_BYTES = 8_000_000;
const TOO_LARGE_BYTES = 30_000_000;

const folder = temporaryDir();
const certificates = join(folder, 'certificates');
let libraries = '';
beforeAll(async () => {
  libraries = await unpackDebian(folder, ['nginx', 'caddy', 'apache2-bin']);
  const certificate = await generate([{ name: 'commonName', value: HOST }]);
  mkdirSync(certificates);
  writeFileSync(join(certificates, 'fullchain.pem'), certificate.cert);
  writeFileSync(join(certificates, 'privkey.pem'), certificate.private);
  writeFileSync(join(folder, 'upload'), Buffer.alloc(UPLOAD_BYTES, 'upload'));
  writeFileSync(join(folder, 'too-large'), Buffer.alloc(TOO_LARGE_BYTES));
}, limit(120));
afterAll(() => rmSync(folder, { recursive: true }));

type Ports = ProxyPorts & Readonly<{ upstream: string }>;

/** A program of Debian with the configuration that contains the recipe. */
type Program = Readonly<{ command: string[]; configuration: string }>;

/** Temporary folders of nginx, whose defaults require root. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
/** Modules that Debian enables, and those of the manual with their dependencies. */
const MODULES = [
  ...['mpm_event', 'authz_core', 'alias', 'reqtimeout'],
  ...['ssl', 'socache_shmcb', 'proxy', 'proxy_http'],
];

const PROGRAMS: Readonly<Record<string, (ports: Ports) => Program>> = {
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
        ${recipe('nginx', ports).replace(/^.*\[::\].*$/gm, '')}
      }`,
  }),
  caddy: (ports) => ({
    command: [join(folder, 'usr/bin/caddy'), 'run', '--adapter', 'caddyfile', '--config'],
    configuration: `
      ${caddyOptions(folder, ports)}
      ${recipe('caddy', ports)}`,
  }),
  apache: (ports) => ({
    command: [join(folder, 'usr/sbin/apache2'), '-X', '-f'],
    configuration: `
      ServerRoot ${folder}
      ServerName localhost
      DefaultRuntimeDir ${folder}
      PidFile apache.pid
      ErrorLog /dev/stderr
      User www-data
      Group www-data
      ${MODULES.map((name) => `LoadModule ${name}_module usr/lib/apache2/modules/mod_${name}.so`).join('\n')}
      Listen 127.0.0.1:${ports.http}
      Listen 127.0.0.1:${ports.https}
      ${recipe('apache', ports)}`,
  }),
};

/** Returns a recipe of the manual with the ports and certificate of the test. */
function recipe(name: string, { https, http, upstream }: Ports): string {
  return namedBlock(name)
    .replaceAll('/etc/letsencrypt/live/forms.example.com', certificates)
    .replaceAll('127.0.0.1:3000', upstream)
    .replaceAll(/(?<=listen |<VirtualHost \*:)443/g, String(https))
    .replaceAll(/(?<=listen |<VirtualHost \*:)80/g, String(http));
}

type Proxy = Readonly<{ ports: Ports; log: () => string; stop: () => Promise<void> }>;

/** Starts a proxy in front of the instance and waits until it answers. Throws with EADDRINUSE if a port is taken. */
function startProxy(name: string, program: (ports: Ports) => Program, instance: Instance): Promise<Proxy> {
  return startOnFreePort((https) =>
    startOnFreePort(async (http) => {
      const ports = { https, http, upstream: new URL(instance.url).host };
      const { command, configuration } = program(ports);
      const [file, logFile] = [join(folder, `${name}.conf`), join(folder, `${name}.log`)];
      writeFileSync(file, configuration);
      const env = { PATH: Bun.env.PATH, HOME: folder, LD_LIBRARY_PATH: libraries };
      const child = Bun.spawn([...command, file], { cwd: folder, env, stdout: 'ignore', stderr: Bun.file(logFile) });
      const log = () => readFileSync(logFile, 'utf8');
      const stop = async () => {
        child.kill();
        await child.exited;
      };
      const isReady = async () => child.exitCode !== null || (await curl(ports, '/healthz')).status === 200;
      await until(isReady, `${name} to answer`);
      if (child.exitCode !== null) throw new Error(log().replace(/address already in use/i, 'EADDRINUSE'));
      return { ports, log, stop };
    }),
  );
}

describe.each(Object.entries(PROGRAMS))('the recipe for %s', (name, program) => {
  let instance: Instance;
  let proxy: Proxy;
  beforeAll(async () => {
    const env = { BASE_URL, TRUSTED_PROXIES: '127.0.0.1', METRICS_TOKEN, POSTS_PER_MINUTE: String(LIMIT) };
    instance = await startInstance({ env });
    proxy = await startProxy(name, program, instance);
  }, limit(60));
  afterAll(async () => {
    await proxy.stop();
    await instance.stop();
  });

  /** Posts to the form of the owner from an address of this machine. */
  const post = (from: string, ...options: string[]) =>
    curl(proxy.ports, `/v1/forms/${instance.owner.form.id}/submissions`, '--interface', from, ...options);

  test('forwards posts with small bodies and with uploads', async () => {
    expect(await post('127.0.0.2', '--json', '{"name":"Ada"}')).toMatchObject({ status: 200 });
    expect(await post('127.0.0.2', '--form', `cv=@${join(folder, 'upload')}`)).toMatchObject({ status: 200 });
    const answer = await instance.api('GET', `/v1/forms/${instance.owner.form.id}/submissions`, {
      key: instance.owner.readKey,
    });
    const { data } = (await answer.json()) as { data: { items: unknown[] } };
    expect(data.items).toMatchObject([
      { file_metadata: { files: [{ size: UPLOAD_BYTES }] } },
      { data: { name: 'Ada' } },
    ]);
    expect(proxy.log()).not.toContain('temporary file');
  });

  test('leaves the refusal of a body that is too large to Formstead', async () => {
    // Over HTTP/2, Caddy sometimes cuts off the body of an answer to an unfinished request.
    const answer = await post('127.0.0.4', '--http1.1', '--form', `cv=@${join(folder, 'too-large')}`);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([413, 'body_too_large']);
  });

  test('forwards the address of the client, which cannot forge it', async () => {
    const statuses: number[] = [];
    for (let n = 0; n <= LIMIT; n++) {
      const forged = ['--header', `X-Forwarded-For: 203.0.113.${n}`];
      statuses.push((await post('127.0.0.5', '--json', `{"n":${n}}`, ...forged)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await post('127.0.0.6', '--json', '{"n":0}')).toMatchObject({ status: 200 });
  });

  test('forwards /metrics, which requires the token', async () => {
    expect(await curl(proxy.ports, '/metrics')).toMatchObject({ status: 401 });
    const authorization = ['--header', `Authorization: Bearer ${METRICS_TOKEN}`];
    expect(await curl(proxy.ports, '/metrics', ...authorization)).toMatchObject({ status: 200 });
  });

  test('redirects pages from HTTP to HTTPS, and refuses the API', async () => {
    const key = ['--header', `Authorization: Bearer ${instance.owner.readKey}`];
    expect(await curl(proxy.ports, `http://${HOST}/v1/forms`, ...key)).toMatchObject({ status: 403 });
    const path = `/v1/forms/${instance.owner.form.id}/submissions`;
    expect(await curl(proxy.ports, `http://${HOST}${path}`, '--json', '{"a":"b"}')).toMatchObject({ status: 403 });
    const { status, headers } = await curl(proxy.ports, `http://${HOST}/docs?q=1`);
    expect([301, 308]).toContain(status);
    expect(headers.location?.[0]?.replace(`:${proxy.ports.https}`, '')).toBe(`${BASE_URL}/docs?q=1`);
  });
});

test('the recipe for Traefik, which Debian lacks, consists of two files that match', () => {
  const { bodySeconds, maxUploadBytes } = loadConfig({});
  const readMinutes = 15;
  expect(readMinutes * 60).toBeGreaterThan(bodySeconds + maxUploadBytes / (32 * 1024));
  const filename = '/etc/traefik/formstead.yaml';
  expect(documentText('src/manual/deployment.md')).toContain(`into \`${filename}\``);
  expect(Bun.YAML.parse(namedBlock('traefik'))).toMatchObject({
    entryPoints: {
      web: { address: ':80' },
      websecure: { transport: { respondingTimeouts: { readTimeout: `${readMinutes}m` } } },
    },
    certificatesResolvers: { letsencrypt: { acme: { tlsChallenge: {} } } },
    providers: { file: { filename } },
  });
  const router = { rule: `Host(\`${HOST}\`)`, entryPoints: ['websecure'], service: 'formstead' };
  expect(Bun.YAML.parse(namedBlock('traefik-routes'))).toEqual({
    http: {
      routers: {
        formstead: { ...router, tls: { certResolver: 'letsencrypt' } },
        pages: {
          ...router,
          rule: `${router.rule} && !PathPrefix(\`/v1/\`)`,
          entryPoints: ['web'],
          middlewares: ['https'],
        },
      },
      middlewares: { https: { redirectScheme: { scheme: 'https', permanent: true } } },
      services: { formstead: { loadBalancer: { servers: [{ url: 'http://127.0.0.1:3000' }] } } },
    },
  });
});

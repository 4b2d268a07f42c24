import { afterAll, expect, test } from 'bun:test';
import { chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../package.json';
import { unpackDebian } from '../support/debian.ts';
import { namedBlock } from '../support/documents.ts';
import { stablePort } from '../support/free-port.ts';
import { type Architecture, buildImage, type Image, NATIVE } from '../support/image.ts';
import { temporaryDir } from '../support/instance.ts';
import { BASE_URL, caddyOptions, curl, HOST } from '../support/public-address.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

const folder = temporaryDir();
afterAll(() => rmSync(folder, { recursive: true }));

/** A new volume with the owner that the image gives to one. */
function newVolume(name: string, { config }: Image): string {
  const volume = join(folder, name);
  mkdirSync(volume);
  const [user = 0, group = 0] = config.User.split(':').map(Number);
  chownSync(volume, user, group);
  return volume;
}

/** Runs a command of the program in a container to its end. */
async function command(image: Image, volume: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = image.spawn([...image.config.Entrypoint, ...args], volume, env);
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, code };
}

/** Starts the command of the image. */
async function start(image: Image, volume: string, port = stablePort(), settings: Record<string, string> = {}) {
  const env = { ...settings, PORT: String(port) };
  const child = image.spawn([...image.config.Entrypoint, ...image.config.Cmd], volume, env);
  let output = '';
  const decoder = new TextDecoder();
  const reading = (async () => {
    for await (const chunk of child.stdout) output += decoder.decode(chunk, { stream: true });
  })();
  const errors = child.stderr.text();
  const url = `http://127.0.0.1:${port}`;
  await until(
    () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok && output.includes('"listening"'),
        () => child.exitCode !== null,
      ),
    'the server of the image',
    limit(90),
  );
  if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}: ${await errors}`);
  return {
    ...{ url, port, pid: child.pid },
    output: () => output,
    /** Returns the exit code and the output. */
    stop: async () => {
      child.kill('SIGTERM');
      await reading;
      return { code: await child.exited, output: output + (await errors) };
    },
  };
}

/** Runs a command that must succeed, and returns what it prints as JSON. */
async function json<Result>(image: Image, volume: string, args: readonly string[]): Promise<Result> {
  const { stdout, stderr, code } = await command(image, volume, [...args, '--json']);
  expect([args, code, stderr]).toEqual([args, 0, '']);
  return JSON.parse(stdout) as Result;
}

const images = new Map<Architecture, Promise<Image>>();

/** Returns the image, built at the first call. */
function imageFor(architecture: Architecture): Promise<Image> {
  return images.getOrInsertComputed(architecture, () => {
    const place = join(folder, architecture);
    mkdirSync(place);
    return buildImage(place, architecture);
  });
}

const ARCHITECTURES: readonly Architecture[] = NATIVE === 'amd64' ? ['amd64', 'arm64'] : ['arm64'];

test.each(ARCHITECTURES)(
  'the image for %s serves as its user on a read-only root, keeps its volume, and stops in order',
  async (architecture) => {
    const image = await imageFor(architecture);
    const { User, Entrypoint, Cmd, Volumes, Labels, Healthcheck } = image.config;
    expect([User, Entrypoint, Cmd]).toEqual(['65532:65532', ['/usr/local/bin/formstead'], ['serve']]);
    expect(Object.keys(Volumes)).toEqual(['/data']);
    expect(Labels['org.opencontainers.image.title']).toBe('Formstead');
    const volume = newVolume(`${architecture}-volume`, image);
    expect((await command(image, volume, ['--version'])).stdout).toContain(`${version} (0123456789ab)`);

    const first = await start(image, volume);
    const status = await Bun.file(`/proc/${first.pid}/status`).text();
    expect(status).toMatch(/^Uid:\s+65532\s+65532/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    expect(await Bun.file(`/proc/${first.pid}/mounts`).text()).toMatch(/^\S+ \/ \S+ ro\b/m);
    const [, form = ''] = /"form":"(frm_\w+)"/.exec(first.output()) ?? [];
    const body = new URLSearchParams({ email: 'ada@example.com', message: 'Do you repair harps?' });
    expect((await fetch(`${first.url}/v1/forms/${form}/submissions`, { method: 'POST', body })).status).toBe(200);
    const [, ...health] = Healthcheck.Test.slice(1);
    expect((await command(image, volume, health, { PORT: String(first.port) })).code).toBe(0);
    const stopped = await first.stop();
    expect([stopped.code, stopped.output]).toEqual([0, expect.stringContaining('"message":"stopped"')]);
    expect((await command(image, volume, health, { PORT: String(first.port) })).code).toBe(1);

    const second = await start(image, volume, first.port);
    const listed = await json<unknown[]>(image, volume, ['submission', 'list', '--form', form]);
    expect([listed.length, JSON.stringify(listed)]).toEqual([1, expect.stringContaining('Do you repair harps?')]);
    expect((await second.stop()).code).toBe(0);
    expect(statSync(join(volume, 'encryption.key')).uid).toBe(65532);
  },
  limit(300),
);

type Compose = Readonly<{
  services: Readonly<{ formstead: Readonly<{ environment: Record<string, string>; read_only: boolean }> }>;
  configs: Readonly<{ caddyfile: Readonly<{ content: string }> }>;
  networks: Readonly<{ default: Readonly<{ ipam: Readonly<{ config: readonly Readonly<{ subnet: string }>[] }> }> }>;
}>;

test(
  'the parts of the compose file work together: the image behind Caddy, each with its settings',
  async () => {
    const { services, configs, networks } = Bun.YAML.parse(namedBlock('compose')) as Compose;
    const { environment, read_only: isReadOnly } = services.formstead;
    const { TRUSTED_PROXIES: network = '', ...settings } = environment;
    expect([isReadOnly, network]).toEqual([true, networks.default.ipam.config[0]?.subnet ?? '']);
    const image = await imageFor(NATIVE);
    const volume = newVolume('compose-volume', image);
    // Both run on this machine instead of in a network of their own.
    const local = { ...settings, TRUSTED_PROXIES: '127.0.0.1', LOG_ADDRESSES: 'full' };
    const server = await start(image, volume, stablePort(), local);
    const [, form = ''] = /"form":"(frm_\w+)"/.exec(server.output()) ?? [];

    const caddy = join(folder, 'caddy');
    const libraries = await unpackDebian(caddy, ['caddy']);
    const ports = { http: stablePort(), https: stablePort() };
    const file = join(caddy, 'Caddyfile');
    const site = configs.caddyfile.content.replace('formstead:3000', `127.0.0.1:${server.port}`);
    writeFileSync(file, caddyOptions(caddy, ports) + site);
    const proxy = Bun.spawn([join(caddy, 'usr/bin/caddy'), 'run', '--adapter', 'caddyfile', '--config', file], {
      env: { PATH: Bun.env.PATH, HOME: caddy, LD_LIBRARY_PATH: libraries },
      ...{ stdout: 'ignore', stderr: 'ignore' },
    });
    const isReady = async () => (await curl(ports, '/readyz')).status === 200;
    await until(isReady, 'Caddy in front of the image', limit(60));
    const page = await curl(ports, '/dashboard/sign-in');
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('<form')]);
    const path = `/v1/forms/${form}/submissions`;
    const fields = ['-d', 'email=ada@example.com', '-d', 'message=Behind Caddy'];
    expect((await curl(ports, path, ...fields)).status).toBe(200);
    expect((await curl(ports, `http://${HOST}${path}`, ...fields)).status).toBe(403);
    const redirect = await curl(ports, `http://${HOST}/dashboard`);
    expect([redirect.status, redirect.headers.location]).toEqual([301, [`${BASE_URL}/dashboard`]]);
    // Caddy replaces what a client claims about its address.
    await curl(ports, '/v1/forms', '-H', 'X-Forwarded-For: 203.0.113.9', '-H', 'Authorization: Bearer wrong');
    await until(() => server.output().includes('client refused'), 'the refusal in the log');
    expect(server.output()).not.toContain('203.0.113.9');
    const listed = await json<unknown[]>(image, volume, ['submission', 'list', '--form', form]);
    expect([listed.length, JSON.stringify(listed)]).toEqual([1, expect.stringContaining('Behind Caddy')]);
    proxy.kill();
    await proxy.exited;
    expect((await server.stop()).code).toBe(0);
  },
  limit(300),
);

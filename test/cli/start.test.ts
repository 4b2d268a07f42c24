import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { formstead, spawnServer } from '../support/process.ts';
import {
  createDir,
  dataDirs,
  instances,
  json,
  post,
  type Resource,
  read,
  refused,
  storedNames,
} from './command-line.ts';

const fresh = dataDirs();
const instance = instances();
const MAIN = join(import.meta.dir, '../../src/main.ts');

const endpointIn = (text: string) => /curl (http\S+)/.exec(text)?.[1] ?? '';

const linkIn = (text: string) => /^ {2}(http\S+\/dashboard\/welcome\/[\w-]{43})$/m.exec(text)?.[1] ?? '';

async function formOf(dataDir: string): Promise<Resource> {
  const [team] = await json<Resource[]>(dataDir, ['team', 'list']);
  const [form] = await json<Resource[]>(dataDir, ['form', 'list', '--team', team?.id ?? '']);
  if (!form) throw new Error('there is no form');
  return form;
}

describe('the first start', () => {
  test('creates one unlimited team with a workspace and a form', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    const teams = await json<Resource[]>(dataDir, ['team', 'list']);
    expect(teams).toMatchObject([{ plan: 'unlimited' }]);
    const team = teams[0]?.id ?? '';
    const workspaces = await json<Resource[]>(dataDir, ['workspace', 'list', '--team', team]);
    expect(workspaces).toHaveLength(1);
    expect(await json<Resource[]>(dataDir, ['form', 'list', '--team', team])).toMatchObject([
      { workspace_id: workspaces[0]?.id, is_active: true, redirect_url: null, fields: [] },
    ]);
    expect(await json<Resource[]>(dataDir, ['key', 'list', '--team', team])).toEqual([]);
    expect(await server.end()).toBe(0);
  });

  test('prints the link first, and a curl command with a working endpoint', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    const { id, short_id } = await formOf(dataDir);
    const endpoint = `${server.url}/v1/forms/${short_id}/submissions`;
    expect(server.stderr()).toMatch(/^\nOpen this in your browser [^\n]*\n\n {2}http/);
    expect(endpointIn(server.stderr())).toBe(endpoint);

    const curl = /^ *(curl .+)$/m.exec(server.stderr())?.[1] ?? '';
    expect(curl).toContain(` ${endpoint} `);
    const answer = JSON.parse(await Bun.$`sh -c ${`${curl} -s`}`.text());
    expect(answer).toMatchObject({ success: true });

    const [team] = await json<Resource[]>(dataDir, ['team', 'list']);
    const key = await json<Resource>(dataDir, ['key', 'create', '--team', team?.id ?? '', '--name', 'CI']);
    const stored = await (await read(server.url, `/v1/forms/${id}/submissions`, key.secret)).json();
    expect(stored).toMatchObject({ data: { items: [{ data: { email: 'ada@example.com', message: 'Hello' } }] } });
    await server.end();
  });

  test('writes only the log to stdout, one JSON object per line', async () => {
    const server = await spawnServer(fresh());
    await server.end();
    const lines = server.stdout().trimEnd().split('\n');
    expect(lines.map((line) => typeof JSON.parse(line))).toEqual(lines.map(() => 'object'));
    expect(server.stdout()).not.toContain('curl');
  });

  test('runs the server without a command', async () => {
    const dataDir = fresh();
    const env = { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir, PORT: '0' };
    const child = Bun.spawn(['bun', MAIN], { env, stdout: 'pipe', stderr: 'ignore' });
    let printed = '';
    for await (const chunk of child.stdout) {
      printed += new TextDecoder().decode(chunk);
      if (printed.includes('"listening"')) child.kill('SIGTERM');
    }
    expect(printed).toContain('"stopped"');
    expect(await child.exited).toBe(0);
    expect(await json<Resource[]>(dataDir, ['team', 'list'])).toHaveLength(1);
  });

  test('needs no configuration: the defaults are 127.0.0.1, port 3000 and ./data', async () => {
    const parent = createDir(fresh());
    const holder = holdPort3000();
    try {
      const child = Bun.spawn(['bun', MAIN], {
        cwd: parent,
        env: { PATH: Bun.env.PATH ?? '' },
        stdout: 'pipe',
        stderr: 'pipe',
      });
      const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      expect({ code, stdout, stderr }).toEqual(refused(/127\.0\.0\.1 port 3000 \(EADDRINUSE\)/));
      expect(await Bun.file(join(parent, 'data', 'formstead.db')).exists()).toBe(true);
    } finally {
      holder?.stop(true);
    }
  });

  test('prints a link to create an account until there is one, but not in the log', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir, { LOG_LEVEL: 'debug' });
    const link = linkIn(server.stderr());
    expect(link).toStartWith(server.url);
    const send = { method: 'POST', redirect: 'manual', headers: { Origin: server.url } } as const;
    const body = new URLSearchParams({ email: 'ada@example.com', new_password: 'correct horse battery' });
    expect((await fetch(link, { ...send, body })).status).toBe(303);
    expect((await fetch(link, { ...send, body })).status).toBe(404);
    expect(await json<Resource[]>(dataDir, ['user', 'list'])).toMatchObject([{ email: 'ada@example.com' }]);
    await server.end();
    const again = await spawnServer(dataDir);
    await again.end();
    expect(again.stderr()).toBe('');
    for (const secret of [link.slice(-43), 'ada@example.com', 'correct horse']) {
      expect(server.stdout()).not.toContain(secret);
    }
  });

  test('uses BASE_URL without a trailing slash in the endpoint and in the link', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir, { BASE_URL: 'https://forms.example.com/' });
    const { short_id } = await formOf(dataDir);
    expect(endpointIn(server.stderr())).toBe(`https://forms.example.com/v1/forms/${short_id}/submissions`);
    expect(linkIn(server.stderr())).toStartWith('https://forms.example.com/dashboard/welcome/');
    await server.end();
  });

  test('creates no form if the port is in use, so that the next start can print its endpoint', async () => {
    const dataDir = fresh();
    const taken = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
    expect(await formstead(dataDir, ['serve'], { PORT: String(taken.port) })).toEqual(
      refused(new RegExp(`127\\.0\\.0\\.1 port ${taken.port} .*HOST or PORT`)),
    );
    taken.stop(true);
    expect(await json<Resource[]>(dataDir, ['team', 'list'])).toEqual([]);
    const server = await spawnServer(dataDir);
    expect(
      (await fetch(endpointIn(server.stderr()), { method: 'POST', body: new URLSearchParams('a=b') })).status,
    ).toBe(200);
    await server.end();
  });

  test('creates no team if a command already has', async () => {
    const dataDir = instance();
    const team = await json<Resource>(dataDir, ['team', 'create', '--name', 'Acme']);
    const server = await spawnServer(dataDir);
    expect(linkIn(server.stderr())).toStartWith(`${server.url}/dashboard/welcome/`);
    expect(endpointIn(server.stderr())).toBe('');
    expect(await json<Resource[]>(dataDir, ['team', 'list'])).toEqual([team]);
    expect(await json<Resource[]>(dataDir, ['form', 'list', '--team', team.id])).toEqual([]);
    await server.end();
  });
});

describe('a start', () => {
  test('after the first one creates no team, prints only a link and keeps stored data', async () => {
    const dataDir = fresh();
    const first = await spawnServer(dataDir);
    const form = await formOf(dataDir);
    expect((await post(first.url, form.id, 'kept')).status).toBe(200);
    await first.end();

    const second = await spawnServer(dataDir);
    expect(second.stderr().trim().split('\n')).toHaveLength(3);
    expect(linkIn(second.stderr())).not.toBe(linkIn(first.stderr()));
    const teams = await json<Resource[]>(dataDir, ['team', 'list']);
    expect(teams).toHaveLength(1);
    expect(await formOf(dataDir)).toEqual(form);
    const key = await json<Resource>(dataDir, ['key', 'create', '--team', teams[0]?.id ?? '', '--name', 'CI']);
    expect(await storedNames(second.url, form, key.secret)).toEqual(['kept']);
    await second.end();
  });

  test('answers GET /healthz with 200, without a key', async () => {
    const server = await spawnServer(fresh());
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await server.end();
  });

  test('on a foreign address exits with one line', async () => {
    const hosts = ['203.0.113.1', 'no-such-host.invalid', 'not a host', 'two\nlines'];
    const outcomes = await Promise.all(hosts.map((HOST) => formstead(fresh(), ['serve'], { HOST, PORT: '0' })));
    expect(outcomes).toEqual([
      refused(/Could not listen on 203\.0\.113\.1 port 0 \(EADDRNOTAVAIL\).*HOST or PORT/),
      ...['no-such-host\\.invalid', 'not a host', 'two.lines'].map((host) =>
        refused(new RegExp(`HOST \\(${host}\\) has no address \\([A-Z_]+\\)\\. Set HOST to an address`)),
      ),
    ]);
  });
});

/** Listens on port 3000; null if another program already does, which is as good. */
function holdPort3000() {
  try {
    return Bun.listen({ hostname: '127.0.0.1', port: 3000, socket: { data() {} } });
  } catch {
    return null;
  }
}

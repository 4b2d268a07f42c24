import { describe, expect, test } from 'bun:test';
import { PASSWORD } from '../fast/dashboard/signed-in.ts';
import { spawnServer } from '../support/process.ts';
import { expectRefused, instances, json, type Resource, run } from './command-line.ts';

const fresh = instances();

type Link = Readonly<{ link: string; expires_at: string }>;
type Person = Readonly<{ id: string; email: string; language: string | null; time_zone: string | null }>;

const BASE = { BASE_URL: 'https://forms.example.com' };

const listUsers = (dataDir: string) => json<Person[]>(dataDir, ['user', 'list']);

/** Submits the form of the page behind a link. Returns the status. */
async function use(link: string, serverUrl: string, fields: Record<string, string>): Promise<number> {
  const { pathname, search } = new URL(link);
  const answer = await fetch(serverUrl + pathname + search, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: serverUrl },
    body: new URLSearchParams(fields),
  });
  return answer.status;
}

/** Returns the hours until the link expires. */
const hoursLeft = ({ expires_at }: Link) => Math.round((Date.parse(expires_at) - Date.now()) / 3_600_000);

describe('user', () => {
  test('create prints a link to create an account on the running server, and list includes it', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    expect(await listUsers(dataDir)).toEqual([]);
    const made = await json<Link>(dataDir, ['user', 'create', '--email', 'Ada@Example.com']);
    expect(made).toEqual({
      link: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:3000\/dashboard\/welcome\/[\w-]{43}\?email=ada%40example\.com$/,
      ) as unknown as string,
      expires_at: expect.stringMatching(/^\d{4}-.*Z$/) as unknown as string,
    });
    expect(hoursLeft(made)).toBe(24);
    const fields = { email: 'ada@example.com', new_password: PASSWORD };
    expect(await use(made.link, server.url, fields)).toBe(303);
    expect(await use(made.link, server.url, { ...fields, email: 'b@example.com' })).toBe(404);
    expect(await listUsers(dataDir)).toMatchObject([{ email: 'ada@example.com', language: null, time_zone: null }]);
    const { stdout } = await run(dataDir, ['user', 'list']);
    const columns = ['id', 'email', 'operator', 'language', 'time_zone', 'created_at'];
    expect(stdout.split('\n')[0]?.split(/ {2,}/)).toEqual(columns);
    expect(stdout).not.toContain('argon2');
    await server.end();
  });

  test('reset prints a link to set a new password within an hour', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    const { link } = await json<Link>(dataDir, ['user', 'create']);
    await use(link, server.url, { email: 'ada@example.com', new_password: PASSWORD });
    const reset = await json<Link>(dataDir, ['user', 'reset', '--email', ' ADA@example.com'], BASE);
    expect(reset.link).toMatch(/^https:\/\/forms\.example\.com\/dashboard\/reset\/[\w-]{43}$/);
    expect(hoursLeft(reset)).toBe(1);
    const next = 'another passphrase of mine';
    expect(await use(reset.link, server.url, { new_password: next })).toBe(303);
    expect(await use(reset.link, server.url, { new_password: next })).toBe(404);
    const signIn = `${server.url}/dashboard/sign-in`;
    const tries = [PASSWORD, next].map((password) => use(signIn, server.url, { email: 'ada@example.com', password }));
    expect(await Promise.all(tries)).toEqual([400, 303]);
    await server.end();
  });

  test('operator lets an account change the mail server, or no longer; the first account may', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    for (const email of ['ada@example.com', 'bob@example.com']) {
      const { link } = await json<Link>(dataDir, ['user', 'create']);
      expect(await use(link, server.url, { email, new_password: PASSWORD })).toBe(303);
    }
    const operators = async () =>
      (await json<Array<Person & { operator: boolean }>>(dataDir, ['user', 'list']))
        .filter(({ operator }) => operator)
        .map(({ email }) => email);
    expect(await operators()).toEqual(['ada@example.com']);
    const bob = ['user', 'operator', 'Bob@example.com'];
    expect(await json<unknown>(dataDir, [...bob, '--on'])).toEqual({ email: 'bob@example.com', operator: 'on' });
    await json(dataDir, ['user', 'operator', 'ada@example.com', '--off']);
    expect(await operators()).toEqual(['bob@example.com']);
    await expectRefused(dataDir, [[['user', 'operator', 'eve@example.com', '--on'], /no account with the email/]]);
    for (const wrong of [bob, [...bob, '--on', '--off']]) {
      expect(await run(dataDir, wrong)).toMatchObject({ code: 2, stderr: expect.stringContaining('--on or --off') });
    }
    const { stdout } = await run(dataDir, ['audit', 'export']);
    expect(stdout.match(/operator\.\w+/g)).toEqual(['operator.on', 'operator.off']);
    await server.end();
  });

  test('sign-out ends the sessions of one account on the running server', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    const { link } = await json<Link>(dataDir, ['user', 'create']);
    const made = await fetch(server.url + new URL(link).pathname, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: server.url },
      body: new URLSearchParams({ email: 'ada@example.com', new_password: PASSWORD }),
    });
    const Cookie = made.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const status = async () =>
      (await fetch(`${server.url}/dashboard/account`, { headers: { Cookie }, redirect: 'manual' })).status;
    expect(await status()).toBe(200);
    const ended = await json<unknown>(dataDir, ['user', 'sign-out', '--email', 'ADA@example.com']);
    expect(ended).toEqual({ email: 'ada@example.com', signed_in: 'nowhere' });
    expect(await status()).toBe(303);
    await server.end();
  });

  test('delete ends an account and its sessions on the running server, unless it is the only owner of a team', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    const create = async (email: string) => {
      const { link } = await json<Link>(dataDir, ['user', 'create']);
      return fetch(server.url + new URL(link).pathname, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: server.url },
        body: new URLSearchParams({ email, new_password: PASSWORD }),
      });
    };
    const Cookie = (await create('ada@example.com')).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const status = async () =>
      (await fetch(`${server.url}/dashboard/account`, { headers: { Cookie }, redirect: 'manual' })).status;
    const remove = ['user', 'delete', 'ADA@example.com', '--yes'];
    const second = await json<Resource>(dataDir, ['team', 'create', '--name', 'Second']);
    const join = (email: string) =>
      run(dataDir, ['team', 'member', 'set', second.id, '--email', email, '--role', 'owner']);
    await join('ada@example.com');
    await expectRefused(dataDir, [
      [
        remove,
        new RegExp(
          `ada@example\\.com is the only owner of team_\\w+, ${second.id}\\. First make .* "team member set team_.* "team member set ${second.id} `,
        ),
      ],
    ]);
    expect(await status()).toBe(200);

    await create('bob@example.com');
    await join('bob@example.com');
    const [ada] = await listUsers(dataDir);
    const [team] = await json<Resource[]>(dataDir, ['team', 'list']);
    const make = (path: string, fields: Record<string, string>) =>
      fetch(`${server.url}/dashboard/${path}`, {
        method: 'POST',
        headers: { Origin: server.url, Cookie },
        body: new URLSearchParams({ page_team: team?.id ?? '', ...fields }),
      });
    const keys = () => json<Resource[]>(dataDir, ['key', 'list', '--team', team?.id ?? '']);
    for (const name of ['Revoked', 'Kept']) await make('keys', { name, scope: 'read' });
    const idOf = async (name: string) => (await keys()).find((key) => key.name === name)?.id ?? '';
    await run(dataDir, ['key', 'revoke', await idOf('Revoked'), '--yes']);
    await run(dataDir, ['key', 'create', '--team', team?.id ?? '', '--name', 'Of the machine']);
    await make('team/invitations', { role: 'owner' });
    const [form] = await json<Resource[]>(dataDir, ['form', 'list', '--team', team?.id ?? '']);
    await run(dataDir, ['form', 'update', form?.id ?? '', '--notify', 'ada@example.com']);
    expect(await json<unknown>(dataDir, remove)).toEqual({
      id: ada?.id,
      email: 'ada@example.com',
      deleted: true,
      keys_made: [await idOf('Kept')],
      webhooks_made: [],
      notified_by: [form?.id],
      open_invitations: {},
    });
    expect(await status()).toBe(303);
    expect(
      await use(`${server.url}/dashboard/sign-in`, server.url, { email: 'ada@example.com', password: PASSWORD }),
    ).toBe(400);
    expect((await listUsers(dataDir)).map(({ email }) => email)).toEqual(['bob@example.com']);
    const entries = (await run(dataDir, ['audit', 'export'])).stdout.trim().split('\n');
    const last = entries.map((line) => JSON.parse(line) as Resource).find(({ action }) => action === 'account.deleted');
    expect(last).toMatchObject({ team_id: expect.any(String) as unknown, details: { user_id: ada?.id } });
    await create('ada@example.com');
    expect(await listUsers(dataDir)).toHaveLength(2);
    await server.end();
  });

  test('delete needs a terminal or --yes', async () => {
    const { code, stderr } = await run(fresh(), ['user', 'delete', 'ada@example.com']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('pass --yes')]);
  });

  test('create uses BASE_URL in the link, or else the address that the server prints', async () => {
    const dataDir = fresh();
    await json(dataDir, ['team', 'create', '--name', 'Acme']);
    const linkWith = async (env: Record<string, string>) =>
      (await json<Link>(dataDir, ['user', 'create'], env)).link.replace(/[\w-]{43}$/, 'TOKEN');
    expect(await linkWith({})).toBe('http://127.0.0.1:3000/dashboard/welcome/TOKEN');
    expect(await linkWith({ PORT: '8080' })).toBe('http://127.0.0.1:8080/dashboard/welcome/TOKEN');
    for (const HOST of ['127.0.0.1', 'localhost', '0.0.0.0']) {
      const server = await spawnServer(dataDir, { HOST });
      expect(await linkWith({ HOST, PORT: new URL(server.url).port })).toBe(`${server.url}/dashboard/welcome/TOKEN`);
      await server.end();
    }
    expect(await linkWith({ ...BASE, PORT: '8080' })).toBe('https://forms.example.com/dashboard/welcome/TOKEN');
  });

  test('create uses the first team by default', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    const other = await json<Resource>(dataDir, ['team', 'create', '--name', 'Other']);
    const link = async (...options: string[]) => (await json<Link>(dataDir, ['user', 'create', ...options])).link;
    const cookieOf = async (address: string, email: string) => {
      const answer = await fetch(server.url + new URL(address).pathname, {
        method: 'POST',
        redirect: 'manual',
        headers: { Origin: server.url },
        body: new URLSearchParams({ email, new_password: PASSWORD }),
      });
      return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    };
    const formsOf = async (Cookie: string) =>
      (await fetch(`${server.url}/dashboard/forms`, { headers: { Cookie }, redirect: 'manual' })).text();
    const [first, second] = [
      await cookieOf(await link(), 'a@example.com'),
      await cookieOf(await link('--team', other.id), 'b@example.com'),
    ];
    expect(await formsOf(first)).toContain('Contact');
    expect(await formsOf(second)).not.toContain('Contact');
    await server.end();
  });

  test('prints lines and tables without --json', async () => {
    const dataDir = fresh();
    await json(dataDir, ['team', 'create', '--name', 'Acme']);
    const { code, stdout, stderr } = await run(dataDir, ['user', 'create']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^link +http:\/\/127\.0\.0\.1:3000\/dashboard\/welcome\/[\w-]{43}\nexpires_at +\S+Z\n$/);
    expect((await run(dataDir, ['user', 'list'])).stdout).toBe('No results.\n');
  });

  test('refuses invalid values and creates no link', async () => {
    const dataDir = fresh();
    await expectRefused(dataDir, [[['user', 'create'], /no team yet; start the server once, or run "team create"/]]);
    const server = await spawnServer(dataDir);
    const { link } = await json<Link>(dataDir, ['user', 'create']);
    await use(link, server.url, { email: 'ada@example.com', new_password: PASSWORD });
    await expectRefused(dataDir, [
      [['user', 'create', '--team', 'team_1'], /no team "team_1"/],
      [['user', 'create', '--email', 'ada'], /"ada" is not an email address/],
      [
        ['user', 'create', '--email', 'ADA@example.com'],
        /ada@example.com already has an account. Run "user reset --email/,
      ],
      [
        ['user', 'reset', '--email', 'bob@example.com'],
        /there is no account with the email bob@example.com; see "user list"/,
      ],
      [
        ['user', 'sign-out', '--email', 'bob@example.com'],
        /there is no account with the email bob@example.com; see "user list"/,
      ],
      [
        ['user', 'delete', 'bob@example.com', '--yes'],
        /there is no account with the email bob@example.com; see "user list"/,
      ],
      [['user', 'reset', '--email', ''], /is not an email address/],
    ]);
    await server.end();
  });

  test('reset requires --email', async () => {
    const { code, stderr } = await run(fresh(), ['user', 'reset']);
    expect([code, stderr]).toEqual([2, expect.stringContaining("required option '--email <address>'")]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Webhook as Verifier } from 'standardwebhooks';
import { commandFolder, namedBlock } from '../support/documents.ts';
import { spawnServer } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { createTeamWithForm, expectRefused, instances, json, post, run } from './command-line.ts';

const ENV = { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' };

type Created = Readonly<{ id: string; url: string; secret: string; [name: string]: unknown }>;
type Delivery = Readonly<{
  id: string;
  state: string;
  attempts: number;
  last_status: number | null;
  last_error: string;
}>;

const fresh = instances();
let receiver: Receiver;
beforeAll(() => {
  receiver = new Receiver();
});
afterAll(() => receiver.stop());

/** Creates a form and returns functions that run `webhook` commands for it. */
async function setUp() {
  const dataDir = fresh();
  const { form } = await createTeamWithForm(dataDir);
  const command = (...args: string[]) => run(dataDir, ['webhook', ...args], ENV);
  const read = <T>(...args: string[]) => json<T>(dataDir, ['webhook', ...args], ENV);
  const create = (...args: string[]) => read<Created>('create', '--form', form.id, ...args);
  return { dataDir, form, command, read, create };
}

describe('webhook', () => {
  test('takes its URL and the values of its headers from variables and files', async () => {
    const { dataDir, form, create, read } = await setUp();
    const file = join(dirname(dataDir), 'token');
    writeFileSync(file, 'from a file\n');
    const env = { ...ENV, HOOK_URL: `${receiver.url}/hidden`, HOOK_TOKEN: 'from a variable' };
    const headers = ['X-One: env:HOOK_TOKEN', `X-Two:file:${file}`, 'X-Three: plain'];
    const options = ['--form', form.id, '--url', 'env:HOOK_URL', ...headers.flatMap((line) => ['--header', line])];
    const made = await json<Created>(dataDir, ['webhook', 'create', ...options], env);
    expect(made.url).toBe(receiver.url);
    await read('test', made.id);
    const { path, headers: got } = receiver.received.at(-1) ?? { path: '', headers: new Headers() };
    expect([path, ...['X-One', 'X-Two', 'X-Three'].map((name) => got.get(name))]).toEqual([
      '/hidden',
      'from a variable',
      'from a file',
      'plain',
    ]);
    const url = ['--url', receiver.url];
    await expectRefused(dataDir, [
      [['webhook', 'create', '--form', form.id, '--url', 'env:NO_SUCH'], /The variable NO_SUCH is not set\. Set it/],
      [['webhook', 'create', '--form', form.id, '--url', 'file:/none'], /Could not read \/none \(ENOENT\)\. Check/],
      [['webhook', 'update', made.id, '--header', 'X-Token: env:NO_SUCH'], /variable NO_SUCH is not set/],
    ]);
    expect((await create(...url)).url).toBe(receiver.url);
  });

  test('is created with defaults, and only then prints its secret and whole URL', async () => {
    const { dataDir, form, read, create } = await setUp();
    const { secret, ...created } = await create('--url', `${receiver.url}/secret-path`);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/=]{44}$/);
    expect(created).toEqual({
      id: expect.stringMatching(/^whk_\w+$/) as unknown as string,
      form_id: form.id,
      kind: 'standard',
      name: '',
      url: `${receiver.url}/secret-path`,
      events: ['submission.created'],
      body: 'full',
      include_spam: false,
      when: [],
      is_active: true,
      disabled_reason: null,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(await read('list', '--form', form.id)).toEqual([{ ...created, url: receiver.url }]);
    for (const file of new Bun.Glob('**/*').scanSync(dataDir)) {
      const bytes = readFileSync(join(dataDir, file));
      expect([file, bytes.includes('secret-path'), bytes.includes(secret.slice(6))]).toEqual([file, false, false]);
    }
  });

  test('is changed, paused, resumed and deleted', async () => {
    const { form, read, create } = await setUp();
    const { id } = await create('--url', receiver.url);
    const when = [{ field: 'topic', is: 'sales' }];
    const options = ['--events', 'submission.deleted,form.cap_reached', '--body', 'thin', '--include-spam', 'true'];
    expect(
      await read('update', id, ...options, '--when', JSON.stringify(when), '--active', 'false', '--name', 'Orders'),
    ).toMatchObject({
      name: 'Orders',
      events: ['submission.deleted', 'form.cap_reached'],
      body: 'thin',
      include_spam: true,
      when,
      is_active: false,
    });
    expect(await read('update', id, '--active', 'true')).toMatchObject({ is_active: true, body: 'thin' });
    expect(await read('delete', id)).toEqual({ id, deleted: true });
    expect(await read('list', '--form', form.id)).toEqual([]);
  });

  test('is not created with settings that cannot work', async () => {
    const { dataDir, form, read } = await setUp();
    const create = (...args: string[]) => ['webhook', 'create', '--form', form.id, ...args];
    const url = ['--url', 'https://example.com/'];
    await expectRefused(dataDir, [
      [create('--url', 'example.com'), /must be an absolute https URL/],
      [create('--url', 'http://example.com/'), /must begin with https:\/\//],
      [create('--url', 'https://10.1.2.3/'), /not public.*ALLOWED_PRIVATE_HOSTS/],
      [create('--url', 'https://user:secret@example.com/'), /without user name and password/],
      [create(...url, '--header', 'Host: evil'), /header Host is set by the server/],
      [create(...url, '--header', 'nonsense'), /header is malformed/],
      [create(...url, '--when', '[{"field":"a"}]'), /Each condition needs/],
      [create(...url, '--chat', '1'), /standard webhook takes no --chat/],
      [create(...url, '--template-format', 'json'), /takes no --template-format\. Only template webhooks do/],
      [create(...url, '--kind', 'telegram'), /[Tt]elegram/],
      [create(...url, '--kind', 'template'), /template/],
      [create('--kind', 'sheets', '--sheet', 'x', '--credentials', '/nonexistent'), /--credentials could not be read/],
      [['webhook', 'create', '--form', 'nope', ...url], /no form "nope"; see "form list/],
      [['webhook', 'update', 'nope', '--active', 'true'], /no webhook "nope"; see "webhook list/],
      [['webhook', 'redeliver', 'nope'], /no delivery "nope"; see "webhook deliveries/],
    ]);
    expect(await read('list', '--form', form.id)).toEqual([]);
  });

  test('test sends a signed event, and fails with the reason if the endpoint does not accept it', async () => {
    const { command, create } = await setUp();
    const { id, secret } = await create('--url', receiver.url);
    const done = await command('test', id, '--json');
    expect([done.code, JSON.parse(done.stdout)]).toMatchObject([0, { delivered: true, status: 200, answer: 'ok' }]);
    const [sent] = receiver.received.slice(-1);
    expect(new Verifier(secret).verify(sent?.body ?? '', Object.fromEntries(sent?.headers ?? []))).toMatchObject({
      type: 'webhook.test',
    });
    receiver.next.push(() => new Response('no', { status: 404 }));
    const refused = await command('test', id);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/did not accept the test.*status 404/)]);
  });

  test('deliveries are listed, sent again, and sent for past submissions', async () => {
    const { dataDir, form, read, create } = await setUp();
    const { id } = await create('--url', receiver.url);
    const server = await spawnServer(dataDir, ENV);
    receiver.next.push(() => new Response('gone', { status: 410 }));
    expect((await post(server.url, form.id, 'one')).status).toBe(200);
    const deliveries = (of = id) => read<Delivery[]>('deliveries', of);
    await until(async () => (await deliveries())[0]?.attempts === 1, 'an attempt');
    const [first] = await deliveries();
    expect(first).toMatchObject({
      state: 'retrying',
      last_status: 410,
      last_error: 'The endpoint is gone (status 410).',
    });
    expect(await read('update', id, '--active', 'true')).toMatchObject({ is_active: true });
    await until(async () => (await deliveries())[0]?.state === 'delivered', 'the delivery');
    const before = receiver.received.length;
    expect(await read('redeliver', first?.id ?? '')).toEqual({ queued: 1 });
    await until(() => receiver.received.length > before, 'the second delivery');
    const ids = receiver.received.slice(-2).map(({ headers }) => headers.get('webhook-id'));
    expect(ids).toEqual([first?.id ?? '', first?.id ?? '']);

    const late = await create('--url', `${receiver.url}/late`);
    expect(await read('redeliver', '--webhook', late.id, '--past', '100')).toEqual({ queued: 1 });
    await until(async () => (await deliveries(late.id))[0]?.state === 'delivered', 'the past submission');
    expect(await read('redeliver', '--webhook', late.id, '--failed')).toEqual({ queued: 0 });
    expect(await server.end()).toBe(0);
  });

  test('a spreadsheet is set up as the manual says', async () => {
    const { dataDir, form } = await setUp();
    const folder = dirname(dataDir);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = {
      type: 'service_account',
      client_email: 'forms@project.iam.gserviceaccount.com',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    };
    writeFileSync(join(folder, 'key.json'), JSON.stringify(key));
    const command = namedBlock('sheets');
    const PATH = `${await commandFolder(folder)}:${Bun.env.PATH}`;
    const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', command], {
      cwd: folder,
      env: { PATH, DATA_DIR: dataDir, FORM: form.id },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    expect([await shell.exited, await shell.stderr.text()]).toEqual([0, '']);
    expect(await shell.stdout.text()).toMatch(/^kind +sheets$/m);
  });

  test('a chat gets a message', async () => {
    const { dataDir, create, command } = await setUp();
    const { id, secret } = await create('--kind', 'slack', '--url', `${receiver.url}/services/T/B/x`);
    expect(secret).toBeUndefined();
    expect((await command('test', id)).code).toBe(0);
    expect(receiver.received.at(-1)?.body).toContain('"blocks"');
    await expectRefused(dataDir, [[['webhook', 'rotate-secret', id], /slack webhook has no signing secret/]]);
  });
});

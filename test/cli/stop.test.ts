import { describe, expect, test } from 'bun:test';
import { cpSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { URLENCODED } from '../fast/visitor/helpers.ts';
import { chunked, exchange, head } from '../fast/visitor/wire.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import {
  createDir,
  createTeamWithForm,
  dataDirs,
  instances,
  json,
  post,
  type Resource,
  read,
  storedNames,
} from './command-line.ts';

const fresh = dataDirs();
const instance = instances();
const LAST_CHUNK = '0\r\n\r\n';

describe('SIGTERM', () => {
  test('ends an idle server with exit code 0', async () => {
    const server = await spawnServer(fresh());
    expect(await server.end('SIGTERM')).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  test('lets a running upload finish, also if the signal is sent twice', async () => {
    const dataDir = instance();
    const { form, key } = await createTeamWithForm(dataDir);
    const server = await spawnServer(dataDir);
    const upload = slowPost(server, form.id, 'name=sl', 'ow');
    await upload.started;

    process.kill(server.pid, 'SIGTERM');
    process.kill(server.pid, 'SIGTERM');
    // The server accepts no new connections, but the upload continues.
    const answers = () => fetch(`${server.url}/healthz`).catch(() => null);
    await until(async () => (await answers()) === null, 'the server to stop listening');
    const ended = server.end('SIGTERM');
    upload.finish();
    expect((await upload.answer).status).toBe(200);
    expect(await ended).toBe(0);

    const next = await spawnServer(dataDir);
    expect(await storedNames(next.url, form, key.secret)).toEqual(['slow']);
    await next.end();
  });

  test('does not wait forever for an unfinished body, a hanging mail server or an idle connection', async () => {
    const dataDir = instance();
    const { workspace, form, key } = await createTeamWithForm(dataDir);
    const smtp = await startSmtp();
    smtp.onMoment(({ stage }) => (stage === 'RCPT' ? 'hang' : undefined));
    const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
    const options = ['--workspace', workspace, '--name', 'Told', '--notify', 'owner@x.example'];
    const notified = await json<Resource>(dataDir, ['form', 'create', ...options]);
    const server = await spawnServer(dataDir, mail);
    const idle = await Promise.all([1, 2, 3].map(() => keptOpen(server.url)));
    const endless = slowPost(server, form.id, 'name=', '');
    await endless.started;
    expect((await post(server.url, notified.id, 'kept')).status).toBe(200);
    await smtp.reached('RCPT');

    const outcome = endless.answer.then(
      () => 'answered',
      () => 'cut off',
    );
    expect(await server.end()).toBe(0);
    expect(await outcome).toBe('cut off');
    await Promise.all(idle.map(({ closed }) => closed));
    await smtp.stop();
    expect(await json(dataDir, ['outbox', 'list'], mail)).toMatchObject([{ state: 'queued', failures: 0 }]);

    const next = await spawnServer(dataDir);
    expect(await storedNames(next.url, form, key.secret)).toEqual([]);
    expect(await storedNames(next.url, notified, key.secret)).toEqual(['kept']);
    await next.end();
  });

  test('writes the WAL back, so that the database is complete in one file', async () => {
    const dataDir = instance();
    const { form, key } = await createTeamWithForm(dataDir);
    const server = await spawnServer(dataDir);
    for (const name of ['one', 'two', 'three']) expect((await post(server.url, form.id, name)).status).toBe(200);
    expect(await server.end()).toBe(0);
    // Size 0 also covers a deleted file.
    expect(Bun.file(join(dataDir, 'formstead.db-wal')).size).toBe(0);

    const copy = createDir(fresh());
    for (const name of ['formstead.db', 'encryption.key']) cpSync(join(dataDir, name), join(copy, name));
    const next = await spawnServer(copy);
    expect(await storedNames(next.url, form, key.secret)).toEqual(['three', 'two', 'one']);
    await next.end();
  });

  test('loses no accepted submission', async () => {
    const dataDir = instance();
    const { form, key } = await createTeamWithForm(dataDir);
    const server = await spawnServer(dataDir);
    const accepted: string[] = [];
    const visitor = async (visit: number) => {
      for (let n = 0; ; n++) {
        const name = `${visit}-${n}`;
        const status = await post(server.url, form.id, name).then(
          (answer) => answer.status,
          () => 0,
        );
        if (status !== 200) return;
        accepted.push(name);
      }
    };
    const visitors = Promise.all([1, 2, 3, 4].map(visitor));
    await until(() => accepted.length >= 40, '40 accepted posts');
    expect(await server.end('SIGTERM')).toBe(0);
    await visitors;

    const next = await spawnServer(dataDir);
    const usage = (await (await read(next.url, '/v1/usage', key.secret)).json()) as {
      data: { submissions_used: number };
    };
    const stored = await storedNames(next.url, form, key.secret);
    expect(new Set(stored).size).toBe(stored.length);
    expect(new Set(stored).isSupersetOf(new Set(accepted.slice(-50)))).toBe(true);
    expect(usage.data.submissions_used).toBeGreaterThanOrEqual(accepted.length);
    await next.end();
  });

  test('stores the time of the last use of keys', async () => {
    const dataDir = instance();
    const { team, key } = await createTeamWithForm(dataDir);
    const unused = await json<Resource>(dataDir, ['key', 'create', '--team', team, '--name', 'Unused']);
    const server = await spawnServer(dataDir);
    const before = new Date().toISOString();
    expect((await read(server.url, '/v1/forms', key.secret)).status).toBe(200);
    expect(await server.end('SIGTERM')).toBe(0);

    const keys = await json<Resource[]>(dataDir, ['key', 'list', '--team', team]);
    const lastUse = (id: string) => String(keys.find((one) => one.id === id)?.last_used_at);
    expect(lastUse(key.id) >= before && lastUse(key.id) <= new Date().toISOString()).toBe(true);
    expect(lastUse(unused.id)).toBe('null');
  });
});

/** The link that each start prints while there is no account. */
const WELCOME = /^\nOpen this in your browser [^\n]*\n\n {2}http\S+\/dashboard\/welcome\/\S+\n\n$/;

describe('SIGINT', () => {
  test('ends the server with exit code 0 and keeps stored data', async () => {
    const dataDir = instance();
    const { form, key } = await createTeamWithForm(dataDir);
    const server = await spawnServer(dataDir);
    expect((await post(server.url, form.id, 'kept')).status).toBe(200);
    expect(await server.end('SIGINT')).toBe(0);
    expect(server.stderr()).toMatch(WELCOME);

    const next = await spawnServer(dataDir);
    expect(await storedNames(next.url, form, key.secret)).toEqual(['kept']);
    await next.end('SIGINT');
  });
});

/** Opens a keep-alive connection that is idle after one request. */
async function keptOpen(url: string): Promise<{ closed: Promise<void> }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const answered = new Promise((resolve) => socket.once('data', resolve));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await answered;
  return { closed };
}

/**
 * Sends a post with its body in two parts. `started` resolves after the server has read the first part; `answer`
 * rejects if the connection closes without an answer.
 */
function slowPost({ url }: ServerProcess, formId: string, firstPart: string, secondPart: string) {
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  const first = `${head(formId, `Content-Type: ${URLENCODED}`, 'Transfer-Encoding: chunked')}${chunked(firstPart)}`;
  const answer = exchange({ url }, first.slice(0, -LAST_CHUNK.length), async () => {
    // The server reads connections in the order of arrival.
    await fetch(`${url}/healthz`);
    started.resolve();
    await finish.promise;
    return chunked(secondPart);
  });
  return { started: started.promise, finish: finish.resolve, answer };
}

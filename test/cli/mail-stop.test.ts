import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { temporaryDir } from '../support/instance.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';

const LANES = 8;

const dir = temporaryDir();
const smtp = await startSmtp();
afterAll(async () => {
  await smtp.stop();
  rmSync(dir, { recursive: true });
});

const env = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
const json = async (...args: string[]) => JSON.parse((await formstead(dir, [...args, '--json'], env)).stdout);
const team = await json('team', 'create', '--name', 'Team');
const workspace = await json('workspace', 'create', '--team', team.id, '--name', 'Workspace');
const owner = ['--workspace', workspace.id, '--notify', 'owner@x.example'];
const form: { id: string } = await json('form', 'create', '--name', 'Form', ...owner);

const start = () => spawnServer(dir, env);

/** The names of the mails that are to arrive. */
async function post({ url }: ServerProcess, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, () => crypto.randomUUID());
  const answers = names.map((name) =>
    fetch(`${url}/v1/forms/${form.id}/submissions`, {
      method: 'POST',
      body: new URLSearchParams({ _subject: name, message: 'Hello' }),
    }),
  );
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200);
  return names;
}

/** The names of the mails that arrived, of these. */
function arrived(names: readonly string[]): string[] {
  const found = smtp.mails.map(({ raw }) => /^subject: (\S+)/im.exec(raw.toString('latin1'))?.[1] ?? '');
  return found.filter((name) => names.includes(name));
}

/** Starts again and waits for what is left. */
async function finish(names: readonly string[]): Promise<void> {
  smtp.onMoment(() => undefined);
  const server = await start();
  await until(() => new Set(arrived(names)).size >= names.length, 'the mails that are left');
  expect(await server.end()).toBe(0);
}

describe('told to end while mails are on their way', () => {
  test('it lets them come to their end, takes no new ones, and ends well', async () => {
    const held = Promise.withResolvers<undefined>();
    smtp.onMoment(({ stage }) => (stage === 'END' ? held.promise : undefined));
    const before = smtp.seen.get('END') ?? 0;
    const server = await start();
    const names = await post(server, 2 * LANES);
    await smtp.reached('END', before + LANES);
    const ended = server.end();
    await until(async () => (await fetch(server.url).catch(() => null)) === null, 'the server to stop listening');
    held.resolve(undefined);
    expect(await ended).toBe(0);
    expect(arrived(names)).toHaveLength(LANES);
    await finish(names);
    expect(arrived(names).toSorted()).toEqual(names.toSorted());
  });

  test('it gives back those of which nothing is heard, as if they had not been tried', async () => {
    smtp.onMoment(({ stage }) => (stage === 'RCPT' ? 'hang' : undefined));
    const before = smtp.seen.get('RCPT') ?? 0;
    const server = await start();
    const names = await post(server, 2 * LANES);
    await smtp.reached('RCPT', before + LANES);
    expect(await server.end()).toBe(0);
    expect(arrived(names)).toEqual([]);
    const waiting: Array<{ state: string; failures: number }> = await json('outbox', 'list', '--state', 'queued');
    expect(waiting.map(({ failures }) => failures)).toEqual(Array(2 * LANES).fill(0));
    await finish(names);
    expect(arrived(names).toSorted()).toEqual(names.toSorted());
  });

  test('again and again, nothing is lost and nothing sent twice', async () => {
    smtp.onMoment(() => undefined);
    const names: string[] = [];
    for (let round = 1; round <= 3; round++) {
      const before = smtp.mails.length;
      const server = await start();
      names.push(...(await post(server, 40)));
      await smtp.arrived(before + LANES);
      expect(await server.end()).toBe(0);
    }
    await finish(names);
    expect(arrived(names).toSorted()).toEqual(names.toSorted());
  });
});

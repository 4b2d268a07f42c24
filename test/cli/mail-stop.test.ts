import { afterAll, describe, expect, test } from 'bun:test';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { instances, json, type Resource } from './command-line.ts';

const CONCURRENT_SENDS = 8;

const dir = instances()();
const smtp = await startSmtp();
afterAll(smtp.stop);

const env = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
const make = <T = Resource>(...args: string[]) => json<T>(dir, args, env);
const team = await make('team', 'create', '--name', 'Team');
const workspace = await make('workspace', 'create', '--team', team.id, '--name', 'Workspace');
const owner = ['--workspace', workspace.id, '--notify', 'owner@x.example'];
const form: { id: string } = await make('form', 'create', '--name', 'Form', ...owner);

const start = () => spawnServer(dir, env);

/** Posts `count` submissions and returns the subjects of their mails. */
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

/** Returns those of the names that arrived as subjects, with duplicates. */
function arrived(names: readonly string[]): string[] {
  const found = smtp.mails.map(({ raw }) => /^subject: (\S+)/im.exec(raw.toString('latin1'))?.[1] ?? '');
  return found.filter((name) => names.includes(name));
}

/** Restarts the server and waits for the remaining mails. */
async function finish(names: readonly string[]): Promise<void> {
  smtp.onMoment(() => undefined);
  const server = await start();
  await until(() => new Set(arrived(names)).size >= names.length, 'the remaining mails');
  expect(await server.end()).toBe(0);
}

describe('a server stopped while it sends mails', () => {
  test('finishes running sends, starts no new ones and exits with 0', async () => {
    const held = Promise.withResolvers<undefined>();
    smtp.onMoment(({ stage }) => (stage === 'END' ? held.promise : undefined));
    const before = smtp.seen.get('END') ?? 0;
    const server = await start();
    const names = await post(server, 2 * CONCURRENT_SENDS);
    await smtp.reached('END', before + CONCURRENT_SENDS);
    const ended = server.end();
    await until(async () => (await fetch(server.url).catch(() => null)) === null, 'the server to stop listening');
    held.resolve(undefined);
    expect(await ended).toBe(0);
    expect(arrived(names)).toHaveLength(CONCURRENT_SENDS);
    await finish(names);
    expect(arrived(names).toSorted()).toEqual(names.toSorted());
  });

  test('requeues hanging sends as if they had not been tried', async () => {
    smtp.onMoment(({ stage }) => (stage === 'RCPT' ? 'hang' : undefined));
    const before = smtp.seen.get('RCPT') ?? 0;
    const server = await start();
    const names = await post(server, 2 * CONCURRENT_SENDS);
    await smtp.reached('RCPT', before + CONCURRENT_SENDS);
    expect(await server.end()).toBe(0);
    expect(arrived(names)).toEqual([]);
    const waiting: Array<{ state: string; failures: number }> = await make<Array<{ state: string; failures: number }>>(
      'outbox',
      'list',
      '--state',
      'queued',
    );
    expect(waiting.map(({ failures }) => failures)).toEqual(Array(2 * CONCURRENT_SENDS).fill(0));
    await finish(names);
    expect(arrived(names).toSorted()).toEqual(names.toSorted());
  });

  test('loses no mail and sends none twice over many stops', async () => {
    smtp.onMoment(() => undefined);
    const names: string[] = [];
    for (let round = 1; round <= 3; round++) {
      const before = smtp.mails.length;
      const server = await start();
      names.push(...(await post(server, 40)));
      await smtp.arrived(before + CONCURRENT_SENDS);
      expect(await server.end()).toBe(0);
    }
    await finish(names);
    expect(arrived(names).toSorted()).toEqual(names.toSorted());
  });
});

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { temporaryDir } from '../support/instance.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
import { mailingForm } from './mailing-form.ts';

/** The number of kills. `bun run bench crashes` sets a higher one to find rare faults. */
const ROUNDS = Number(Bun.env.ROUNDS ?? 2);
const VISITORS = 6;

const { dir, smtp, form, stop } = await mailingForm(['--confirm-address', 'true']);
afterAll(stop);

// Links have BASE_URL, so the port must be known before.
const port = freePort();
const BASE_URL = `http://127.0.0.1:${port}`;
const env = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example', PORT: String(port), BASE_URL };
const start = () => spawnServer(dir, env);
const raws = () => smtp.mails.map(({ raw }) => raw.toString().replaceAll(/=\r?\n/g, ''));

/** Posts for a visitor and returns the path of the link that they get. */
async function askedPath({ url }: ServerProcess, name: string): Promise<string> {
  const body = JSON.stringify({ email: `${name}@home.example`, _subject: name });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/v1/forms/${form.id}/submissions`, { method: 'POST', body, headers });
  expect(answer.status).toBe(200);
  const find = () => smtp.mails.findIndex(({ to }) => to.includes(`${name}@home.example`));
  await until(() => find() >= 0, 'the mail that asks to confirm');
  return /:\d+(\/confirm\/sub_\w+\/\w+)/.exec(raws()[find()] ?? '')?.[1] ?? '';
}

test('after a kill between a confirmation and the notification, owners are told, and no one else', async () => {
  const confirmed = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const server = await start();
    const names = Array.from({ length: VISITORS }, () => crypto.randomUUID());
    const paths = await Promise.all(names.map((name) => askedPath(server, name)));
    smtp.onMoment(({ stage }) => (stage === 'CONN' ? 'hang' : undefined));
    const first = Promise.withResolvers<void>();
    for (const [index, path] of paths.entries()) {
      fetch(server.url + path, { method: 'POST' }).then(
        ({ status }) => status === 200 && first.resolve(void confirmed.add(names[index] ?? '')),
        () => {},
      );
    }
    await first.promise;
    await server.end('SIGKILL');
    smtp.onMoment(() => undefined);
  }
  const server = await start();
  const told = () =>
    new Set(smtp.mails.flatMap(({ to }, index) => (to.includes('owner@x.example') ? [raws()[index]] : [])));
  const isTold = (name: string) => [...told()].some((raw) => raw?.includes(name));
  await until(() => [...confirmed].every(isTold), 'the notifications of all confirmed submissions');
  expect(await server.end()).toBe(0);
  expect(confirmed.size).toBeGreaterThanOrEqual(ROUNDS);
});

test('a backup keeps the proofs, and a restored instance knows the links', async () => {
  const exported = async (place: string) =>
    (await formstead(place, ['submission', 'export', '--form', form.id, '--format', 'jsonl'])).stdout
      .split('\n')
      .filter(Boolean);
  const before = await exported(dir);
  expect(before.length).toBeGreaterThan(0);
  for (const line of before) {
    expect(JSON.parse(line).confirmation).toMatchObject({ address_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  }
  const [backups, restored] = [temporaryDir(), join(temporaryDir(), 'restored')];
  const made = await formstead(dir, ['backup', backups, '--with-key', '--json']);
  await formstead(restored, ['restore', (JSON.parse(made.stdout) as { path: string }).path]);
  expect(await exported(restored)).toEqual(before);
});

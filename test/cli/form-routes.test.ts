import { expect, test } from 'bun:test';
import { spawnServer } from '../support/process.ts';
import { createTeamWithForm, instances, json, post, refused, run } from './command-line.ts';

const fresh = instances();
const ENV = { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' };
const MAIL = { ...ENV, SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'forms@example.com' };
const when = (is: string) => JSON.stringify([{ field: 'name', is }]);

type Decisions = Readonly<{
  form_id: string;
  totals: ReadonlyArray<Readonly<{ kind: string; route: string; submissions: number }>>;
  submissions: ReadonlyArray<
    Readonly<{ id: string; is_spam: boolean; is_fallback: boolean; recipients: string[]; webhooks: string[] }>
  >;
}>;

const rows = ({ submissions }: Decisions) =>
  submissions.map((row) => [row.is_spam, row.is_fallback, row.recipients, row.webhooks]);

/** Returns an instance with a recipient for sales, a webhook for press, and these submissions of a form. */
async function setUp(...names: string[]) {
  const dataDir = fresh();
  const { form } = await createTeamWithForm(dataDir);
  const server = await spawnServer(dataDir);
  for (const name of names) await post(server.url, form.id, name);
  expect(await server.end()).toBe(0);
  const notifyWhen = `{"ada@example.com": ${when('sales')}}`;
  await json(dataDir, ['form', 'update', form.id, '--notify', 'ada@example.com', '--notify-when', notifyWhen]);
  const url = ['--url', 'http://127.0.0.1:1/'];
  const create = ['webhook', 'create', '--form', form.id, ...url, '--when', when('press')];
  const { id: webhook } = await json<{ id: string }>(dataDir, create, ENV);
  return { dataDir, form, webhook };
}

test('a dry run shows who the latest submissions would go to, and sends nothing', async () => {
  const { dataDir, form, webhook } = await setUp('sales', 'press', 'other');
  const routes = ['form', 'routes', form.id];
  const decided = await json<Decisions>(dataDir, routes, MAIL);
  const [sales, press] = [['ada@example.com'], [webhook]];
  expect(decided.form_id).toBe(form.id);
  expect(decided.totals).toEqual([
    { kind: 'recipient', route: 'ada@example.com', submissions: 2 },
    { kind: 'webhook', route: webhook, submissions: 1 },
  ]);
  expect(rows(decided)).toEqual([
    [false, true, sales, []],
    [false, false, [], press],
    [false, false, sales, []],
  ]);
  expect((await json<Decisions>(dataDir, [...routes, '--limit', '2'], MAIL)).submissions).toEqual(
    decided.submissions.slice(0, 2),
  );
  const { stdout, stderr } = await run(dataDir, routes, MAIL);
  expect(stdout).toMatch(/^id +created_at +is_spam +is_fallback +recipients +webhooks\n/);
  expect(stdout).toMatch(/\n\nkind +route +submissions\nrecipient +ada@example\.com +2\nwebhook +whk_\w+ +1\n$/);
  expect(stderr).toBe('');
  expect(await json<unknown[]>(dataDir, ['outbox', 'list'])).toEqual([]);
  expect(await json<unknown[]>(dataDir, ['webhook', 'deliveries', webhook])).toEqual([]);
});

test('a dry run without a mail server leaves out recipients and says so', async () => {
  const { dataDir, form } = await setUp('other');
  const { stdout, stderr } = await run(dataDir, ['form', 'routes', form.id, '--json']);
  expect(rows(JSON.parse(stdout))).toEqual([[false, false, [], []]]);
  expect(stderr).toContain('No mail server is configured, so recipients get nothing.');
});

test('a dry run of an unknown form is refused', async () => {
  expect(await run(fresh(), ['form', 'routes', 'frm_none'])).toMatchObject(refused(/there is no form "frm_none"/));
});

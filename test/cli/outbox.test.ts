import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { type SmtpSink, startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { createTeamWithForm, expectRefused, instances, json, run } from './command-line.ts';

const fresh = instances();

type Mail = Readonly<{
  id: string;
  kind: string;
  state: string;
  failures: number;
  due_at: string | null;
  settled_at: string | null;
  recipient: string | null;
  reason: string | null;
}>;

let smtp: SmtpSink;
let server: ServerProcess;
const dataDir = fresh();
beforeAll(async () => {
  smtp = await startSmtp();
  server = await spawnServer(dataDir, { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' });
});
afterAll(async () => {
  expect(await server.end()).toBe(0);
  await smtp.stop();
});

const list = (...options: string[]) => json<Mail[]>(dataDir, ['outbox', 'list', ...options]);
const retry = (...options: string[]) => json(dataDir, ['outbox', 'retry', ...options]);

/** Posts to a form that notifies these recipients, and returns its mails after the first attempt. */
async function notify(...recipients: string[]): Promise<Mail[]> {
  const { form } = await createTeamWithForm(dataDir);
  await json(dataDir, ['form', 'update', form.id, '--notify', recipients.join()]);
  const body = new URLSearchParams({ message: 'Hello' });
  const answer = await fetch(`${server.url}/v1/forms/${form.id}/submissions`, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return attempted(...recipients);
}

/** Waits until no mail to these recipients is queued, and returns the mails. */
function attempted(...recipients: string[]): Promise<Mail[]> {
  return until(
    async () => {
      const mails = (await list()).filter(({ recipient }) => recipients.includes(String(recipient)));
      return mails.length === recipients.length && mails.every(({ state }) => state !== 'queued') ? mails : null;
    },
    `mails to ${recipients.join(', ')}`,
  );
}

const refuse = (code: number, text: string) =>
  smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code, text } : undefined));
const accept = () => smtp.onMoment(() => undefined);

describe('outbox', () => {
  test('is empty at first', async () => {
    expect(await json(fresh(), ['outbox', 'list'])).toEqual([] as never);
    expect((await run(fresh(), ['outbox', 'list'])).stdout).toBe('No results.\n');
    expect(await json(fresh(), ['outbox', 'retry', '--dead'])).toEqual({ retried: 0 });
  });

  test('lists the state of each mail with the reply of the mail server', async () => {
    accept();
    const [sent] = await notify('sent@a.example');
    refuse(451, '4.2.0 Mailbox\r\nbusy \u001b[31m');
    const [retrying] = await notify('retrying@a.example');
    refuse(550, '5.1.1 No such user');
    const [dead] = await notify('dead@a.example');
    const time = expect.stringMatching(/^\d{4}-.*Z$/) as unknown as string;
    expect(sent).toMatchObject({ kind: 'notification', state: 'sent', failures: 0, due_at: null, settled_at: time });
    expect(sent?.reason).toBeNull();
    expect(retrying).toMatchObject({ state: 'retrying', failures: 1, due_at: time, settled_at: null });
    expect(retrying?.reason).toContain('4.2.0 Mailbox');
    expect(dead).toMatchObject({ state: 'dead', failures: 1, due_at: null, settled_at: time });
    expect(dead?.reason).toContain('5.1.1 No such user');

    expect((await list('--state', 'dead')).map(({ state }) => state)).toEqual(['dead']);
    expect((await list('--state', 'queued')).length).toBe(0);
    expect(await list('--limit', '1')).toEqual([dead as Mail]);
    const mails = await json<Mail[]>(dataDir, ['outbox', 'list']);
    expect(mails.slice(0, 3)).toEqual([dead, retrying, sent] as Mail[]);

    const { stdout } = await run(dataDir, ['outbox', 'list']);
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head?.split(/ {2,}/)).toEqual(['id', 'kind', 'state', 'failures', 'due_at', 'recipient', 'reason']);
    expect(lines).toHaveLength((await list()).length);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  test('requeues one dead mail or all of them, and no others', async () => {
    refuse(550, '5.1.1 No such user');
    const recipients = ['one@b.example', 'two@b.example', 'three@b.example'];
    const dead = await notify(...recipients);
    expect(dead.map(({ state }) => state)).toEqual(['dead', 'dead', 'dead']);
    accept();
    const before = smtp.mails.length;
    const [one] = dead;
    expect(await retry(one?.id ?? '')).toEqual({ retried: 1 });
    expect(await attempted(String(one?.recipient))).toMatchObject([{ state: 'sent', failures: 0, reason: null }]);
    const remaining = (await list('--state', 'dead')).length;
    expect(await retry('--dead')).toEqual({ retried: remaining });
    await attempted(...recipients);
    expect(await list('--state', 'dead')).toEqual([]);
    const arrived = smtp.mails.slice(before).flatMap(({ to }) => to);
    expect(arrived.filter((to) => to.endsWith('@b.example')).sort()).toEqual(recipients.toSorted());
  });

  test('requeues a mail that is waiting for its next attempt', async () => {
    refuse(451, '4.2.0 Later');
    const [mail] = await notify('later@c.example');
    expect(mail?.state).toBe('retrying');
    accept();
    expect(await retry(mail?.id ?? '')).toEqual({ retried: 1 });
    expect(await attempted('later@c.example')).toMatchObject([{ state: 'sent' }]);
  });

  test('refuses to requeue a sent mail or an unknown one', async () => {
    accept();
    const [sent] = await notify('once@d.example');
    await expectRefused(dataDir, [
      [['outbox', 'retry', sent?.id ?? ''], /no unsent mail "mail_\w+"; see "outbox list"/],
      [['outbox', 'retry', 'mail_1'], /no unsent mail "mail_1"/],
      [['outbox', 'retry', ''], /no unsent mail ""/],
    ]);
    expect(smtp.mails.filter(({ to }) => to.includes('once@d.example'))).toHaveLength(1);
  });

  test('gets the mails of a submission that is marked as genuine, as soon as a mail server is set', async () => {
    accept();
    const { form } = await createTeamWithForm(dataDir);
    await json(dataDir, ['form', 'update', form.id, '--notify', 'held@e.example', '--blocked-words', 'casino']);
    const body = new URLSearchParams({ message: 'win at our casino' });
    await fetch(`${server.url}/v1/forms/${form.id}/submissions`, { method: 'POST', body });
    const [flagged] = await json<Array<{ id: string }>>(dataDir, ['submission', 'list', '--form', form.id, '--spam']);
    const genuine = ['submission', 'mark', flagged?.id ?? '', '--genuine'];
    const unset = await run(dataDir, genuine);
    expect([unset.code, unset.stderr]).toEqual([
      0,
      expect.stringMatching(/^Its mails were not sent: .*Set SMTP_URL.*\n$/),
    ]);
    const toHeld = async () => (await list()).filter(({ recipient }) => recipient === 'held@e.example');
    expect(await toHeld()).toEqual([]);
    const set = await run(dataDir, genuine, { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' });
    expect([set.code, set.stderr]).toEqual([0, '']);
    expect(await attempted('held@e.example')).toMatchObject([{ state: 'sent' }]);
    expect(await toHeld()).toHaveLength(1);
  });

  test.each([
    [['list', '--state', 'lost'], /queued, retrying, sent, dead/],
    [['list', '--limit', '0'], /1 to 1000/],
    [['list', '--limit', '1001'], /1 to 1000/],
    [['list', '--limit', 'ten'], /1 to 1000/],
    [['retry'], /pass the id of a mail or --dead/],
    [['retry', 'mail_1', '--dead'], /pass the id of a mail or --dead/],
  ])('refuses wrong usage: %j', async (args, says) => {
    const { code, stdout, stderr } = await run(dataDir, ['outbox', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
  });

  test('can be listed without a mail server', async () => {
    expect((await list()).length).toBeGreaterThan(0);
  });
});

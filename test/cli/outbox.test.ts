import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { type SmtpSink, startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { dataDirs, expectRefused, household, json, run } from './command-line.ts';

const fresh = dataDirs();

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

/** Posts once to a form that tells these, and returns once none of its mails waits untried. */
async function tell(...recipients: string[]): Promise<Mail[]> {
  const { form } = await household(dataDir);
  await json(dataDir, ['form', 'update', form.id, '--notify', recipients.join()]);
  const body = new URLSearchParams({ message: 'Hello' });
  const answer = await fetch(`${server.url}/v1/forms/${form.id}/submissions`, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return settled(...recipients);
}

/** Waits until no mail to these is queued, and returns the mails. */
function settled(...recipients: string[]): Promise<Mail[]> {
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
const take = () => smtp.onMoment(() => undefined);

describe('outbox', () => {
  test('is empty at first', async () => {
    expect(await json(fresh(), ['outbox', 'list'])).toEqual([] as never);
    expect((await run(fresh(), ['outbox', 'list'])).stdout).toBe('No results.\n');
    expect(await json(fresh(), ['outbox', 'retry', '--dead'])).toEqual({ retried: 0 });
  });

  test('lists what became of each mail, with what the server said', async () => {
    take();
    const [sent] = await tell('sent@a.example');
    refuse(451, '4.2.0 Mailbox\r\nbusy \u001b[31m');
    const [retrying] = await tell('retrying@a.example');
    refuse(550, '5.1.1 No such user');
    const [dead] = await tell('dead@a.example');
    const time = expect.stringMatching(/^\d{4}-.*Z$/) as unknown as string;
    expect(sent).toMatchObject({ kind: 'notification', state: 'sent', failures: 0, due_at: null, settled_at: time });
    expect(sent?.reason).toBeNull();
    expect(retrying).toMatchObject({ state: 'retrying', failures: 1, due_at: time, settled_at: null });
    expect(retrying?.reason).toContain('4.2.0 Mailbox');
    expect(dead).toMatchObject({ state: 'dead', due_at: null, settled_at: time });
    expect(dead?.reason).toContain('5.1.1 No such user');

    expect((await list('--state', 'dead')).map(({ state }) => state)).toEqual(['dead']);
    expect((await list('--state', 'queued')).length).toBe(0);
    expect(await list('--limit', '1')).toEqual([dead as Mail]);
    const shown = await json<Mail[]>(dataDir, ['outbox', 'list']);
    expect(shown.slice(0, 3)).toEqual([dead, retrying, sent] as Mail[]);

    const { stdout } = await run(dataDir, ['outbox', 'list']);
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head?.split(/ {2,}/)).toEqual(['id', 'kind', 'state', 'failures', 'due_at', 'recipient', 'reason']);
    expect(lines).toHaveLength((await list()).length);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  test('sends again what was given up, one or all, and no more than that', async () => {
    refuse(550, '5.1.1 No such user');
    const recipients = ['one@b.example', 'two@b.example', 'three@b.example'];
    const dead = await tell(...recipients);
    expect(dead.map(({ state }) => state)).toEqual(['dead', 'dead', 'dead']);
    take();
    const before = smtp.mails.length;
    const [one] = dead;
    expect(await retry(one?.id ?? '')).toEqual({ retried: 1 });
    expect(await settled(String(one?.recipient))).toMatchObject([{ state: 'sent', failures: 0, reason: null }]);
    const left = (await list('--state', 'dead')).length;
    expect(await retry('--dead')).toEqual({ retried: left });
    await settled(...recipients);
    expect(await list('--state', 'dead')).toEqual([]);
    const arrived = smtp.mails.slice(before).flatMap(({ to }) => to);
    expect(arrived.filter((to) => to.endsWith('@b.example')).sort()).toEqual(recipients.toSorted());
  });

  test('does not wait for what is to be tried again later, if it is told', async () => {
    refuse(451, '4.2.0 Later');
    const [mail] = await tell('later@c.example');
    expect(mail?.state).toBe('retrying');
    take();
    expect(await retry(mail?.id ?? '')).toEqual({ retried: 1 });
    expect(await settled('later@c.example')).toMatchObject([{ state: 'sent' }]);
  });

  test('does not send again what was sent, nor what is not there', async () => {
    take();
    const [sent] = await tell('once@d.example');
    await expectRefused(dataDir, [
      [['outbox', 'retry', sent?.id ?? ''], /no mail "mail_\w+" that is not sent; see "outbox list"/],
      [['outbox', 'retry', 'mail_1'], /no mail "mail_1"/],
      [['outbox', 'retry', ''], /no mail ""/],
    ]);
    expect(smtp.mails.filter(({ to }) => to.includes('once@d.example'))).toHaveLength(1);
  });

  test('gets what is marked as genuine, and the server sends it; where no mail server is set it can be had later', async () => {
    take();
    const { form } = await household(dataDir);
    await json(dataDir, ['form', 'update', form.id, '--notify', 'held@e.example', '--blocked-words', 'casino']);
    const body = new URLSearchParams({ message: 'win at our casino' });
    await fetch(`${server.url}/v1/forms/${form.id}/submissions`, { method: 'POST', body });
    const [flagged] = await json<Array<{ id: string }>>(dataDir, ['submission', 'list', '--form', form.id, '--spam']);
    const genuine = ['submission', 'mark', flagged?.id ?? '', '--genuine'];
    const unset = await run(dataDir, genuine);
    expect([unset.code, unset.stderr]).toEqual([0, expect.stringMatching(/^No mail of it was sent: SMTP_URL.*\n$/)]);
    const toHeld = async () => (await list()).filter(({ recipient }) => recipient === 'held@e.example');
    expect(await toHeld()).toEqual([]);
    const set = await run(dataDir, genuine, { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' });
    expect([set.code, set.stderr]).toEqual([0, '']);
    expect(await settled('held@e.example')).toMatchObject([{ state: 'sent' }]);
    expect(await toHeld()).toHaveLength(1);
  });

  test.each([
    [['list', '--state', 'lost'], /queued, retrying, sent, dead/],
    [['list', '--limit', '0'], /1 to 1000/],
    [['list', '--limit', '1001'], /1 to 1000/],
    [['list', '--limit', 'ten'], /1 to 1000/],
    [['retry'], /name a mail or --dead/],
    [['retry', 'mail_1', '--dead'], /name a mail or --dead/],
  ])('takes wrong usage for that: %j', async (args, says) => {
    const { code, stdout, stderr } = await run(dataDir, ['outbox', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(says);
  });

  test('can be looked at where no mail server is set', async () => {
    expect((await list()).length).toBeGreaterThan(0);
  });
});

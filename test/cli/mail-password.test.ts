import { describe, expect, test } from 'bun:test';
import { placesOf } from '../fast/visitor/canary.ts';
import { spawnServer } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';
import { createTeamWithForm, instances, json, run } from './command-line.ts';

describe('the password of the mail server is never printed', () => {
  const fresh = instances();
  const PASSWORD = 'p4ss-w0rd-of-the-mail-server';

  test.each([true, false])('by a server whose login succeeds: %p', async (isRight) => {
    const smtp = await startSmtp({ login: { user: 'ada', pass: isRight ? PASSWORD : 'another' } });
    const url = `smtp://ada:${PASSWORD}@127.0.0.1:${smtp.port}`;
    const dataDir = fresh();
    const { form } = await createTeamWithForm(dataDir);
    await json(dataDir, ['form', 'update', form.id, '--notify', 'owner@shop.example']);
    const server = await spawnServer(dataDir, { SMTP_URL: url, MAIL_FROM: 'forms@mail.example', LOG_LEVEL: 'debug' });
    const answer = await fetch(`${server.url}/v1/forms/${form.id}/submissions`, {
      method: 'POST',
      body: new URLSearchParams({ message: 'Hello' }),
    });
    expect(answer.status).toBe(200);
    await (isRight ? smtp.arrived(1) : smtp.reached('AUTH'));
    expect(await server.end()).toBe(0);
    const logs = [server.stdout(), server.stderr()];
    expect(logs.join()).not.toContain(PASSWORD);
    expect(placesOf(PASSWORD, { dataDir, logs })).toEqual([]);
    await smtp.stop();
  });

  test('by a command, its help or its explanation of a failed login', async () => {
    const smtp = await startSmtp({ login: { user: 'ada', pass: 'another' } });
    const env = { SMTP_URL: `smtp://ada:${PASSWORD}@127.0.0.1:${smtp.port}`, MAIL_FROM: 'forms@mail.example' };
    const dataDir = fresh();
    const commands = [
      ['--help'],
      ['serve', '--help'],
      ['mail', 'test', '--to', 'ada@home.example'],
      ['outbox', 'list'],
    ];
    const outcomes = await Promise.all(commands.map((args) => run(dataDir, args, env)));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 1, 0]);
    expect(JSON.stringify(outcomes)).not.toContain(PASSWORD);
    await smtp.stop();
  });
});

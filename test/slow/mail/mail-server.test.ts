import { afterAll, describe, expect, test } from 'bun:test';
import { toMailAccount } from '../../../src/domain/mail/mail-server.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { migratedDatabase } from '../../support/postgres.ts';
import { type SmtpSink, startSmtp } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

describe('two processes of one PostgreSQL database', async () => {
  const [first, second] = [await startSmtp(), await startSmtp()];
  const env = { DATABASE_URL: await migratedDatabase(), ENCRYPTION_KEY: '5f'.repeat(32), POSTS_PER_MINUTE: '0' };
  const [one, other] = [await startInstance({ env }), await startInstance({ env })];
  afterAll(async () => {
    for (const { stop } of [one, other, first, second]) await stop();
  });
  const accountAt = ({ port }: SmtpSink, sender: string) => toMailAccount(`smtp://127.0.0.1:${port}`, sender);
  const isMailed = async ({ makeForm, post, context }: Instance, to: string) => {
    const form = await makeForm(one.owner, { notify: [to] });
    await post(form.id, { message: 'Do you repair harps?' });
    return (await context.store.mails.list({ state: null, limit: 1_000 })).some(({ recipient }) => recipient === to);
  };

  test('follow a mail server that one of them was given, was given anew, and lost', async () => {
    expect(await isMailed(other, 'none@shop.example')).toBe(false);
    await one.context.mail.change(accountAt(first, 'first@mail.example'));
    await until(() => other.context.mail.sender === 'first@mail.example', 'the mail server in the other process');
    expect(await isMailed(other, 'a@shop.example')).toBe(true);
    await first.arrived(1);
    await other.context.mail.change(accountAt(second, 'second@mail.example'));
    await until(() => one.context.mail.sender === 'second@mail.example', 'the second mail server in the first process');
    expect(await isMailed(one, 'b@shop.example')).toBe(true);
    await second.arrived(1);
    expect([first, second].map(({ mails }) => mails.map(({ from, to }) => [from, ...to]))).toEqual([
      [['first@mail.example', 'a@shop.example']],
      [['second@mail.example', 'b@shop.example']],
    ]);
    await one.context.mail.change(null);
    await until(() => other.context.mail.sender === null, 'no mail server in the other process');
    expect(await isMailed(other, 'c@shop.example')).toBe(false);
  });
});

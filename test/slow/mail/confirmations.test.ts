import { afterAll, describe, expect, test } from 'bun:test';
import { type Instance, startInstance } from '../../support/instance.ts';
import { migratedDatabase } from '../../support/postgres.ts';
import { startSmtp } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

const OWNER = 'owner@shop.example';

describe('two processes of one PostgreSQL database', async () => {
  const smtp = await startSmtp();
  const env = {
    ...{ DATABASE_URL: await migratedDatabase(), ENCRYPTION_KEY: '5f'.repeat(32), POSTS_PER_MINUTE: '0' },
    ...{ SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example', BASE_URL: 'https://forms.example' },
  };
  const [one, other] = [await startInstance({ env }), await startInstance({ env })];
  afterAll(async () => {
    for (const instance of [one, other]) await instance.stop();
    await smtp.stop();
  });
  const both = [one, other];
  const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));
  const drain = async () => {
    const { store } = one.context;
    for (const state of ['queued', 'retrying'] as const) {
      await until(async () => {
        for (const { context } of both) await context.mail?.outbox.drain();
        return (await store.mails.list({ state, limit: 1 })).length === 0;
      }, `no ${state} mail`);
    }
  };
  const turn = (index: number) => both[index % 2] as Instance;

  test('ask an address once, and notify once about confirmations at once', async () => {
    const form = await one.makeForm(one.owner, { confirmAddress: true, notify: [OWNER] });
    const links: string[] = [];
    for (let round = 0; round < 5; round++) {
      const email = `visitor${round}@home.example`;
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => turn(index).post(form.id, { email, n: String(index) })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      await drain();
      const [mail, ...others] = mailsTo(email);
      expect(others).toEqual([]);
      const raw = mail?.raw.toString().replaceAll(/=\r?\n/g, '') ?? '';
      links.push(/https:\/\/forms\.example(\/confirm\/sub_\w+\/\w+)/.exec(raw)?.[1] ?? '');
    }
    for (const [round, link] of links.entries()) {
      const posts = Array.from({ length: 10 }, async (_, index) => {
        const { status } = await fetch(turn(index).url + link, { method: 'POST' });
        return status;
      });
      expect(new Set(await Promise.all(posts))).toEqual(new Set([200]));
      await drain();
      expect(mailsTo(OWNER)).toHaveLength(round + 1);
    }
  });
});

import { afterAll, afterEach, expect, test } from 'bun:test';
import { ownAddress, startOnFreePort } from '../../support/free-port.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { type SmtpSink, startSmtp } from '../../support/smtp.ts';
import { formData, noise } from '../visitor/files.ts';
import { OWNER, parsed } from './mailing.ts';

const MiB = 1024 * 1024;

const limited = await start({ size: 2 * MiB });
const silent = await start({});
afterAll(() => Promise.all([limited, silent].map(({ stop }) => stop())));
afterEach(() => silent.smtp.onMoment(() => undefined));

type Server = Readonly<{ smtp: SmtpSink; instance: Instance; stop: () => Promise<void> }>;

/** Starts an instance whose mail server announces the given limit. */
async function start(options: Parameters<typeof startSmtp>[0]): Promise<Server> {
  const smtp = await startSmtp(options);
  const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
  const instance = await startOnFreePort((port) => startInstance({ env: { ...mail, ...ownAddress(port) } }));
  return {
    smtp,
    instance,
    stop: async () => {
      await instance.stop();
      await smtp.stop();
    },
  };
}

/** Posts a file of this size to a form that attaches files, and returns the mails sent and the queued ones. */
async function sentWith({ instance, smtp }: Server, size: number, notify: readonly string[] = [OWNER]) {
  const form = await instance.makeForm(instance.owner, { notify, attachFiles: true });
  const before = smtp.mails.length;
  await instance.post(
    form.id,
    formData([
      ['message', 'Hello'],
      ['cv', new File([noise(size)], 'cv.bin')],
    ]),
  );
  await instance.context.mail?.outbox.drain();
  const arrived = await Promise.all(smtp.mails.slice(before).map(parsed));
  const mails = (await instance.context.store.mails.list({ state: null, limit: 100 })).filter(
    ({ formId }) => formId === form.id,
  );
  return { arrived: arrived.map(({ mail }) => mail), states: mails.map(({ state }) => state) };
}

test('files that fit the announced size are attached', async () => {
  const { arrived, states } = await sentWith(limited, 1.4 * MiB);
  expect(arrived.map(({ attachments }) => attachments.length)).toEqual([1]);
  expect(states).toEqual(['sent']);
});

test('files above the announced size are named with a link, without sending them', async () => {
  const begun = limited.smtp.seen.get('DATA') ?? 0;
  // As base64 it is larger than the limit.
  const { arrived, states } = await sentWith(limited, 1.9 * MiB, [OWNER, 'bob@shop.example']);
  expect(states).toEqual(['sent', 'sent']);
  expect((limited.smtp.seen.get('DATA') ?? 0) - begun).toBe(2);
  for (const { attachments, text } of arrived) {
    expect(attachments).toEqual([]);
    expect(text).toMatch(
      new RegExp(
        `File\\n  cv\\.bin \\(2 MB\\)\\n  Open in the dashboard: ${limited.instance.url}/dashboard/submissions/sub_\\w+\\n`,
      ),
    );
    expect(text).toContain('could not be attached');
  }
});

test.each([
  ['552', { code: 552, text: 'message file too big' }],
  ['5.3.4', { code: 554, text: '5.3.4 Message too big for system' }],
])('a mail refused with %s is sent again without its files', async (_, answer) => {
  const { smtp } = silent;
  let refused = 0;
  smtp.onMoment(({ stage }) => (stage === 'END' && refused++ === 0 ? answer : undefined));
  const { arrived, states } = await sentWith(silent, MiB);
  expect(states).toEqual(['sent']);
  expect(arrived.map(({ attachments }) => attachments.length)).toEqual([0]);
  expect(arrived[0]?.text).toContain('could not be attached');
});

test('a mail that is refused without its files too is dead', async () => {
  silent.smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 552, text: '5.2.2 Mailbox full' } : undefined));
  const begun = silent.smtp.seen.get('RCPT') ?? 0;
  expect((await sentWith(silent, 1_000)).states).toEqual(['dead']);
  expect((silent.smtp.seen.get('RCPT') ?? 0) - begun).toBe(2);
});

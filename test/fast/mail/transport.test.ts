import { afterAll, describe, expect, test } from 'bun:test';
import type { Message } from '../../../src/mail/mailer.ts';
import { smtpMailer } from '../../../src/mail/smtp.ts';
import { type SmtpSink, type Stage, startSmtp, type Verdict } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

const FROM = 'Forms <forms@example.com>';
/** Limits of which silence comes first. */
const SHORT_SILENCE = { connectMs: 100, silentMs: 100, deadlineMs: 600_000 };
/** Limits of which the deadline comes first. */
const SHORT_DEADLINE = { connectMs: 600_000, silentMs: 600_000, deadlineMs: 300 };

const opened: Array<() => Promise<void> | void> = [];
afterAll(async () => {
  for (const close of opened.reverse()) await close();
});

async function sinkFor(options?: Parameters<typeof startSmtp>[0]): Promise<SmtpSink> {
  const sink = await startSmtp(options);
  opened.push(sink.stop);
  return sink;
}

function mailerFor(url: string, limits?: typeof SHORT_SILENCE) {
  const mailer = smtpMailer(url, FROM, limits);
  opened.push(mailer.close);
  return mailer;
}

function message(to = 'ada@example.com', parts: Partial<Message> = {}): Message {
  return {
    to,
    replyTo: null,
    subject: 'Hello',
    text: 'Text',
    html: '<p>Text</p>',
    messageId: `<${crypto.randomUUID()}@example.com>`,
    date: Date.UTC(2026, 6, 1) * 1000,
    references: null,
    autoSubmitted: 'auto-generated',
    attachments: [],
    ...parts,
  };
}

const only =
  (stage: Stage, verdict: Verdict) =>
  (moment: { stage: Stage }): Verdict =>
    moment.stage === stage ? verdict : undefined;

describe('a mail that cannot be delivered now', () => {
  test('where nobody listens, failed', async () => {
    const sink = await startSmtp();
    await sink.stop();
    expect(await mailerFor(sink.url).send(message())).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('where the server has no address, failed', async () => {
    expect(
      await mailerFor('smtp://nowhere.invalid', { ...SHORT_SILENCE, connectMs: 2_000 }).send(message()),
    ).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('EDNS'),
    });
  });

  test('where the certificate is not to be trusted, failed', async () => {
    const { port } = await sinkFor({ tls: 'starttls' });
    expect((await mailerFor(`smtp://127.0.0.1:${port}`).send(message())).outcome).toBe('failed');
  });

  const stages = ['CONN', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'END'] as const;
  const everywhere = ['CONN', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'BODY', 'END', 'ACCEPTED'] as const;

  test.each(stages)('put off at %s, failed with the words of the server', async (stage) => {
    const sink = await sinkFor();
    sink.onMoment(only(stage, { code: 451, text: '4.7.1 Greylisted' }));
    expect(await mailerFor(sink.url).send(message())).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('451 4.7.1 Greylisted'),
    });
    expect(sink.mails).toEqual([]);
  });

  test.each(everywhere)('cut off at %s, failed, and soon', async (stage) => {
    const sink = await sinkFor();
    sink.onMoment(only(stage, 'drop'));
    expect((await mailerFor(sink.url).send(message())).outcome).toBe('failed');
    expect(sink.seen.get('ACCEPTED') ?? 0).toBe(stage === 'ACCEPTED' ? 1 : 0);
  });

  test.concurrent.each(everywhere)('of which nothing is heard any more at %s, failed', async (stage) => {
    const sink = await sinkFor();
    sink.onMoment(only(stage, 'hang'));
    expect((await mailerFor(sink.url, SHORT_SILENCE).send(message())).outcome).toBe('failed');
  });

  test.concurrent.each(['EHLO', 'RCPT', 'END'] as const)('answered without end at %s, failed', async (stage) => {
    const sink = await sinkFor();
    sink.onMoment(only(stage, 'drip'));
    expect(await mailerFor(sink.url, SHORT_DEADLINE).send(message())).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('too long'),
    });
  });

  test.concurrent.each(['CONN', 'EHLO', 'RCPT', 'DATA'] as const)(
    'given up at %s, is not sent later',
    async (stage) => {
      const sink = await sinkFor();
      const held = Promise.withResolvers<undefined>();
      sink.onMoment((moment) => (moment.stage === stage ? held.promise : undefined));
      const mailer = mailerFor(sink.url, SHORT_DEADLINE);
      expect((await mailer.send(message())).outcome).toBe('failed');
      sink.onMoment(() => undefined);
      held.resolve(undefined);
      // Again where the machine is too slow for the deadline.
      const isSent = async () => (await mailer.send(message('bob@example.com'))).outcome === 'sent';
      await until(isSent, 'the next mail to be sent');
      expect(new Set(sink.mails.flatMap(({ to }) => to))).toEqual(new Set(['bob@example.com']));
    },
  );
});

describe('a file', () => {
  const file = (bytes: () => AsyncIterable<Uint8Array>) => ({
    name: 'cv.pdf',
    contentType: 'application/pdf',
    bytes: bytes(),
  });

  test('that breaks off in the middle leaves no half mail with the server, which gets the next', async () => {
    const sink = await sinkFor();
    const mailer = mailerFor(sink.url);
    const broken = file(async function* () {
      yield new Uint8Array(100_000);
      throw new Error('the record is damaged');
    });
    expect(await mailer.send(message('ada@example.com', { attachments: [broken] }))).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('the record is damaged'),
    });
    expect(await mailer.send(message('bob@example.com'))).toEqual({ outcome: 'sent' });
    expect(sink.mails.map(({ to }) => to)).toEqual([['bob@example.com']]);
  });

  test('that never comes to its end is given up like a server that is silent', async () => {
    const sink = await sinkFor();
    const mailer = mailerFor(sink.url, SHORT_SILENCE);
    const endless = file(async function* () {
      yield new Uint8Array(100_000);
      await new Promise(() => {});
    });
    expect((await mailer.send(message('ada@example.com', { attachments: [endless] }))).outcome).toBe('failed');
    expect(sink.mails).toEqual([]);
  });
});

describe('a mail that is refused', () => {
  test.each(['RCPT', 'DATA', 'END'] as const)('at %s for good is not tried again', async (stage) => {
    const sink = await sinkFor();
    sink.onMoment(only(stage, { code: 550, text: '5.1.1 No such person' }));
    expect(await mailerFor(sink.url).send(message())).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('550 5.1.1 No such person'),
    });
  });

  test.each(['CONN', 'EHLO', 'MAIL'] as const)('at %s is refused for what we are, and tried again', async (stage) => {
    const sink = await sinkFor();
    sink.onMoment(only(stage, { code: 554, text: '5.7.1 Not from you' }));
    expect(await mailerFor(sink.url).send(message())).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('554 5.7.1 Not from you'),
    });
  });
});

describe('credentials', () => {
  const login = { user: 'forms@example.com', pass: 'a p@ss:w/ord' };

  test('are given, also over a connection that becomes encrypted', async () => {
    const sink = await sinkFor({ login, tls: 'starttls' });
    expect(await mailerFor(sink.url).send(message())).toEqual({ outcome: 'sent' });
    expect(sink.mails).toMatchObject([{ user: login.user, isEncrypted: true }]);
  });

  test('are given over a connection that is encrypted from its first byte', async () => {
    const sink = await sinkFor({ login, tls: 'implicit' });
    expect(await mailerFor(sink.url).send(message())).toEqual({ outcome: 'sent' });
    expect(sink.mails).toMatchObject([{ user: login.user, isEncrypted: true }]);
  });

  test('that are wrong are said to be', async () => {
    const { port } = await sinkFor({ login });
    expect(await mailerFor(`smtp://forms:wrong@127.0.0.1:${port}`).send(message())).toMatchObject({
      outcome: 'login',
      reason: expect.stringContaining('535 5.7.8 Wrong user or password'),
    });
  });

  test('that are missing are said to be', async () => {
    const { port } = await sinkFor({ login });
    expect(await mailerFor(`smtp://127.0.0.1:${port}`).send(message())).toMatchObject({
      outcome: 'login',
      reason: expect.stringContaining('530'),
    });
  });

  test('that cannot be looked at just now are no fault of theirs', async () => {
    const sink = await sinkFor({ login });
    sink.onMoment(only('AUTH', { code: 454, text: '4.7.0 Temporary authentication failure' }));
    expect((await mailerFor(sink.url).send(message())).outcome).toBe('failed');
  });
});

describe('a connection', () => {
  test('is used again for the next mail, and also after a refusal nothing goes out twice', async () => {
    const sink = await sinkFor();
    const mailer = mailerFor(sink.url);
    const refused = { code: 550, text: 'No such person' };
    sink.onMoment(({ stage, line }) => (stage === 'RCPT' && line.includes('no-one@') ? refused : undefined));
    const outcomes: string[] = [];
    for (const name of ['a', 'b', 'no-one', 'c', 'd']) {
      outcomes.push((await mailer.send(message(`${name}@example.com`))).outcome);
    }
    expect(outcomes).toEqual(['sent', 'sent', 'refused', 'sent', 'sent']);
    expect(sink.mails.map(({ to }) => to[0]?.[0])).toEqual(['a', 'b', 'c', 'd']);
    expect(sink.mails[0]?.connection).toBe(sink.mails[1]?.connection ?? '');
  });

  test('that breaks amid a later mail does not bring back the earlier one', async () => {
    const sink = await sinkFor();
    const mailer = mailerFor(sink.url);
    expect((await mailer.send(message('a@example.com'))).outcome).toBe('sent');
    for (const stage of ['MAIL', 'RCPT', 'DATA', 'BODY', 'END'] as const) {
      sink.onMoment(only(stage, 'drop'));
      await mailer.send(message('b@example.com'));
    }
    sink.onMoment(() => undefined);
    expect((await mailer.send(message('c@example.com'))).outcome).toBe('sent');
    expect(sink.mails.filter(({ to }) => to[0] !== 'b@example.com').map(({ to }) => to[0]?.[0])).toEqual(['a', 'c']);
  });

  test('that the server closed while it was idle costs the next mail nothing', async () => {
    const sink = await sinkFor();
    const mailer = mailerFor(sink.url);
    await mailer.send(message());
    sink.cut();
    expect(await mailer.send(message())).toEqual({ outcome: 'sent' });
    expect(sink.mails).toHaveLength(2);
  });

  test('amid a mail is closed with the mailer, which fails that mail at once', async () => {
    const sink = await sinkFor();
    sink.onMoment(only('END', 'hang'));
    const mailer = mailerFor(sink.url);
    const sending = mailer.send(message());
    await sink.reached('END');
    mailer.close();
    expect((await sending).outcome).toBe('failed');
  });
});

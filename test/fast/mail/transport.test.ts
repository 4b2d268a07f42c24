import { afterAll, describe, expect, test } from 'bun:test';
import type { Message } from '../../../src/mail/mailer.ts';
import { smtpMailer } from '../../../src/mail/smtp.ts';
import { type SmtpSink, type Stage, startSmtp, type Verdict } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

const FROM = 'Forms <forms@example.com>';
/** Timeouts of which the idle timeout expires first. */
const SHORT_IDLE = { connectMs: 100, idleMs: 100, totalMs: 600_000 };
/** Timeouts of which the total expires first. */
const SHORT_TOTAL = { connectMs: 600_000, idleMs: 600_000, totalMs: 300 };

const cleanups: Array<() => Promise<void> | void> = [];
afterAll(async () => {
  for (const close of cleanups.reverse()) await close();
});

async function sinkFor(options?: Parameters<typeof startSmtp>[0]): Promise<SmtpSink> {
  const sink = await startSmtp(options);
  cleanups.push(sink.stop);
  return sink;
}

function mailerFor(url: string, timeouts?: typeof SHORT_IDLE) {
  const mailer = smtpMailer(url, FROM, timeouts && { timeouts });
  cleanups.push(mailer.close);
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

describe('a send that may be retried fails', () => {
  test('when the connection is refused', async () => {
    const sink = await startSmtp();
    await sink.stop();
    expect(await mailerFor(sink.url).send(message())).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('when the host name does not resolve', async () => {
    expect(
      await mailerFor('smtp://nowhere.invalid', { ...SHORT_IDLE, connectMs: 2_000 }).send(message()),
    ).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('EDNS') });
  });

  test('when the certificate is not trusted', async () => {
    const { port } = await sinkFor({ tls: 'starttls' });
    expect((await mailerFor(`smtp://127.0.0.1:${port}`).send(message())).outcome).toBe('failed');
  });

  const stages = ['CONN', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'END'] as const;
  const everywhere = ['CONN', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'BODY', 'END', 'ACCEPTED'] as const;

  test.each(stages)('after a 4xx response at %s, with that response as the reason', async (stage) => {
    const sink = await sinkFor();
    sink.onMoment(only(stage, { code: 451, text: '4.7.1 Greylisted' }));
    expect(await mailerFor(sink.url).send(message())).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('451 4.7.1 Greylisted'),
    });
    expect(sink.mails).toEqual([]);
  });

  test.each(everywhere)('when the connection is dropped at %s', async (stage) => {
    const sink = await sinkFor();
    sink.onMoment(only(stage, 'drop'));
    expect((await mailerFor(sink.url).send(message())).outcome).toBe('failed');
    expect(sink.seen.get('ACCEPTED') ?? 0).toBe(stage === 'ACCEPTED' ? 1 : 0);
  });

  test.concurrent.each(everywhere)('when the server stays silent at %s', async (stage) => {
    const sink = await sinkFor();
    sink.onMoment(only(stage, 'hang'));
    expect((await mailerFor(sink.url, SHORT_IDLE).send(message())).outcome).toBe('failed');
  });

  test.concurrent.each(['EHLO', 'RCPT', 'END'] as const)(
    'when the server never finishes its response at %s',
    async (stage) => {
      const sink = await sinkFor();
      sink.onMoment(only(stage, 'drip'));
      expect(await mailerFor(sink.url, SHORT_TOTAL).send(message())).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('too long'),
      });
    },
  );

  test.concurrent.each(['CONN', 'EHLO', 'RCPT', 'DATA'] as const)(
    'after a timeout at %s, and the mail is not sent later',
    async (stage) => {
      const sink = await sinkFor();
      const held = Promise.withResolvers<undefined>();
      sink.onMoment((moment) => (moment.stage === stage ? held.promise : undefined));
      const mailer = mailerFor(sink.url, SHORT_TOTAL);
      expect((await mailer.send(message())).outcome).toBe('failed');
      sink.onMoment(() => undefined);
      held.resolve(undefined);
      // Repeated, since a slow machine may exceed the timeout.
      const isSent = async () => (await mailer.send(message('bob@example.com'))).outcome === 'sent';
      await until(isSent, 'the next mail to be sent');
      expect(new Set(sink.mails.flatMap(({ to }) => to))).toEqual(new Set(['bob@example.com']));
    },
  );
});

describe('an attachment', () => {
  const file = (bytes: () => AsyncIterable<Uint8Array>) => ({
    name: 'cv.pdf',
    contentType: 'application/pdf',
    size: 100_000,
    bytes: bytes(),
  });

  test('that fails halfway leaves no partial mail on the server, and the next mail is sent', async () => {
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

  test('that never ends runs into the idle timeout', async () => {
    const sink = await sinkFor();
    const mailer = mailerFor(sink.url, SHORT_IDLE);
    const endless = file(async function* () {
      yield new Uint8Array(100_000);
      await new Promise(() => {});
    });
    expect((await mailer.send(message('ada@example.com', { attachments: [endless] }))).outcome).toBe('failed');
    expect(sink.mails).toEqual([]);
  });
});

describe('a 5xx response', () => {
  test.each(['RCPT', 'DATA', 'END'] as const)('at %s is permanent', async (stage) => {
    const sink = await sinkFor();
    sink.onMoment(only(stage, { code: 550, text: '5.1.1 No such person' }));
    expect(await mailerFor(sink.url).send(message())).toMatchObject({
      outcome: 'refused',
      reason: expect.stringContaining('550 5.1.1 No such person'),
    });
  });

  test.each(['CONN', 'EHLO', 'MAIL'] as const)(
    'at %s concerns the server or the sender, and may be retried',
    async (stage) => {
      const sink = await sinkFor();
      sink.onMoment(only(stage, { code: 554, text: '5.7.1 Not from you' }));
      expect(await mailerFor(sink.url).send(message())).toMatchObject({
        outcome: 'failed',
        reason: expect.stringContaining('554 5.7.1 Not from you'),
      });
    },
  );
});

describe('credentials', () => {
  const login = { user: 'forms@example.com', pass: 'a p@ss:w/ord' };

  test('are sent after STARTTLS', async () => {
    const sink = await sinkFor({ login, tls: 'starttls' });
    expect(await mailerFor(sink.url).send(message())).toEqual({ outcome: 'sent' });
    expect(sink.mails).toMatchObject([{ user: login.user, isEncrypted: true }]);
  });

  test('are sent over implicit TLS', async () => {
    const sink = await sinkFor({ login, tls: 'implicit' });
    expect(await mailerFor(sink.url).send(message())).toEqual({ outcome: 'sent' });
    expect(sink.mails).toMatchObject([{ user: login.user, isEncrypted: true }]);
  });

  test('that are wrong are reported as a login failure', async () => {
    const { port } = await sinkFor({ login });
    expect(await mailerFor(`smtp://forms:wrong@127.0.0.1:${port}`).send(message())).toMatchObject({
      outcome: 'login',
      reason: expect.stringContaining('535 5.7.8 Wrong user or password'),
    });
  });

  test('that are missing are reported as a login failure', async () => {
    const { port } = await sinkFor({ login });
    expect(await mailerFor(`smtp://127.0.0.1:${port}`).send(message())).toMatchObject({
      outcome: 'login',
      reason: expect.stringContaining('530'),
    });
  });

  test('that the server cannot check now are an ordinary failure', async () => {
    const sink = await sinkFor({ login });
    sink.onMoment(only('AUTH', { code: 454, text: '4.7.0 Temporary authentication failure' }));
    expect((await mailerFor(sink.url).send(message())).outcome).toBe('failed');
  });
});

describe('a connection', () => {
  test('is reused for the next mail, and no mail is sent twice after a refusal', async () => {
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

  test('that breaks during a later mail does not repeat the earlier one', async () => {
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

  test('that the server closed while idle does not fail the next mail', async () => {
    const sink = await sinkFor();
    const mailer = mailerFor(sink.url);
    await mailer.send(message());
    sink.cut();
    expect(await mailer.send(message())).toEqual({ outcome: 'sent' });
    expect(sink.mails).toHaveLength(2);
  });

  test('closed with the mailer fails the current mail at once', async () => {
    const sink = await sinkFor();
    sink.onMoment(only('END', 'hang'));
    const mailer = mailerFor(sink.url);
    const sending = mailer.send(message());
    await sink.reached('END');
    mailer.close();
    expect((await sending).outcome).toBe('failed');
  });
});

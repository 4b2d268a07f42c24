import { afterAll, describe, expect, test } from 'bun:test';
import PostalMime from 'postal-mime';
import { type SmtpSink, type Stage, startSmtp, type Verdict } from '../support/smtp.ts';
import { instances, refused, run } from './command-line.ts';

const fresh = instances();
const started: SmtpSink[] = [];
afterAll(() => Promise.all(started.map(({ stop }) => stop())));

async function smtp(options: Parameters<typeof startSmtp>[0] = {}): Promise<SmtpSink> {
  const server = await startSmtp(options);
  started.push(server);
  return server;
}

const ARGS = ['mail', 'test', '--to', 'ada@home.example'];
const settings = (url: string) => ({ SMTP_URL: url, MAIL_FROM: 'Forms, Inc. <forms@mail.example>' });

describe('mail test', () => {
  test('sends one mail and confirms it', async () => {
    const server = await smtp();
    const outcome = await run(fresh(), [...ARGS, '--json'], settings(server.url));
    expect(outcome.code).toBe(0);
    expect(JSON.parse(outcome.stdout)).toEqual({ sent_to: 'ada@home.example', sent_from: 'forms@mail.example' });
    const [mail, ...others] = server.mails;
    expect([mail?.from, mail?.to, others]).toEqual(['forms@mail.example', ['ada@home.example'], []]);
    const read = await PostalMime.parse(mail?.raw ?? '');
    expect(read.from).toEqual({ name: 'Forms, Inc.', address: 'forms@mail.example' });
    expect(read.subject).toMatch(/Formstead/);
    expect(read.text).toMatch(/test/);
    expect(read.html).toMatch(/test/);
  });

  test.each(['implicit', 'starttls'] as const)('sends it with %s TLS and a password', async (tls) => {
    const server = await smtp({ tls, login: { user: 'ada@mail.example', pass: 'p@ss/w:rd#?%' } });
    const { code, stdout } = await run(fresh(), ARGS, settings(server.url));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^sent_to +ada@home\.example$/m)]);
    expect(server.mails).toMatchObject([{ user: 'ada@mail.example', isEncrypted: true }]);
  });

  test('fails without a mail server and names the settings', async () => {
    expect(await run(fresh(), ARGS)).toEqual(refused(/No mail server is configured\. Set SMTP_URL and MAIL_FROM/));
  });

  test.each([
    'ada',
    '',
    'ada@home.example,bob@home.example',
    'Ada <ada@home.example>',
    'a@b\nRCPT TO:<eve@evil.example>',
  ])('refuses the address %j', async (to) => {
    const server = await smtp();
    const outcome = await run(fresh(), ['mail', 'test', '--to', to], settings(server.url));
    expect(outcome).toEqual(refused(/is not an email address/));
    expect(server.seen.size).toBe(0);
  });

  test('requires --to', async () => {
    expect(await run(fresh(), ['mail', 'test'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/--to/) });
  });
});

describe('mail test explains', () => {
  const expectExplained = async (url: string, says: RegExp) => {
    expect(await run(fresh(), ARGS, settings(url))).toEqual(
      refused(new RegExp(`Could not send the mail: .*${says.source}`)),
    );
  };

  test.each<[Stage, Verdict, RegExp]>([
    ['CONN', { code: 554, text: 'No' }, /may send through this server.*554 No/],
    ['CONN', { code: 421, text: 'Busy' }, /Try again.*421 Busy/],
    ['EHLO', { code: 550, text: 'No' }, /may send through this server.*550 No/],
    ['MAIL', { code: 553, text: 'Not yours' }, /MAIL_FROM.*553 Not yours/],
    ['MAIL', { code: 451, text: 'Slow down' }, /Try again.*451 Slow down/],
    ['RCPT', { code: 550, text: 'No such user' }, /Check the address.*550 No such user/],
    ['RCPT', { code: 450, text: 'Greylisted' }, /Try again.*450 Greylisted/],
    ['DATA', { code: 554, text: 'No data' }, /rejected the mail.*554 No data/],
    ['END', { code: 554, text: 'Looks like spam' }, /rejected the mail.*554 Looks like spam/],
    ['CONN', 'drop', /closed the connection.*smtps:.*465/],
    ['EHLO', 'drop', /closed the connection/],
    ['END', 'drop', /closed the connection/],
  ])('the reply of a server at %s: %j', async (stage, verdict, says) => {
    const server = await smtp();
    server.onMoment((moment) => (moment.stage === stage ? verdict : undefined));
    await expectExplained(server.url, says);
  });

  test('a wrong and a missing password, without printing it', async () => {
    const { port } = await smtp({ login: { user: 'ada', pass: 'right' } });
    for (const credentials of ['ada:wrong-one@', '']) {
      await expectExplained(`smtp://${credentials}127.0.0.1:${port}`, /Check user and password.*53[05]/);
    }
    const { stderr } = await run(fresh(), ARGS, settings(`smtp://ada:wrong-one@127.0.0.1:${port}`));
    expect(stderr).not.toContain('wrong-one');
  });

  test('a server without TLS that would get a password, and sends none', async () => {
    const server = await smtp({ login: { user: 'ada', pass: 'secret' } });
    // Not a loopback address to Formstead, but Linux connects to this machine.
    for (const query of ['', '/?requireTLS=false', '/?ignoreTLS=true&opportunisticTLS=true']) {
      await expectExplained(`smtp://ada:secret@0.0.0.0:${server.port}${query}`, /offers no TLS.*smtps:\/\//);
    }
    expect(server.seen.get('AUTH')).toBeUndefined();
    expect((await run(fresh(), ARGS, settings(`smtp://ada:secret@localhost:${server.port}`))).code).toBe(0);
    expect((await run(fresh(), ARGS, settings(`smtp://0.0.0.0:${server.port}`))).stderr).not.toMatch(/TLS/);
  });

  test('a password, sent over STARTTLS to another host', async () => {
    const server = await smtp({ tls: 'starttls', login: { user: 'ada', pass: 'secret' } });
    const url = `smtp://ada:secret@0.0.0.0:${server.port}/?tls.rejectUnauthorized=false`;
    expect((await run(fresh(), ARGS, settings(url))).code).toBe(0);
    expect(server.mails).toMatchObject([{ user: 'ada', isEncrypted: true }]);
  });

  test('a closed port', () => expectExplained('smtp://127.0.0.1:1', /connection refused/));

  test('an unknown host', () => expectExplained('smtp://mail.invalid:25', /the host is unknown/));

  test('TLS on a port without TLS', async () => {
    const { port } = await smtp();
    await expectExplained(`smtps://127.0.0.1:${port}`, /does not use TLS\. Use STARTTLS/);
  });

  test.each(['implicit', 'starttls'] as const)('an untrusted certificate with %s TLS', async (tls) => {
    const { port } = await smtp({ tls });
    const scheme = tls === 'implicit' ? 'smtps' : 'smtp';
    await expectExplained(`${scheme}://127.0.0.1:${port}`, /certificate is not trusted/);
  });
});

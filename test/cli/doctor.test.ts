import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formstead } from '../support/process.ts';
import { type SmtpSink, startSmtp } from '../support/smtp.ts';
import { dataDirs, json, run } from './command-line.ts';

const fresh = dataDirs();
const started: SmtpSink[] = [];
afterAll(() => Promise.all(started.map(({ stop }) => stop())));

type Finding = Readonly<{ check: string; state: string; says: string }>;

async function examined(dataDir: string, env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await run(dataDir, ['doctor', '--json'], env);
  const findings = JSON.parse(stdout) as Finding[];
  return { code, stderr, findings, of: (check: string) => findings.find((finding) => finding.check === check) };
}

async function mailSettings(options: Parameters<typeof startSmtp>[0] = {}) {
  const smtp = await startSmtp(options);
  started.push(smtp);
  return { smtp, env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' } };
}

describe('doctor', () => {
  test('finds a new data directory in order, and says what is not set', async () => {
    const dataDir = fresh();
    const outcome = await formstead(dataDir, ['doctor']);
    expect([outcome.code, outcome.stderr]).toEqual([0, expect.stringContaining('Keep a copy')]);
    expect(outcome.stdout).toMatch(/^check +state +says$/m);
    expect(outcome.stdout).toMatch(/^mail +off +no mail is sent: SMTP_URL is not set$/m);
    const findings = await json<Finding[]>(dataDir, ['doctor']);
    expect(findings.map(({ check, state }) => [check, state])).toEqual([
      ['data directory', 'ok'],
      ['database', 'ok'],
      ['encryption key', 'ok'],
      ['mail', 'off'],
      ['address', 'off'],
    ]);
  });

  test('asks the mail server whether it lets us in, and sends nothing', async () => {
    const { smtp, env } = await mailSettings({ login: { user: 'ada', pass: 'right' } });
    const { code, findings } = await examined(fresh(), { ...env, BASE_URL: 'https://forms.example.com' });
    expect([code, findings.map(({ state }) => state)]).toEqual([0, ['ok', 'ok', 'ok', 'ok', 'ok']]);
    expect([smtp.seen.get('AUTH'), smtp.mails.length, smtp.seen.get('MAIL')]).toEqual([1, 0, undefined]);
  });

  test('says what to do about a mail server that does not let us in, and ends with 1', async () => {
    const { smtp } = await mailSettings({ login: { user: 'ada', pass: 'right' } });
    const env = { SMTP_URL: `smtp://ada:wrong@127.0.0.1:${smtp.port}`, MAIL_FROM: 'forms@mail.example' };
    const { code, stderr, of } = await examined(fresh(), env);
    expect(code).toBe(1);
    expect(stderr).toEndWith('formstead: not in order: mail.\n');
    expect(of('mail')).toMatchObject({ state: 'broken', says: expect.stringMatching(/user and password.*535/) });
    const { of: ofNone } = await examined(fresh(), { ...env, SMTP_URL: 'smtp://127.0.0.1:1' });
    expect(ofNone('mail')?.says).toMatch(/nothing listens there/);
  });

  test('finds a damaged database', async () => {
    const dataDir = fresh();
    await json(dataDir, ['team', 'create', '--name', 'Acme']);
    const path = join(dataDir, 'formstead.db');
    const db = new Database(path);
    db.run('PRAGMA wal_checkpoint(TRUNCATE)');
    const page = db
      .query<{ root: number }, []>("SELECT rootpage AS root FROM sqlite_schema WHERE name = 'outbox'")
      .get();
    const size = db.query<{ page_size: number }, []>('PRAGMA page_size').get();
    db.close();
    const bytes = Buffer.from(await Bun.file(path).arrayBuffer());
    const { page_size: length = 0 } = size ?? {};
    bytes.fill(0xff, ((page?.root ?? 0) - 1) * length, (page?.root ?? 0) * length);
    writeFileSync(path, bytes);
    const { code, of } = await examined(dataDir);
    expect([code, of('database')?.state]).toEqual([1, 'broken']);
    expect(of('database')?.says).toMatch(/damaged; stop the server.*backup/);
  });

  test.each([
    [{ ENCRYPTION_KEY: 'short' }, /ENCRYPTION_KEY holds/],
    [{ ENCRYPTION_KEY: 'ab'.repeat(32) }, /key/],
    [{ BASE_URL: 'forms' }, /BASE_URL is "forms"; it takes/],
  ])('tells what keeps Formstead from starting: %j', async (env, says) => {
    const dataDir = fresh();
    await json(dataDir, ['team', 'list']);
    const { code, findings } = await examined(dataDir, env);
    expect(code).toBe(1);
    expect(findings).toEqual([
      { check: 'start', state: 'broken', says: expect.stringMatching(says) as unknown as string },
    ]);
  });
});

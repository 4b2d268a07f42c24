import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { newId } from '../../src/lib/ids.ts';
import { temporaryDir } from '../support/instance.ts';
import { createInstance, formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { type Stage, startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';

/** The number of kills. `bun run bench crashes` sets a higher one to find rare faults. */
const ROUNDS = Number(Bun.env.ROUNDS ?? 2);
const STAGES: readonly Stage[] = ['CONN', 'RCPT'];

const dir = await createInstance(temporaryDir());
const smtp = await startSmtp();
afterAll(async () => {
  await smtp.stop();
  rmSync(dir, { recursive: true });
});

const start = () => spawnServer(dir, { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' });

async function create<Made>(...args: string[]): Promise<Made> {
  return JSON.parse((await formstead(dir, [...args, '--json'])).stdout) as Made;
}

/** Makes an account of the team and returns the cookie of its session. */
async function signIn({ url }: ServerProcess, teamId: string): Promise<string> {
  const { link } = await create<{ link: string }>('user', 'create', '--team', teamId);
  const body = new URLSearchParams({ email: 'ada@team.example', new_password: 'correct horse battery staple' });
  const answer = await fetch(url + new URL(link).pathname, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: new URL(url).origin },
    body,
  });
  return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

/** Replies and notes by their text, each with the id that repeated attempts have in common. */
const written = new Map<string, Readonly<{ id: string; path: string; isKept: boolean }>>();

test('replies and notes that were acknowledged survive kills, and no reply is sent twice', async () => {
  const team = await create<{ id: string }>('team', 'create', '--name', 'Team');
  const workspace = await create<{ id: string }>('workspace', 'create', '--team', team.id, '--name', 'Workspace');
  const form = await create<{ id: string }>('form', 'create', '--workspace', workspace.id, '--name', 'Form');
  let server = await start();
  const cookie = await signIn(server, team.id);
  const body = JSON.stringify({ email: 'visitor@home.example', message: 'Hello' });
  const headers = { 'Content-Type': 'application/json' };
  await fetch(`${server.url}/v1/forms/${form.id}/submissions`, { method: 'POST', body, headers });
  const [submission] = await create<Array<{ id: string }>>('submission', 'list', '--form', form.id);
  const page = `/dashboard/submissions/${submission?.id}`;

  /** Posts a reply or note again under its id, as a browser does that got no answer. */
  const write = async (text: string) => {
    const { id, path, isKept } = written.get(text) ?? {
      id: newId('msg'),
      path: text.split(' ')[0] ?? '',
      isKept: false,
    };
    const fields = new URLSearchParams({ page_team: team.id, message: id, subject: text, text });
    const answer = await fetch(`${server.url}${page}/${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: cookie, Origin: new URL(server.url).origin },
      body: fields,
    }).catch(() => null);
    written.set(text, { id, path, isKept: isKept || answer?.status === 303 });
  };

  for (let round = 0; round < ROUNDS * STAGES.length; round++) {
    const stage = STAGES[round % STAGES.length] ?? 'CONN';
    smtp.onMoment((moment) => (moment.stage === stage ? 'hang' : undefined));
    const before = smtp.seen.get(stage) ?? 0;
    await write(`reply first ${round}`);
    await smtp.reached(stage, before + 1);
    const racing = [write(`reply second ${round}`), write(`notes ${round}`)];
    await Promise.race(racing);
    await server.end('SIGKILL');
    await Promise.all(racing);
    server = await start();
    await Promise.all([...written.keys()].map(write));
  }
  smtp.onMoment(() => undefined);
  await until(() => smtp.mails.length >= 2 * ROUNDS * STAGES.length, 'the mails of all replies');
  const sent = smtp.mails.map(({ raw }) => /^subject: (.*)\r$/im.exec(raw.toString('latin1'))?.[1]).sort();
  expect(sent).toEqual([...written.keys()].filter((text) => text.startsWith('reply')).sort());
  const shown = await (await fetch(`${server.url}${page}?thread=all`, { headers: { Cookie: cookie } })).text();
  for (const [text, { isKept }] of written) expect([text, isKept, shown.includes(text)]).toEqual([text, true, true]);
  expect(await server.end()).toBe(0);
});

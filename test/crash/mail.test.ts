import { afterAll, describe, expect, test } from 'bun:test';
import { noise } from '../fast/visitor/files.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import type { Stage } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { mailingForm } from './mailing-form.ts';

/** The number of kills per server. `bun run bench crashes` sets a higher one to find rare faults. */
const ROUNDS = Number(Bun.env.ROUNDS ?? 2);
/** The concurrency of the outbox. */
const POSTS = 8;
/** Larger than the socket buffers, so that sending blocks until the mail server reads. */
const LARGE = noise(9_000_000);

const { dir, smtp, form, stop } = await mailingForm(['--attach-files', 'true']);
afterAll(stop);

const start = () => spawnServer(dir, { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' });
const settled = (server: ServerProcess) => server.stdout().split('"message":"mail sent"').length - 1;

/** Sends `count` posts concurrently and calls back with the name of each acknowledged one. */
async function post({ url }: ServerProcess, count: number, file: Uint8Array | null, onYes: (name: string) => void) {
  const one = async () => {
    const name = crypto.randomUUID();
    const body = new FormData();
    body.append('_subject', name);
    body.append('message', 'Hello');
    if (file) body.append('cv', new File([file], 'cv.bin'));
    const answer = await fetch(`${url}/v1/forms/${form.id}/submissions`, { method: 'POST', body }).catch(() => null);
    if (answer?.status === 200) onYes(name);
  };
  await Promise.all(Array.from({ length: count }, one));
}

/** Returns the Message-IDs of the received mails by the name of their post. */
function arrivals(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { raw, messageId } of smtp.mails) {
    const name = /^subject: (\S+)/im.exec(raw.toString('latin1', 0, 5_000))?.[1] ?? '';
    found.set(name, [...(found.get(name) ?? []), messageId]);
  }
  return found;
}

/** Kills a server in each round when `moment` resolves, then lets one finish. Returns the acknowledged names. */
async function killAt(moment: (server: ServerProcess, acknowledged: Set<string>) => Promise<unknown>) {
  const acknowledged = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const server = await start();
    await moment(server, acknowledged);
    await server.end('SIGKILL');
  }
  smtp.onMoment(() => undefined);
  const server = await start();
  await until(() => acknowledged.isSubsetOf(arrivals()), 'the mails of all acknowledged posts');
  expect(await server.end()).toBe(0);
  expect(acknowledged.size).toBeGreaterThan(0);
  return acknowledged;
}

/** Kills while the deliveries in flight hang at an SMTP stage. */
function killHeldAt(stage: Stage, count = POSTS, file: Uint8Array | null = null) {
  return killAt(async (server, acknowledged) => {
    const before = smtp.seen.get(stage) ?? 0;
    smtp.onMoment((moment) => (moment.stage === stage ? 'hang' : undefined));
    await post(server, count, file, (name) => acknowledged.add(name));
    await smtp.reached(stage, before + count);
  });
}

function expectOnceEach(names: ReadonlySet<string>): void {
  const found = arrivals();
  expect([...names].filter((name) => found.get(name)?.length !== 1)).toEqual([]);
}

describe('after a kill and a restart, every acknowledged submission is mailed', () => {
  test('once, if killed right after the acknowledgment', async () => {
    const names = await killAt(async (server, acknowledged) => {
      const first = Promise.withResolvers<void>();
      smtp.onMoment(({ stage }) => (stage === 'CONN' ? 'hang' : undefined));
      post(server, POSTS, null, (name) => first.resolve(void acknowledged.add(name)));
      await first.promise;
    });
    expectOnceEach(names);
  });

  test('once, if killed with mails claimed and before the SMTP session', async () => {
    expectOnceEach(await killHeldAt('CONN'));
  });

  test('once, if killed during the SMTP session', async () => {
    expectOnceEach(await killHeldAt('RCPT'));
  });

  test('once, if killed before the end of DATA', async () => {
    expectOnceEach(await killHeldAt('BODY', 2, LARGE));
  });

  test('again with the same Message-ID, if the mail server accepted it but its reply was lost', async () => {
    const names = await killHeldAt('ACCEPTED');
    const found = arrivals();
    const ids = [...names].map((name) => found.get(name) ?? []);
    expect(ids.every((each) => new Set(each).size === 1)).toBe(true);
    expect(ids.some((each) => each.length > 1)).toBe(true);
    expect(Math.max(...ids.map((each) => each.length))).toBeLessThanOrEqual(ROUNDS + 1);
  });

  test('once, if killed after all results were recorded', async () => {
    const names = await killAt(async (server, acknowledged) => {
      smtp.onMoment(() => undefined);
      await post(server, POSTS, null, (name) => acknowledged.add(name));
      await until(() => settled(server) >= POSTS, `${POSTS} sent mails`);
    });
    expectOnceEach(names);
  });
});

import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { nextAttemptAt, type StoredMail } from '../../../src/domain/mail.ts';
import { sweepJob } from '../../../src/jobs/sweep.ts';
import { HOUR, MINUTE, type Micros } from '../../../src/lib/clock.ts';
import { startMailing } from './mailing.ts';

const DAY = 24 * HOUR;
const FIRST_WAITS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR];
const JULY = Date.UTC(2026, 6, 1) * 1000;

let now: Micros = JULY;
const mailing = await startMailing({}, () => now);
const { instance, smtp, drained } = mailing;
const { store } = instance.context;
afterAll(mailing.stop);

beforeEach(() => {
  smtp.onMoment(() => undefined);
  now += 30 * DAY;
});

const form = await mailing.form();
const tries = () => smtp.seen.get('RCPT') ?? 0;

function putOff(): void {
  smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 451, text: '4.7.1 Try again later' } : undefined));
}

async function waiting(): Promise<StoredMail[]> {
  return store.listMails({ state: 'retrying', limit: 1_000 });
}

async function newest(): Promise<StoredMail> {
  const [mail] = await store.listMails({ state: null, limit: 1 });
  if (mail) return mail;
  throw new Error('there is no mail');
}

async function post(count = 1): Promise<void> {
  for (let n = 0; n < count; n++) await instance.post(form.id, { message: `Hello ${n}` });
}

/** How often something was tried since, once nothing is due. */
async function triesMeanwhile(): Promise<number> {
  const before = tries();
  await drained();
  await drained();
  return tries() - before;
}

describe('the schedule', () => {
  test('without jitter is 1, 5, 15, 30 minutes, 1, 2, 4 and then every 6 hours, until four days are over', () => {
    const times: Micros[] = [0];
    for (let at: Micros | null = 0; at !== null; ) {
      at = nextAttemptAt(times.length, at, 0);
      if (at !== null) times.push(at);
    }
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(waits.slice(0, 7)).toEqual(FIRST_WAITS);
    expect(new Set(waits.slice(7))).toEqual(new Set([6 * HOUR]));
    expect(times.at(-1)).toBeGreaterThan(4 * DAY);
    expect(times.at(-2)).toBeLessThanOrEqual(4 * DAY);
  });

  test('is spread by at most a fifth', () => {
    for (const [index, wait] of FIRST_WAITS.entries()) {
      expect([0, 0.5, 1].map((random) => nextAttemptAt(index + 1, now, random))).toEqual([
        now + wait,
        now + wait * 1.1,
        now + wait * 1.2,
      ]);
    }
  });

  test('is kept to the microsecond, and a mail that was never taken is given up after four days', async () => {
    putOff();
    const begin = now;
    await post();
    const gaps: Micros[] = [];
    await drained();
    for (let mail = await newest(); mail.state === 'retrying'; mail = await newest()) {
      const gap = mail.dueAt - now;
      now = mail.dueAt - 1;
      const early = await triesMeanwhile();
      now = mail.dueAt;
      gaps.push(gap);
      expect([early, await triesMeanwhile()]).toEqual([0, 1]);
    }
    const bounds = gaps.map((gap, index) => gap / (FIRST_WAITS[index] ?? 6 * HOUR));
    expect(Math.min(...bounds)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...bounds)).toBeLessThanOrEqual(1.2);
    expect((await newest()).state).toBe('dead');
    expect(now - begin).toBeGreaterThan(4 * DAY);
    expect(now - begin).toBeLessThanOrEqual(1.2 * (4 * DAY + 6 * HOUR));
    now += 10 * DAY;
    expect(await triesMeanwhile()).toBe(0);
  });

  test('ends with the first time that the server takes it', async () => {
    putOff();
    await post();
    await drained();
    smtp.onMoment(() => undefined);
    now = (await newest()).dueAt;
    expect(await drained()).toHaveLength(1);
    expect(await newest()).toMatchObject({ state: 'sent', failures: 1, reason: null });
    now += 30 * DAY;
    expect(await triesMeanwhile()).toBe(0);
  });
});

test('what is over is forgotten by the sweep: a week after it was sent', async () => {
  await post();
  await drained();
  const { id } = await newest();
  const isThere = async () => (await store.listMails({ state: 'sent', limit: 1_000 })).some((mail) => mail.id === id);
  const sweep = () => sweepJob({ ...instance.context, clock: () => now }).step(new AbortController().signal);
  now += 7 * DAY;
  await sweep();
  expect(await isThere()).toBe(true);
  now += 1;
  await sweep();
  expect(await isThere()).toBe(false);
});

describe('a clock that jumps', () => {
  const COUNT = 12;
  /** So many mails that failed so often. */
  const failed = async (times: number) => {
    putOff();
    await post(COUNT);
    await drained();
    for (let failures = 1; failures < times; failures++) {
      now = Math.max(...(await waiting()).map(({ dueAt }) => dueAt));
      await drained();
    }
  };
  /** They all arrive, the latest in so long. */
  const expectArrivalWithin = async (span: Micros) => {
    smtp.onMoment(() => undefined);
    now += span;
    expect(await drained()).toHaveLength(COUNT);
    expect(await waiting()).toEqual([]);
  };

  test('an hour back lets nothing be tried again, and nothing waits much longer than that hour', async () => {
    await failed(3);
    now -= HOUR;
    expect(await triesMeanwhile()).toBe(0);
    await expectArrivalWithin(HOUR + 15 * MINUTE * 1.2);
  });

  test('a day on has each tried once, and back again once more at most', async () => {
    await failed(2);
    now += DAY;
    expect(await triesMeanwhile()).toBe(COUNT);
    now += MINUTE;
    expect(await triesMeanwhile()).toBe(0);
    now -= DAY;
    expect(await triesMeanwhile()).toBe(COUNT);
    await expectArrivalWithin(30 * MINUTE * 1.2);
  });

  test('years back leaves nothing waiting for that time to come', async () => {
    await failed(1);
    const there = now;
    now -= 1000 * DAY;
    expect(await triesMeanwhile()).toBe(COUNT);
    await expectArrivalWithin(5 * MINUTE * 1.2);
    now = there;
  });

  test('forgets the pause for wrong credentials, should it have become longer than any', async () => {
    smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 530, text: '5.7.0 Authentication required' } : undefined));
    await post();
    // Not until nothing is queued: the mail stays so.
    await instance.context.mail?.outbox.drain();
    smtp.onMoment(() => undefined);
    now -= DAY;
    expect(await drained()).toHaveLength(1);
    now += DAY;
  });
});

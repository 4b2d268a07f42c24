import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { nextAttemptAt } from '../../../src/domain/backoff.ts';
import type { StoredMail } from '../../../src/domain/mail/mail.ts';
import { pruneJob } from '../../../src/jobs/upkeep.ts';
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
const attempts = () => smtp.seen.get('RCPT') ?? 0;

function rejectTemporarily(): void {
  smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 451, text: '4.7.1 Try again later' } : undefined));
}

async function retryingMails(): Promise<StoredMail[]> {
  return store.mails.list({ state: 'retrying', limit: 1_000 });
}

async function newestMail(): Promise<StoredMail> {
  const [mail] = await store.mails.list({ state: null, limit: 1 });
  if (mail) return mail;
  throw new Error('the outbox is empty');
}

async function post(count = 1): Promise<void> {
  for (let n = 0; n < count; n++) await instance.post(form.id, { message: `Hello ${n}` });
}

/** Sends all due mails and returns the number of attempts. */
async function attemptsNow(): Promise<number> {
  const before = attempts();
  await drained();
  await drained();
  return attempts() - before;
}

describe('the retry schedule', () => {
  test('without jitter is 1, 5, 15, 30 minutes, 1, 2, 4 and then every 6 hours for four days', () => {
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

  test('has a jitter of at most 20%', () => {
    for (const [index, wait] of FIRST_WAITS.entries()) {
      expect([0, 0.5, 1].map((random) => nextAttemptAt(index + 1, now, random))).toEqual([
        now + wait,
        now + wait * 1.1,
        now + wait * 1.2,
      ]);
    }
  });

  test('is exact to the microsecond, and an undeliverable mail is dead after four days', async () => {
    rejectTemporarily();
    const begin = now;
    await post();
    const gaps: Micros[] = [];
    await drained();
    for (let mail = await newestMail(); mail.state === 'retrying'; mail = await newestMail()) {
      const gap = mail.dueAt - now;
      now = mail.dueAt - 1;
      const early = await attemptsNow();
      now = mail.dueAt;
      gaps.push(gap);
      expect([early, await attemptsNow()]).toEqual([0, 1]);
    }
    const bounds = gaps.map((gap, index) => gap / (FIRST_WAITS[index] ?? 6 * HOUR));
    expect(Math.min(...bounds)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...bounds)).toBeLessThanOrEqual(1.2);
    expect((await newestMail()).state).toBe('dead');
    expect(now - begin).toBeGreaterThan(4 * DAY);
    expect(now - begin).toBeLessThanOrEqual(1.2 * (4 * DAY + 6 * HOUR));
    now += 10 * DAY;
    expect(await attemptsNow()).toBe(0);
  });

  test('ends when the server accepts the mail', async () => {
    rejectTemporarily();
    await post();
    await drained();
    smtp.onMoment(() => undefined);
    now = (await newestMail()).dueAt;
    expect(await drained()).toHaveLength(1);
    expect(await newestMail()).toMatchObject({ state: 'sent', failures: 1, reason: null });
    now += 30 * DAY;
    expect(await attemptsNow()).toBe(0);
  });
});

test('the prune job deletes sent mails after a week', async () => {
  await post();
  await drained();
  const { id } = await newestMail();
  const isStored = async () => (await store.mails.list({ state: 'sent', limit: 1_000 })).some((mail) => mail.id === id);
  const prune = () => pruneJob({ ...instance.context, clock: () => now }).step(new AbortController().signal);
  now += 7 * DAY;
  await prune();
  expect(await isStored()).toBe(true);
  now += 1;
  await prune();
  expect(await isStored()).toBe(false);
});

describe('a clock that jumps', () => {
  const COUNT = 12;
  /** Queues COUNT mails and lets each fail this often. */
  const failMails = async (times: number) => {
    rejectTemporarily();
    await post(COUNT);
    await drained();
    for (let failures = 1; failures < times; failures++) {
      now = Math.max(...(await retryingMails()).map(({ dueAt }) => dueAt));
      await drained();
    }
  };
  /** Asserts that all mails are sent within `span`. */
  const expectDeliveryWithin = async (span: Micros) => {
    smtp.onMoment(() => undefined);
    now += span;
    expect(await drained()).toHaveLength(COUNT);
    expect(await retryingMails()).toEqual([]);
  };

  test('back by an hour repeats no attempt and delays retries by about that hour', async () => {
    await failMails(3);
    now -= HOUR;
    expect(await attemptsNow()).toBe(0);
    await expectDeliveryWithin(HOUR + 15 * MINUTE * 1.2);
  });

  test('forward by a day causes one attempt per mail, and back again one more', async () => {
    await failMails(2);
    now += DAY;
    expect(await attemptsNow()).toBe(COUNT);
    now += MINUTE;
    expect(await attemptsNow()).toBe(0);
    now -= DAY;
    expect(await attemptsNow()).toBe(COUNT);
    await expectDeliveryWithin(30 * MINUTE * 1.2);
  });

  test('back by years leaves no mail waiting for years', async () => {
    await failMails(1);
    const there = now;
    now -= 1000 * DAY;
    expect(await attemptsNow()).toBe(COUNT);
    await expectDeliveryWithin(5 * MINUTE * 1.2);
    now = there;
  });

  test('ends the pause after a login failure if that became too long', async () => {
    smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 530, text: '5.7.0 Authentication required' } : undefined));
    await post();
    // `drained` would not return, since the mail stays queued.
    await instance.context.mail?.outbox.drain();
    smtp.onMoment(() => undefined);
    now -= DAY;
    expect(await drained()).toHaveLength(1);
    now += DAY;
  });
});

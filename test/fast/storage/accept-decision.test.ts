import { describe, expect, test } from 'bun:test';
import { type NewMail, NOTIFICATIONS_PER_HOUR } from '../../../src/domain/mail/mail.ts';
import { getPeriod } from '../../../src/domain/usage.ts';
import { DAY, HOUR, SECOND } from '../../../src/lib/clock.ts';
import {
  type AcceptState,
  decide,
  type FormState,
  keyInForm,
  mergeNotifications,
} from '../../../src/storage/accept-decision.ts';
import { CLOCK, counterKey, LASTING } from '../../../src/storage/counters.ts';
import type { NewSubmission } from '../../../src/storage/records.ts';

const JULY = Date.UTC(2026, 6, 1) * 1000;
const NOON = JULY + DAY / 2;
const LIMITS = {
  submissions: (plan: string) => (plan === 'ten' ? 10 : null),
  storage: (plan: string) => (plan === 'ten' ? 1_000 : null),
};

const FORM: FormState = {
  key: 1,
  id: 'frm_1',
  isActive: true,
  digestedUntil: null,
  heldBackUntil: null,
  teamId: 'team_1',
  plan: 'pro',
  opensAt: null,
  closesAt: null,
  maxSubmissions: null,
  places: null,
  autoReplyDailyLimit: 100,
};

function stateWith(form: Partial<FormState> = {}, parts: Partial<AcceptState> = {}): AcceptState {
  return {
    now: NOON,
    lastCreatedAt: 0,
    forms: new Map([[FORM.id, { ...FORM, ...form }]]),
    counters: new Map(),
    replays: new Map(),
    addresses: new Set(),
    spent: new Set(),
    confirmations: new Map(),
    replies: new Map(),
    notifications: { hour: 0, counts: new Map() },
    ...parts,
  };
}

let created = 0;
function post(parts: Partial<NewSubmission> = {}): NewSubmission {
  created += 1;
  return {
    id: `sub_${created}`,
    formId: FORM.id,
    isSpam: false,
    payload: new Uint8Array(10),
    files: null,
    blobs: [],
    spamReasons: null,
    idempotency: null,
    challenge: null,
    mails: [],
    deliveries: [],
    ...parts,
  };
}

function mail(kind: NewMail['kind'], addressee: string | null = null): NewMail {
  created += 1;
  return { id: `mail_${created}`, kind, recipient: null, addressee, messageId: `<${created}@mail.example>` };
}

const usedUp = (used: number, until = getPeriod(JULY).end) => new Map([[counterKey(FORM.teamId, until), used]]);
const idempotency = { key: 'k', content: 'a' };
const challenge = { id: 'c', expiresAt: NOON * 2 };
const capped = { outcome: 'capped', periodEnd: getPeriod(JULY).end };
const iso = (time: number) => new Date(time / 1000).toISOString();
const at = (createdAt: number) => ({ outcome: 'stored', createdAt, id: expect.any(String) });

const OUTCOMES: ReadonlyArray<readonly [title: string, AcceptState, NewSubmission[], unknown[]]> = [
  ['a form outside the state pauses', stateWith(), [post({ formId: 'frm_none' })], [{ outcome: 'paused' }]],
  ['an inactive form pauses', stateWith({ isActive: false }), [post()], [{ outcome: 'paused' }]],
  ['a form opens at its instant', stateWith({ opensAt: iso(NOON) }), [post()], [at(NOON)]],
  ['a form is not open before', stateWith({ opensAt: iso(NOON + SECOND) }), [post()], [{ outcome: 'not open' }]],
  ['a form closes at its instant', stateWith({ closesAt: iso(NOON) }), [post()], [{ outcome: 'closed' }]],
  ['a form is open before', stateWith({ closesAt: iso(NOON + SECOND) }), [post()], [at(NOON)]],
  [
    'a closed form replays nothing',
    stateWith({ closesAt: iso(NOON) }, { replays: new Map([[keyInForm(FORM.id, 'k'), 'a']]) }),
    [post({ idempotency })],
    [{ outcome: 'closed' }],
  ],
  [
    'a batch stops at the last place, which spam does not take',
    stateWith({ maxSubmissions: 3, places: 1 }),
    [post(), post({ isSpam: true }), post(), post(), post({ isSpam: true })],
    [at(NOON), at(NOON + 1), at(NOON + 2), { outcome: 'no place' }, { outcome: 'no place' }],
  ],
  [
    'a replay to a full form answers as the first did',
    stateWith({ maxSubmissions: 1, places: 1 }, { replays: new Map([[keyInForm(FORM.id, 'k'), 'a']]) }),
    [post({ idempotency })],
    [{ outcome: 'replayed' }],
  ],
  [
    'a full form comes before the cap',
    stateWith({ maxSubmissions: 1, places: 1, plan: 'ten' }, { counters: usedUp(10) }),
    [post()],
    [{ outcome: 'no place' }],
  ],
  [
    'an address is stored once in a batch and once for all',
    stateWith({}, { addresses: new Set([keyInForm(FORM.id, 'ada')]) }),
    [post({ address: 'ada' }), post({ address: 'bob' }), post({ address: 'bob' }), post(), post()],
    [{ outcome: 'repeated' }, at(NOON), { outcome: 'repeated' }, at(NOON + 1), at(NOON + 2)],
  ],
  ['times follow the clock', stateWith(), [post(), post()], [at(NOON), at(NOON + 1)]],
  [
    'times follow the last one',
    stateWith({}, { lastCreatedAt: NOON + 5 }),
    [post(), post()],
    [at(NOON + 6), at(NOON + 7)],
  ],
  [
    'a batch stops at the cap',
    stateWith({ plan: 'ten' }, { counters: usedUp(8) }),
    [post(), post(), post()],
    [at(NOON), at(NOON + 1), capped],
  ],
  [
    'usage of another period does not count',
    stateWith({ plan: 'ten' }, { counters: usedUp(10, getPeriod(getPeriod(JULY).end).end) }),
    [post()],
    [at(NOON)],
  ],
  [
    'the period after the end of a month has its own cap',
    stateWith({ plan: 'ten' }, { now: getPeriod(JULY).end - 1, counters: usedUp(9) }),
    [post(), post()],
    [at(getPeriod(JULY).end - 1), at(getPeriod(JULY).end)],
  ],
  [
    'files count toward storage, and a smaller post still fits',
    stateWith({ plan: 'ten' }, { counters: usedUp(900, LASTING) }),
    [post({ fileBytes: 50, files: new Uint8Array(20) }), post({ fileBytes: 11 }), post()],
    [at(NOON), { outcome: 'full' }, at(NOON + 1)],
  ],
  [
    'a replay is recognized in the state and in the batch',
    stateWith({}, { replays: new Map([[keyInForm(FORM.id, 'old'), 'a']]) }),
    [
      post({ idempotency: { key: 'old', content: 'a' } }),
      post({ idempotency: { key: 'old', content: 'b' } }),
      post({ idempotency }),
      post({ idempotency }),
      post({ idempotency: { key: 'k', content: 'b' } }),
    ],
    [{ outcome: 'replayed' }, { outcome: 'reused' }, at(NOON), { outcome: 'replayed' }, { outcome: 'reused' }],
  ],
  [
    'a replay at the cap stays a replay',
    stateWith({ plan: 'ten' }, { counters: usedUp(10), replays: new Map([[keyInForm(FORM.id, 'k'), 'a']]) }),
    [post({ idempotency })],
    [{ outcome: 'replayed' }],
  ],
  [
    'a challenge is spent once',
    stateWith({}, { spent: new Set(['old']) }),
    [post({ challenge: { ...challenge, id: 'old' } }), post({ challenge }), post({ challenge })],
    [{ outcome: 'spent' }, at(NOON), { outcome: 'spent' }],
  ],
  [
    'a refused post does not spend its challenge',
    stateWith({ plan: 'ten' }, { counters: usedUp(950, LASTING) }),
    [post({ challenge, fileBytes: 41 }), post({ challenge })],
    [{ outcome: 'full' }, at(NOON)],
  ],
];

test.each(OUTCOMES)('%s', (_, state, batch, results) => {
  const decision = decide(state, batch, LIMITS);
  expect(decision.results as unknown[]).toEqual(results);
  const stored = batch.filter((_, index) => decision.results[index]?.outcome === 'stored');
  expect(decision.writes.submissions.map(({ submission }) => submission)).toEqual(stored);
  const rows = decision.results.flatMap((one) =>
    one.outcome === 'stored' ? [{ id: one.id, createdAt: one.createdAt }] : [],
  );
  expect(decision.writes.submissions.map(({ id, createdAt }) => ({ id, createdAt }))).toEqual(rows);
});

test('a refused batch writes nothing', () => {
  const { writes, notifications } = decide(
    stateWith({ isActive: false }),
    [post({ mails: [mail('notification')] })],
    LIMITS,
  );
  expect(Object.values(writes).flat()).toEqual([]);
  expect(notifications.counts.size).toBe(0);
});

test('counts are summed by team, period, form and day', () => {
  const end = getPeriod(JULY).end;
  const other = { ...FORM, id: 'frm_2' };
  const forms = new Map([FORM, other].map((form) => [form.id, form]));
  const state = stateWith({}, { forms, now: end - 2, counters: usedUp(7) });
  const batch = [post(), post({ formId: other.id, isSpam: true }), post({ fileBytes: 5 }), post({ isSpam: true })];
  const { counters } = decide(state, batch, LIMITS).writes;
  const later = getPeriod(end).end;
  const counts = counters.map(({ owner, until, amount, spam }) => [owner, until, amount, spam] as const);
  expect(counts.toSorted(([a, first], [b, second]) => first - second || (a < b ? -1 : 1))).toEqual([
    [FORM.id, end, 1, 0],
    [other.id, end, 0, 1],
    [FORM.teamId, end, 2, 0],
    [FORM.id, end + DAY, 1, 1],
    [FORM.teamId, later, 2, 0],
    [CLOCK, LASTING, end + 1, 0],
    [FORM.teamId, LASTING, 45, 0],
  ]);
});

test('warnings and events are due at exactly 80 and 100 percent', () => {
  const decision = decide(
    stateWith({ plan: 'ten' }, { counters: usedUp(7) }),
    Array.from({ length: 9 }, () => post()),
    LIMITS,
  );
  expect(decision.writes.capWarnings).toEqual([
    { teamId: FORM.teamId, period: getPeriod(JULY), percent: 80 },
    { teamId: FORM.teamId, period: getPeriod(JULY), percent: 100 },
  ]);
  expect(decision.writes.capsReached).toEqual([FORM.teamId]);
});

describe('summaries', () => {
  const notified = () => post({ mails: [mail('notification')] });

  test('a form with digests queues no notification, but an auto-reply', () => {
    const both = post({ mails: [mail('notification'), mail('auto_reply', 'a')] });
    const { mails, progress } = decide(stateWith({ digestedUntil: NOON - 1 }), [both], LIMITS).writes;
    expect(mails.map(({ mail: { kind } }) => kind)).toEqual(['auto_reply']);
    expect(progress).toEqual([]);
  });

  test('a submission before the end of a summary moves it back, and stays covered', () => {
    const state = stateWith({ digestedUntil: NOON + HOUR, heldBackUntil: NOON - 1 });
    const { progress, mails } = decide(state, [notified(), notified()], LIMITS).writes;
    expect(progress).toEqual([{ formId: FORM.id, digestedUntil: NOON, heldBackUntil: NOON - 1, rewoundTo: NOON }]);
    expect(mails).toEqual([]);
    const withoutDigest = decide(stateWith({ heldBackUntil: NOON + 1 }), [notified()], LIMITS).writes;
    expect(withoutDigest.progress).toEqual([
      { formId: FORM.id, digestedUntil: null, heldBackUntil: NOON, rewoundTo: NOON },
    ]);
  });

  test('too many notifications in an hour start a digest, also across batches', () => {
    let notifications: AcceptState['notifications'] = { hour: 0, counts: new Map() };
    const send = (count: number, now = NOON) => {
      const state = stateWith({}, { notifications, now });
      const decision = decide(state, Array.from({ length: count }, notified), LIMITS);
      notifications = mergeNotifications(notifications, decision.notifications);
      return [decision.writes.mails.length, decision.writes.progress[0]?.digestedUntil];
    };
    expect(send(NOTIFICATIONS_PER_HOUR - 2)).toEqual([NOTIFICATIONS_PER_HOUR - 2, undefined]);
    expect(send(5)).toEqual([2, NOON + 2]);
    expect(send(1, NOON + HOUR)).toEqual([1, undefined]);
    expect(notifications.counts.get(FORM.id)).toBe(1);
  });

  test('auto-replies are limited by address, and by the limit of the form', () => {
    const replies = new Map([[FORM.id, [{ addressee: 'yesterday' }, { addressee: 'before' }]]]);
    const batch = ['a', 'a', 'yesterday', 'b', 'c'].map((who) => post({ mails: [mail('auto_reply', who)] }));
    const sent = (autoReplyDailyLimit: number) =>
      decide(stateWith({ autoReplyDailyLimit }, { replies }), batch, LIMITS).writes.mails.map(
        ({ mail: { addressee } }) => addressee,
      );
    expect([sent(4), sent(100), sent(0)]).toEqual([['a', 'b'], ['a', 'b', 'c'], []]);
  });
});

/** Returns a generator of integers below its argument (mulberry32). */
function randomIntegers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Keeps the state between batches as a database does, and decides each post on its own, by the rules as written. */
class Model {
  readonly forms = new Map(
    ['pro', 'ten', 'ten', 'pro'].map((plan, index) => {
      const id = `frm_${index}`;
      return [id, { ...FORM, id, plan, teamId: plan === 'ten' ? 'team_ten' : `team_${index}`, isActive: index !== 3 }];
    }),
  );
  last = 0;
  readonly used = new Map<string, number>();
  readonly stored = new Map<string, number>();
  readonly replays = new Map<string, string>();
  readonly spent = new Set<string>();

  accept({ formId, payload, fileBytes = 0, idempotency, challenge }: NewSubmission, now: number): string {
    const form = this.forms.get(formId);
    if (!form?.isActive) return 'paused';
    const earlier = idempotency && this.replays.get(keyInForm(formId, idempotency.key));
    if (earlier !== null && earlier !== undefined) return earlier === idempotency?.content ? 'replayed' : 'reused';
    const createdAt = Math.max(this.last + 1, now);
    const period = `${form.teamId} ${getPeriod(createdAt).start}`;
    const used = this.used.get(period) ?? 0;
    if (used >= (LIMITS.submissions(form.plan) ?? Number.POSITIVE_INFINITY)) return 'capped';
    const stored = (this.stored.get(form.teamId) ?? 0) + payload.length + fileBytes;
    if (stored > (LIMITS.storage(form.plan) ?? Number.POSITIVE_INFINITY)) return 'full';
    if (challenge && this.spent.has(challenge.id)) return 'spent';
    if (challenge) this.spent.add(challenge.id);
    if (idempotency) this.replays.set(keyInForm(formId, idempotency.key), idempotency.content);
    this.last = createdAt;
    this.used.set(period, used + 1);
    this.stored.set(form.teamId, stored);
    return `stored ${createdAt}`;
  }

  state(now: number): AcceptState {
    const counters = new Map([...this.stored].map(([teamId, bytes]) => [counterKey(teamId, LASTING), bytes]));
    for (const [period, used] of this.used) {
      const [teamId = '', start] = period.split(' ');
      counters.set(counterKey(teamId, getPeriod(Number(start)).end), used);
    }
    const { forms, replays, spent } = structuredClone({ ...this });
    return stateWith({}, { now, lastCreatedAt: this.last, counters, forms, replays, spent });
  }
}

test.each([1, 2, 3, 4, 5])('random batches are decided like one post after the other (seed %d)', (seed) => {
  const random = randomIntegers(seed);
  const model = new Model();
  const seen: string[] = [];
  let now = NOON;
  for (let batches = 0; batches < 400; batches += 1) {
    now += random(10) === 0 ? -random(HOUR) : random(8) * HOUR;
    const batch = Array.from({ length: 1 + random(12) }, () =>
      post({
        formId: `frm_${random(5)}`,
        fileBytes: random(120),
        isSpam: random(3) === 0,
        idempotency: random(2) === 0 ? { key: String(random(500)), content: String(random(2)) } : null,
        challenge: random(3) === 0 ? { id: String(random(500)), expiresAt: 0 } : null,
      }),
    );
    const state = model.state(now);
    const { results, writes } = decide(state, batch, LIMITS);
    const outcomes = results.map((result) => ('createdAt' in result ? `stored ${result.createdAt}` : result.outcome));
    expect(outcomes).toEqual(batch.map((one) => model.accept(one, now)));
    for (const { owner, until, amount } of writes.counters) {
      const sum = (state.counters.get(counterKey(owner, until)) ?? 0) + amount;
      if (owner.startsWith('team_') && until === LASTING) expect(sum).toBe(model.stored.get(owner) ?? 0);
      if (owner.startsWith('team_') && until < LASTING)
        expect(sum).toBe(model.used.get(`${owner} ${getPeriod(until - 1).start}`) ?? 0);
      if (owner === CLOCK) expect(state.lastCreatedAt + amount).toBe(model.last);
    }
    seen.push(...results.map(({ outcome }) => outcome));
  }
  for (const used of [...model.used].filter(([key]) => key.startsWith('team_ten')))
    expect(used[1]).toBeLessThanOrEqual(10);
  expect(new Set(seen).size).toBe(7);
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { getHalvings, TABLE_SIZE } from '../../../src/domain/spam/spam-table.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { erasePerson, newCounts, newSearch, searchPerson } from '../../../src/services/erasure/erasure.ts';
import { deleteTrashedForm } from '../../../src/services/forms/form-trash.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { readSpamReasons } from '../../../src/services/submissions/read-submission.ts';
import { deleteTeam } from '../../../src/services/teams/teams.ts';
import { SPAM_THRESHOLD } from '../../../src/spam/signal.ts';
import { openSpamTable, readModel, weigh } from '../../../src/spam/team-model.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { ciphertextOf, tracesOf } from '../../support/traces.ts';
import { until } from '../../support/until.ts';

let instance: Instance;
const clock = { now: Date.UTC(2026, 6, 1) * 1000 };

beforeAll(async () => {
  instance = await startInstance({ clock: () => clock.now++ });
});
afterAll(() => instance.stop());

const OFFER = 'We sell used printing presses and paper cutters at a special price, reply for our catalog of presses.';
/** An offer nearer to the threshold. */
const NEAR_OFFER =
  'We offer printing presses and paper cutters at a special discount of 30%, reply today for our free price list.';
const QUESTION = 'Hello, is the hall free on Saturday evening for the rehearsal of our choir?';
const EMPTY = new Int16Array(TABLE_SIZE);

const numbered = (text: string, count: number) => Array.from({ length: count }, (_, n) => `${n} ${text} ${n}${n}`);

/** Posts messages to the owner's form. Returns their ids in this order. */
async function postAll(owner: Owner, messages: readonly string[]): Promise<string[]> {
  for (const message of messages) expect((await instance.post(owner.form.id, { message })).status).toBe(200);
  const stored = (await instance.stored(owner)).slice(0, messages.length);
  return stored.map(({ id }) => id).reverse();
}

async function mark(owner: Owner, ids: readonly string[], isSpam: boolean): Promise<void> {
  for (const id of ids) await markSubmission(instance.context, id, isSpam, owner.teamId);
  await untilLearned(owner);
}

async function untilLearned({ teamId }: Owner): Promise<void> {
  const { store } = instance.context;
  await until(async () => (await store.spam.findWork(1, teamId)) === null, 'the learning job');
}

async function tableOf({ teamId }: Owner): Promise<Int16Array | null> {
  const { store, vault } = instance.context;
  const model = await store.spam.findModel(teamId);
  return model && openSpamTable(vault, teamId, model.weights);
}

const modelOf = ({ form }: Owner) => readModel(instance.context, form.workspaceId);
const countsOf = ({ teamId }: Owner) => instance.context.store.spam.countLessons(teamId);

/** Makes a team with opened genuine messages that are older than a week. */
async function makeTeam(genuine = 30): Promise<Owner> {
  const owner = await instance.makeOwner();
  const ids = await postAll(owner, numbered(QUESTION, genuine));
  await instance.context.store.inbox.markRead(ids, owner.teamId, clock.now);
  clock.now += 8 * DAY;
  return owner;
}

describe('learning', () => {
  test('is silent until five messages of each kind, and then applies to similar messages of the team', async () => {
    const [owner, other] = [await makeTeam(), await makeTeam()];
    const ids = await postAll(owner, numbered(OFFER, 12));
    await mark(owner, ids.slice(0, 4), true);
    expect(await modelOf(owner)).toBeNull();
    await mark(owner, ids.slice(4), true);
    const model = await modelOf(owner);
    if (!model) throw new Error('The model is silent.');
    expect(weigh([['message', OFFER]], model).learned).toBeGreaterThan(20);
    expect(weigh([['message', QUESTION]], model).learned).toBeLessThanOrEqual(0);
    expect(await modelOf(other)).toBeNull();
  });

  test('flags a post that the content alone does not flag, and names the reason', async () => {
    const owner = await makeTeam(70);
    const ids = await postAll(owner, numbered(NEAR_OFFER, 30));
    await mark(owner, ids, true);
    const model = await modelOf(owner);
    if (!model) throw new Error('The model is silent.');
    const near = numbered(NEAR_OFFER, 200).find((text) => {
      const { content, learned } = weigh([['message', text]], model);
      return content < SPAM_THRESHOLD && content + learned - model.loweredBy >= SPAM_THRESHOLD;
    });
    if (near === undefined) throw new Error('No message is near enough to the threshold.');
    clock.now += DAY;
    await postAll(owner, [near]);
    const [stored] =
      (await instance.context.store.submissions.listRecent(owner.form.id, { onlySpam: true, limit: 1 })) ?? [];
    if (!stored) throw new Error('The post was not flagged.');
    const reasons = readSpamReasons(instance.context.vault, instance.context.log, stored);
    expect(reasons).toContain('similar to messages that your team marked as spam');
  });

  test('balances each spam mark by an opened old message, and learns nothing from a mark without one', async () => {
    const owner = await instance.makeOwner();
    const [first = '', second = ''] = await postAll(owner, numbered(OFFER, 2));
    await mark(owner, [first], true);
    expect([await countsOf(owner), await tableOf(owner)]).toMatchObject([{ spam: 1, balancing: 0 }, EMPTY]);
    const [unread = '', read = ''] = await postAll(owner, numbered(QUESTION, 2));
    await instance.context.store.inbox.markRead([read], owner.teamId, clock.now);
    clock.now += 8 * DAY;
    await mark(owner, [second], true);
    expect(await countsOf(owner)).toMatchObject({ spam: 2, balancing: 1 });
    expect(await instance.context.store.spam.findLearned([read, unread])).toEqual([read]);
    expect(await tableOf(owner)).not.toEqual(EMPTY);
  });

  test('can be turned off', async () => {
    const owner = await makeTeam();
    const { store } = instance.context;
    const ids = await postAll(owner, numbered(OFFER, 8));
    await mark(owner, ids.slice(0, 6), true);
    expect(await modelOf(owner)).not.toBeNull();
    await store.teams.update(owner.teamId, { learnsSpam: false });
    expect(await modelOf(owner)).toBeNull();
    await mark(owner, ids.slice(6), true);
    expect(await countsOf(owner)).toMatchObject({ spam: 6 });
    await mark(owner, ids.slice(0, 1), false);
    expect(await countsOf(owner)).toMatchObject({ spam: 5 });
  });

  test('halves all weights after a year', async () => {
    const owner = await makeTeam(30);
    const ids = await postAll(owner, numbered(OFFER, 4));
    await mark(owner, ids.slice(0, 3), true);
    const before = (await tableOf(owner)) ?? EMPTY;
    clock.now += 366 * DAY;
    await mark(owner, ids.slice(3), true);
    await mark(owner, ids.slice(3), false);
    const after = (await tableOf(owner)) ?? EMPTY;
    const sum = (table: Int16Array) => table.reduce((total, weight) => total + Math.abs(weight), 0);
    expect(sum(after) / sum(before)).toBeCloseTo(0.5, 1);
    await mark(owner, ids.slice(0, 3), false);
    expect(await tableOf(owner)).toEqual(EMPTY);
  });
});

test('learns in full again after a clock that was years ahead, and forgets exactly', async () => {
  const owner = await makeTeam(30);
  const ids = await postAll(owner, numbered(OFFER, 6));
  await mark(owner, ids.slice(0, 2), true);
  const present = clock.now;
  clock.now += 5 * 366 * DAY;
  await mark(owner, ids.slice(2, 4), true);
  clock.now = present + DAY;
  await mark(owner, ids.slice(4), true);
  const { store } = instance.context;
  const lessons = await store.spam.listLessons(owner.teamId, { after: '', limit: 100 });
  const { halvedAt = 0 } = (await store.spam.findModel(owner.teamId)) ?? {};
  expect(lessons.map(({ createdAt }) => getHalvings(createdAt, halvedAt))).toEqual(lessons.map(() => 0));
  await mark(owner, ids, false);
  expect(await tableOf(owner)).toEqual(EMPTY);
});

describe('forgetting', () => {
  test('takes out withdrawn marks and deleted submissions, as if the table had never seen them', async () => {
    const owner = await makeTeam(30);
    const { store, blobs } = instance.context;
    const ids = await postAll(owner, [...numbered(OFFER, 6), ...numbered(`${OFFER} Write to ada@example.com.`, 3)]);
    await mark(owner, ids.slice(0, 3), true);
    const before = await tableOf(owner);
    expect(before).not.toEqual(EMPTY);

    await mark(owner, ids.slice(3, 5), true);
    expect(await tableOf(owner)).not.toEqual(before);
    await mark(owner, ids.slice(3, 5), false);
    expect([await tableOf(owner), await countsOf(owner)]).toMatchObject([
      before,
      { spam: 3, genuine: 0, balancing: 6 },
    ]);

    await mark(owner, ids.slice(5, 6), true);
    await store.retention.deleteSubmission(ids[5] ?? '', owner.teamId);
    await untilLearned(owner);
    expect(await tableOf(owner)).toEqual(before);

    await mark(owner, ids.slice(6), true);
    expect(await tableOf(owner)).not.toEqual(before);
    const deps = { ...instance.context, blobs, semaphore: new Semaphore(1) };
    const person = { teamId: owner.teamId, address: 'ada@example.com' };
    const search = newSearch(deps.clock);
    await searchPerson(deps, person, search);
    const stale = await store.spam.findModel(owner.teamId);
    const { facts } = await erasePerson(deps, person, search, newCounts());
    expect([facts.submissions, await tableOf(owner)]).toEqual([3, before]);
    expect(await countsOf(owner)).toMatchObject({ spam: 3, balancing: 6 });
    expect(await store.upkeep.purge()).toBeNull();
    expect(await tracesOf(instance.dataDir, [ciphertextOf(stale?.weights ?? new Uint8Array(0))])).toEqual([]);
  });

  test('lets the job compute the threshold again after an erasure, without a lesson too', async () => {
    const owner = await makeTeam(70);
    const { store, blobs } = instance.context;
    await mark(owner, await postAll(owner, numbered(OFFER, 6)), true);
    const model = await store.spam.findModel(owner.teamId);
    const other = { weights: model?.weights ?? new Uint8Array(0), raisedBy: 99, halvedAt: model?.halvedAt ?? 0 };
    const change = { before: other.weights, model: other, learned: [], removed: [] };
    expect([model?.raisedBy, await store.spam.saveModel(owner.teamId, change)]).toEqual([expect.any(Number), true]);
    const [id = ''] = await postAll(owner, ['Is bob@example.com on the list of the choir?']);
    const deps = { ...instance.context, blobs, semaphore: new Semaphore(1) };
    const person = { teamId: owner.teamId, address: 'bob@example.com' };
    const search = newSearch(deps.clock);
    await searchPerson(deps, person, search);
    expect((await erasePerson(deps, person, search, newCounts())).facts.submissions).toBe(1);
    await untilLearned(owner);
    expect(await store.spam.findLearned([id, ''])).toEqual([]);
    expect((await store.spam.findModel(owner.teamId))?.raisedBy).toBe(model?.raisedBy ?? -1);
  });

  test('takes out submissions of an emptied trash and of a deleted form', async () => {
    const owner = await makeTeam(30);
    const { store } = instance.context;
    const other = { ...owner, form: await instance.makeForm(owner) };
    await mark(owner, await postAll(owner, numbered(OFFER, 3)), true);
    const before = await tableOf(owner);

    const trashed = await postAll(owner, numbered(OFFER, 3));
    await mark(owner, trashed, true);
    await store.trash.moveSubmissions(trashed, owner.teamId, clock.now);
    expect(await tableOf(owner)).not.toEqual(before);
    for (const id of trashed) await store.retention.deleteTrashedSubmissions([id], owner.teamId);
    await untilLearned(owner);
    expect(await tableOf(owner)).toEqual(before);

    for (const message of numbered(OFFER, 3)) await instance.post(other.form.id, { message });
    const ids = (await instance.stored(owner, other.form)).map(({ id }) => id);
    await mark(owner, ids, true);
    expect(await tableOf(owner)).not.toEqual(before);
    await store.trash.moveForm(other.form.id, owner.teamId, clock.now);
    const { signal } = new AbortController();
    expect(await deleteTrashedForm(instance.context, other.form.id, owner.teamId, signal)).toBe(true);
    await untilLearned(owner);
    expect([await tableOf(owner), await countsOf(owner)]).toMatchObject([before, { spam: 3, balancing: 6 }]);
  });

  test('everything, also by deleting the team', async () => {
    const owner = await makeTeam();
    const { store, blobs } = instance.context;
    const ids = await postAll(owner, numbered(OFFER, 6));
    await mark(owner, ids, true);
    await store.spam.deleteModel(owner.teamId);
    expect([await tableOf(owner), await countsOf(owner)]).toMatchObject([null, { spam: 0, balancing: 0 }]);
    await mark(owner, ids.slice(0, 1), false);
    await mark(owner, ids.slice(0, 1), true);
    expect(await tableOf(owner)).not.toBeNull();
    await deleteTeam({ store, blobs }, owner.teamId, { submissions: 0, files: 0, mails: 0 });
    expect([await tableOf(owner), await countsOf(owner)]).toMatchObject([null, { spam: 0, balancing: 0 }]);
  });
});

test('teams with the same marks have unrelated tables, and the stored ones show nothing', async () => {
  const owners = [await makeTeam(), await makeTeam()];
  for (const owner of owners) await mark(owner, await postAll(owner, numbered(OFFER, 6)), true);
  const [one, two] = await Promise.all(owners.map(async (owner) => (await tableOf(owner)) ?? EMPTY));
  if (!one || !two) throw new Error('A table is missing.');
  const places = (table: Int16Array) => [...table.keys()].filter((place) => table[place] !== 0);
  const shared = places(one).filter((place) => two[place] !== 0);
  expect(places(one).length).toBeGreaterThan(40);
  expect(shared.length).toBeLessThan(places(one).length / 4);

  const { store } = instance.context;
  const stored = await Promise.all(owners.map(({ teamId }) => store.spam.findModel(teamId)));
  const records = stored.map((model) => Buffer.from(model?.weights ?? []));
  for (const record of records) {
    expect(record.length).toBeGreaterThan(32_768);
    expect(new Set(record).size).toBe(256);
    expect(record.includes(Buffer.alloc(16))).toBe(false);
  }
});

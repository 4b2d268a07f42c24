import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { readModel } from '../../../src/intake/spam/team-model.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { markSubmission } from '../../../src/services/mark-submission.ts';
import { openTable } from '../../../src/services/spam-learning.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';

let instance: Instance;
const clock = { now: Date.UTC(2026, 6, 1) * 1000 };

beforeAll(async () => {
  instance = await startInstance({ clock: () => clock.now++ });
});
afterAll(() => instance.stop());

const OFFER = 'We sell used printing presses and paper cutters at a special price, reply for our catalog of presses.';
const QUESTION = 'Hello, is the hall free on Saturday evening for the rehearsal of our choir?';

/** Posts messages to the owner's form. Returns their ids, oldest first. */
async function postAll(owner: Owner, messages: readonly string[]): Promise<string[]> {
  for (const message of messages) {
    expect((await instance.post(owner.form.id, { message })).status).toBe(200);
  }
  const stored = await instance.stored(owner);
  return stored
    .slice(0, messages.length)
    .map(({ id }) => id)
    .reverse();
}

const numbered = (text: string, count: number) => Array.from({ length: count }, (_, n) => `${n} ${text} ${n}${n}`);

async function mark(owner: Owner, ids: readonly string[], isSpam: boolean): Promise<void> {
  for (const id of ids) await markSubmission(instance.context, id, isSpam, owner.teamId);
}

/** Waits until the learning job has no work. */
async function learned(owner: Owner): Promise<void> {
  await until(async () => (await instance.context.store.findSpamWork(1, owner.teamId)) === null, 'the learning job');
}

async function tableOf({ teamId }: Owner): Promise<Int16Array | null> {
  const { store, vault } = instance.context;
  const model = await store.findSpamModel(teamId);
  return model && openTable(vault, teamId, model.weights);
}

/** Makes a team with opened genuine messages that are older than a week. */
async function makeTeam(genuine = 12): Promise<Owner> {
  const owner = await instance.makeOwner();
  const ids = await postAll(owner, numbered(QUESTION, genuine));
  await instance.context.store.markRead(ids, owner.teamId, clock.now);
  clock.now += 8 * DAY;
  return owner;
}

test('marks teach the filter of a team, and of no other', async () => {
  const owner = await makeTeam();
  const ids = await postAll(owner, numbered(OFFER, 8));
  await mark(owner, ids.slice(0, 4), true);
  await learned(owner);
  expect(await readModel(instance.context, owner.form.workspaceId)).toBeNull();
  await mark(owner, ids.slice(4), true);
  await learned(owner);
  const model = await readModel(instance.context, owner.form.workspaceId);
  expect(model).not.toBeNull();
  console.log(
    await instance.context.store.countSpamLessons(owner.teamId),
    await instance.context.store.findSpamModel(owner.teamId).then((m) => m?.raisedBy),
  );
});

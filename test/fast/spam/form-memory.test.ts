import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { DAY, SECOND } from '../../../src/lib/clock.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { readSpamReasons } from '../../../src/services/submissions/read-submission.ts';
import { type Instance, startInstance } from '../../support/instance.ts';

let instance: Instance;
const clock = { now: Date.UTC(2026, 6, 1) * 1000 };
beforeAll(async () => {
  instance = await startInstance({ clock: () => clock.now++ });
});
afterAll(() => instance.stop());

const TEXT = 'Our choir of forty would like to rent the old hall by the river on the second Sunday of October';
const CHANGED = 'Our choir of ninety would like to rent the old hall by the river on the first Sunday of May';
const REPEATED = 'nearly the same text as earlier spam here';
const LINKED = 'a link to the same place as earlier spam here';

/** Posts a message and returns its id and why it was flagged. */
async function post(form: Form, message: string, more = {}) {
  clock.now += 2 * SECOND;
  expect((await instance.post(form.id, { message, ...more })).status).toBe(200);
  const { store, vault, log } = instance.context;
  const [stored] = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  if (!stored) throw new Error('not stored');
  return { id: stored.id, reasons: stored.isSpam ? readSpamReasons(vault, log, stored) : [] };
}

const mark = (id: string, isSpam: boolean) => markSubmission(instance.context, id, isSpam, instance.owner.teamId);

describe('a form remembers', () => {
  test('a text that its owner marked, and forgets it with the mark', async () => {
    const form = await instance.makeForm(instance.owner);
    const { id, reasons } = await post(form, TEXT);
    expect(reasons).toEqual([]);
    expect((await post(form, CHANGED)).reasons).toEqual([]);
    await mark(id, true);
    const repeat = await post(form, CHANGED);
    expect(repeat.reasons).toEqual([REPEATED]);
    await mark(repeat.id, false);
    await mark(id, false);
    expect((await post(form, TEXT)).reasons).toEqual([]);
  });

  test('on itself alone, through a restart, and for 180 days', async () => {
    const form = await instance.makeForm(instance.owner);
    const other = await instance.makeForm(instance.owner);
    await mark((await post(form, TEXT)).id, true);
    expect((await post(other, TEXT)).reasons).toEqual([]);
    const { dataDir, owner } = instance;
    await instance.context.close();
    instance = { ...(await startInstance({ clock: () => clock.now++, dataDir })), owner };
    expect((await post(form, CHANGED)).reasons).toEqual([REPEATED]);
    clock.now += 181 * DAY;
    expect((await post(form, CHANGED)).reasons).toEqual([]);
  });

  test('where a flagged message links to, unless many people link there', async () => {
    const form = await instance.makeForm(instance.owner);
    const { id } = await post(
      form,
      'The plans are at https://plans.example.dev/a and https://www.youtube.com/watch?v=1',
    );
    await mark(id, true);
    expect((await post(form, 'Could you look at http://plans.example.dev/other?')).reasons).toEqual([LINKED]);
    expect((await post(form, 'We sang this: https://www.youtube.com/watch?v=2')).reasons).toEqual([]);
  });

  test('no choice that everybody makes', async () => {
    const label = 'I agree that my answers are stored until the end of the year';
    const fields = [{ name: 'consent', type: 'consent', label }] as const;
    const form = await instance.makeForm(instance.owner, { fields: fields as never });
    const consent = { consent: label };
    await mark((await post(form, 'Three seats please', consent)).id, true);
    expect((await post(form, 'Two seats please', consent)).reasons).toEqual([]);
  });

  test('nothing of a submission that is deleted', async () => {
    const form = await instance.makeForm(instance.owner);
    const { id } = await post(form, TEXT);
    await mark(id, true);
    const key = await instance.makeKey(instance.owner, 'read_write');
    const deleted = await instance.api('DELETE', `/v1/submissions/${id}`, { key: key.secret });
    expect(deleted.status).toBeLessThan(300);
    expect((await post(form, CHANGED)).reasons).toEqual([]);
  });
});

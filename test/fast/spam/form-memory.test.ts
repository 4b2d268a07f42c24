import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { DAY, SECOND } from '../../../src/lib/clock.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { readSpamReasons } from '../../../src/services/submissions/read-submission.ts';
import { FormMemories } from '../../../src/spam/form-memory.ts';
import { extractText } from '../../../src/spam/text.ts';
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
  const { id, isSpam, reasons } = await postAndRead(form, { message, ...more });
  return { id, reasons: isSpam ? reasons : [] };
}

/** Posts fields and returns the stored submission's id and verdict. */
async function postAndRead(form: Form, fields: Record<string, string>) {
  clock.now += 2 * SECOND;
  expect((await instance.post(form.id, fields)).status).toBe(200);
  const { store, vault, log } = instance.context;
  const [stored] = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  if (!stored) throw new Error('not stored');
  const { id, isSpam, isMaybeSpam } = stored;
  return { id, isSpam, isMaybeSpam, reasons: isSpam || isMaybeSpam ? readSpamReasons(vault, log, stored) : [] };
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

  test('what was flagged just now, without reading it again, and once however often it is told', async () => {
    const form = await instance.makeForm(instance.owner, { blockedWords: ['casino'] });
    await post(form, 'Hello');
    await instance.post(form.id, { message: `${TEXT} casino` });
    await instance.post(form.id, { message: TEXT });
    const { store, vault, log } = instance.context;
    const [repeat] = (await store.submissions.listRecent(form.id, { onlySpam: true, limit: 1 })) ?? [];
    expect(repeat && readSpamReasons(vault, log, repeat)).toContain(REPEATED);
    const memories = new FormMemories(instance.context);
    const { flagged } = await memories.find(form, clock.now);
    for (const at of [...flagged.keys(), clock.now, clock.now]) memories.add(form, at, [['message', TEXT]]);
    const memory = await memories.find(form, clock.now);
    expect([memory.flagged.size, memory.entries]).toEqual([3, 18]);
    expect(memory.signals(extractText([['message', TEXT]]), form).map(({ reason }) => reason)).toEqual([REPEATED]);
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

  test('a text of which copies were flagged, as long as one of them is left', async () => {
    const form = await instance.makeForm(instance.owner);
    const [text, changed] = [TEXT, CHANGED].map((one) => one.replace('choir', 'orchestra')) as [string, string];
    const first = await post(form, text);
    await mark(first.id, true);
    const second = await post(form, text);
    const third = await post(form, text);
    expect([second.reasons, third.reasons]).toEqual([[REPEATED], [REPEATED]]);
    await mark(third.id, false);
    const fourth = await post(form, changed);
    expect(fourth.reasons).toEqual([REPEATED]);
    for (const { id } of [fourth, second]) await mark(id, false);
    const fifth = await post(form, text);
    expect(fifth.reasons).toEqual([REPEATED]);
    for (const { id } of [fifth, first]) await mark(id, false);
    expect((await post(form, text)).reasons).toEqual([]);
  });

  test('a text under other numbers and links, whatever else the sender filled in', async () => {
    const form = await instance.makeForm(instance.owner);
    const fields = (n: number) => ({
      name: `Wilhelmina Anastasia van der Berg the ${n}th`,
      email: `wilhelmina.anastasia.van.der.berg.number.${n}@mail.example.dev`,
      message: `Room ${n} and room ${n + 1} and room ${n + 2} are dry: https://${n}.example.dev/${n}`,
    });
    await mark((await postAndRead(form, fields(31))).id, true);
    expect((await postAndRead(form, fields(74))).reasons).toEqual([REPEATED]);
    const other = { ...fields(31), message: 'The key to our cellar is lost' };
    expect((await postAndRead(form, other)).reasons).toEqual([]);
  });

  test('a few words as a whole, which makes them suspect and no more', async () => {
    const form = await instance.makeForm(instance.owner);
    await mark((await postAndRead(form, { message: 'Is the harp workshop open?' })).id, true);
    const repeat = await postAndRead(form, { message: 'is the harp workshop open' });
    expect(repeat).toMatchObject({ isSpam: false, isMaybeSpam: true, reasons: [REPEATED] });
    expect((await postAndRead(form, { message: 'Is the harp workshop closed?' })).reasons).toEqual([]);
    await mark((await postAndRead(form, { message: 'Call me' })).id, true);
    expect((await postAndRead(form, { message: 'Call me' })).reasons).toEqual([]);
  });

  test('more texts than a flood of copies has', async () => {
    const form = await instance.makeForm(instance.owner);
    await mark((await post(form, TEXT.replace('choir', 'band'))).id, true);
    const words = Array.from({ length: 200 }, (_, n) => `word${String.fromCharCode(97 + (n % 26), 97 + (n >> 3))}`);
    const flood = words.join(' ');
    await mark((await post(form, flood)).id, true);
    for (let copy = 0; copy < 60; copy++) expect((await post(form, flood)).reasons).toEqual([REPEATED]);
    expect((await post(form, CHANGED.replace('choir', 'band'))).reasons).toEqual([REPEATED]);
  });
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { SECOND } from '../../../src/lib/clock.ts';
import { readSpamReasons } from '../../../src/services/submissions/read-submission.ts';
import { makeStamp } from '../../../src/spam/stamp.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { dataOf, type Page } from '../api/support.ts';
import { placesOf } from '../visitor/canary.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => instance.stop());

type Fields = Record<string, unknown>;

const newForm = (blockedWords: readonly string[] = []) => instance.makeForm(instance.owner, { blockedWords });

/** Posts the fields and returns the stored spam reasons, empty if the submission was not flagged. */
async function reasonsOf(fields: Fields, to?: Form): Promise<readonly string[]> {
  const form = to ?? (await newForm());
  expect((await instance.post(form.id, fields)).status).toBe(200);
  const { store, vault, log } = instance.context;
  const [stored] = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  if (!stored) throw new Error('not stored');
  const reasons = readSpamReasons(vault, log, stored);
  return stored.isSpam ? reasons : [];
}

const OFFER = {
  name: 'Best SEO links',
  message:
    'Hi, I noticed your website is not ranking. We guarantee the first page of Google in 30 days, only $99 per month. ' +
    'Reply YES or see https://rank.example.com/offer. Unsubscribe: https://rank.example.com/stop',
};
const SIGNATURE =
  'We the undersigned ask the council to keep the public library in the old town open on Saturdays as before.';

describe('strong signals flag', () => {
  test.each<[string, Fields]>([
    ['a complete unsolicited offer', OFFER],
    ['words with lookalike letters', { message: 'Мake monеу onlіne frоm homе, еarn fіvе hundrеd dollаrs еvеry dау' }],
    ['random letters in two fields', { name: 'fJkdQwTzXlOp', message: 'XqjvWzkTpLd hXvVXqxjvBs' }],
    ['random letters as the message', { name: 'Ann', message: 'XqjvWzkTpLdhXv' }],
    [
      'an unresolved spam template',
      { message: '{Hi|Hello} {friend|admin}, {get|buy} {more|new} {visitors|customers}' },
    ],
    ['exploit probes in two fields', { name: "' OR 1=1 --", message: "' UNION SELECT NULL,password FROM users --" }],
  ])('%s', async (_, fields) => {
    expect(await reasonsOf(fields)).not.toBeEmpty();
  });
});

describe('a weak signal alone does not flag', () => {
  test.each<[string, Fields]>([
    ['a very short message', { message: 'ok' }],
    [
      'six links',
      {
        message: `Photos of the dent and of the door: ${Array.from({ length: 6 }, (_, n) => `https://photos.example.com/${n}`).join(' ')}`,
      },
    ],
    ['a link in markup', { message: 'Your mail shows <a href="https://example.com/faq">this</a> as text.' }],
    ['a link in the name', { name: 'https://jane.example.com', message: 'I have a question about the harp course.' }],
    ['a shortened link', { message: 'The photo of the dent: https://bit.ly/3abcde' }],
    ['joined words', { name: 'JohnMcDonald', message: 'Does the OpenStreetMapEditor work in your MacBookPro shop?' }],
    ['random letters in one field', { name: 'Ann', reference: 'xkqzvbjwq', message: 'What does this code mean?' }],
    ['the same text in three fields', { a: 'Flat nine', b: 'Flat nine', c: 'Flat nine' }],
    ['one word with mixed alphabets', { message: 'The сode returns 400, and the button does nothing.' }],
    [
      'a report that quotes an exploit probe',
      { message: 'Our scanner posted <script>alert(1)</script> to your search page, it was echoed back.' },
    ],
    [
      'one phrase typical of offers',
      { message: 'Can you get our bakery to the first page of Google? What would that cost?' },
    ],
    ['a price with a link', { message: 'The chair at https://shop.example.com/chair is $99, can I pick it up today?' }],
    ['capitals and exclamation marks', { message: 'WHERE IS MY ORDER??? I PAID $25 TODAY!!!' }],
    ['emojis', { message: 'wouldn’t miss it 🥂🥂💃💃🎉🎉' }],
    ['praise', { message: 'Great blog, I really enjoyed the article. Thanks for sharing!' }],
  ])('%s', async (_, fields) => {
    expect(await reasonsOf(fields)).toBeEmpty();
  });

  test('a quoted offer does not flag, with ">" or quotation marks', async () => {
    expect(await reasonsOf({ message: `I got this mail:\n\n> ${OFFER.message}\n\nIs it from you?` })).toBeEmpty();
    expect(
      await reasonsOf({ message: `Someone sent us “${OFFER.message}” What should we do about that, please?` }),
    ).toBeEmpty();
  });
});

test('a long run of combining marks takes no longer to score than other text', async () => {
  const form = await newForm(['casino']);
  // The platform's own normalization sorts them in quadratic time and would exceed the test timeout.
  expect(await reasonsOf({ message: `a${'\u0316\u0301'.repeat(60_000)}` }, form)).toBeEmpty();
});

describe('a flagged submission', () => {
  test('gets the same response as any other', async () => {
    const form = await newForm();
    const responseTo = async (fields: Fields) => {
      const answer = await instance.post(form.id, fields);
      const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
      const body = (await answer.text()).replace(/sub_\w+/g, 'sub_');
      return {
        status: answer.status,
        headers: headers.map(([name, value]) => [name, value.replace(/sub_\w+/g, '')]),
        body,
      };
    };
    expect(await responseTo(OFFER)).toEqual(await responseTo({ message: 'Do you repair harps?' }));
  });

  test('is stored, counted and marked as spam in the API', async () => {
    const owner = await instance.makeOwner();
    await instance.post(owner.form.id, OFFER);
    await instance.post(owner.form.id, { message: 'Do you repair harps?' });
    const key = owner.readKey;
    const path = `/v1/forms/${owner.form.id}/submissions`;
    const { items } = await dataOf<Page>(instance.api('GET', path, { key }));
    expect(items.map(({ is_spam }) => is_spam)).toEqual([false, true]);
    const usage = await dataOf<{ submissions_used: number }>(instance.api('GET', '/v1/usage', { key }));
    expect(usage).toMatchObject({ submissions_used: 2 });
  });

  test('has its reasons sealed in the database', async () => {
    const reasons = await reasonsOf(OFFER);
    expect(reasons.join()).toContain('wording typical of spam');
    for (const reason of reasons) expect(placesOf(reason, instance)).toEqual([]);
  });
});

describe('blocked words', () => {
  test.each([
    ['match in any letter case', 'casino', 'The CASINO is near', true],
    ['do not match inside another word', 'casino', 'We stayed at casinoland', false],
    ['match as a phrase despite punctuation', 'free money', 'Free, money!', true],
    ['match in scripts without spaces', '外链', '出售高质量外链服务', true],
    ['do not match other text', 'casino', 'Do you repair harps?', false],
  ])('%s', async (_, word, message, isFound) => {
    const reasons = await reasonsOf({ message }, await newForm([word]));
    expect(reasons.slice(0, 1)).toEqual(isFound ? [`the blocked word “${word}”`] : []);
  });

  test('of another form do not match', async () => {
    await newForm(['harps']);
    expect(await reasonsOf({ message: 'Do you repair harps?' })).toBeEmpty();
  });
});

describe('the page timestamp', () => {
  /** A submission below the threshold, so that the timestamp decides. */
  const BELOW = { reference: 'xkqzvbjwqzxkvqj', message: 'Which machine is this? It stands on the label below.' };
  const stamped = async (seconds: number, form: Form, of = form, ending = '') =>
    reasonsOf(
      {
        ...BELOW,
        _stamp: makeStamp(instance.context.vault, of.id, instance.context.clock() - seconds * SECOND) + ending,
      },
      form,
    );

  test('flags a post sooner than a person can type', async () => {
    expect((await stamped(0, await newForm())).join()).toContain('after the page was opened');
  });
  test('has no effect if it is old or missing', async () => {
    expect(await stamped(3, await newForm())).toBeEmpty();
    expect(await stamped(100_000, await newForm())).toBeEmpty();
    expect(await reasonsOf(BELOW)).toBeEmpty();
  });
  test('flags if it is forged or belongs to another form', async () => {
    expect(await reasonsOf({ ...BELOW, _stamp: '1.abc' })).toContain('a forged page timestamp');
    expect(await stamped(100, await newForm(), await newForm())).toContain('a forged page timestamp');
  });
  test('of the first focus flags a post within a second', async () => {
    const form = await newForm();
    // A clock in the future of the stamp counts as no time at all.
    expect((await stamped(-5, form, form, '.focus')).join()).toContain('sent 0 s after the form was first used');
    const other = await newForm();
    expect(await stamped(1, other, other, '.focus')).toBeEmpty();
  });
  test('does not flag alone', async () => {
    expect(await reasonsOf({ message: 'A question', _stamp: '1.abc' })).toBeEmpty();
  });
});

describe('a repeated text', () => {
  const TEXT = 'Our warehouse moves to the harbour next month and everything that is left there has to be given away.';
  /** Posts the text with a link as the name, a signal that does not flag alone. */
  const post = (form: Form, sender: number, message = TEXT) =>
    reasonsOf({ name: `https://${sender}.example.com`, email: `p${sender}@example.com`, message }, form);

  test('flags from the second sender and form on', async () => {
    expect(await post(await newForm(), 1)).toBeEmpty();
    expect((await post(await newForm(), 2)).join()).toContain('the same text from at least 2 senders');
  });
  test('is found with other links, numbers and capitals', async () => {
    const boats = (price: number, link: string) =>
      `The fishers of the bay sell ${price} boats, see ${link} for all of them.`;
    const first = await post(await newForm(), 1, boats(7, 'https://one.example.com/a.b?c'));
    expect(first.join()).not.toContain('the same text');
    const reasons = await post(await newForm(), 2, boats(16, 'HTTP://two.example.com').replace('fishers', 'FISHERS'));
    expect(reasons.join()).toContain('the same text from at least 2 senders');
  });
  test('does not flag one person who applies in three places', async () => {
    for (const _ of [1, 2, 3])
      expect(await post(await newForm(), 7, `Application. ${TEXT.replace('warehouse', 'choir')}`)).toBeEmpty();
  });
  test('does not flag many people who sign on one form', async () => {
    const form = await newForm();
    for (const sender of [1, 2, 3, 4, 5]) expect(await post(form, sender, SIGNATURE)).toBeEmpty();
  });
  test('does not flag a double post', async () => {
    const form = await newForm();
    for (const _ of [1, 2]) expect(await post(form, 9, TEXT.replace('harbour', 'station'))).toBeEmpty();
  });
  test('does not flag alone, such as a consent text on every form', async () => {
    for (const sender of [1, 2, 3, 4, 5, 6]) {
      const consent = 'I agree that my details are kept until my enquiry has been answered in full.';
      expect(await reasonsOf({ email: `c${sender}@example.com`, consent }, await newForm())).toBeEmpty();
    }
  });
});

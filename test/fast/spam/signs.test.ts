import { afterAll, describe, expect, test } from 'bun:test';
import { DISPOSABLE_LIST, disposableList } from '../../../.ci/disposable.ts';
import type { Form } from '../../../src/domain/forms/form.ts';
import { DAY, SECOND } from '../../../src/lib/clock.ts';
import { readSpamReasons } from '../../../src/services/submissions/read-submission.ts';
import { Campaigns } from '../../../src/spam/campaigns.ts';
import { hostHash, isDisposable } from '../../../src/spam/disposable.ts';
import { findSentences, sentenceFingerprint } from '../../../src/spam/sentences.ts';
import { addSighting, newSightings } from '../../../src/spam/sightings.ts';
import { makeStamp } from '../../../src/spam/stamp.ts';
import { startInstance } from '../../support/instance.ts';

const instance = await startInstance();
afterAll(() => instance.stop());

const newForm = () => instance.makeForm(instance.owner);

/** Posts the fields to a new form and returns the reasons, none if the submission was not flagged. */
async function reasonsOf(fields: Record<string, string>): Promise<readonly string[]> {
  const form = await newForm();
  expect((await instance.post(form.id, fields)).status).toBe(200);
  return lastReasons(form);
}

async function lastReasons(form: Form): Promise<readonly string[]> {
  const { store, vault, log } = instance.context;
  const [stored] = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
  if (!stored) throw new Error('not stored');
  return stored.isSpam ? readSpamReasons(vault, log, stored) : [];
}

/** Signals that show the reasons of further ones. */
const STRONG = { name: 'https://jane.example.com', message: 'The photo of the dent: https://tinyurl.com/3abcde' };
const REASON = 'the address is from a disposable mailbox service';

describe('a disposable mailbox', () => {
  test.each(['eve@mailinator.com', 'Eve@YOPMAIL.com', 'eve@inbox.guerrillamail.com'])(
    'adds weight: %s',
    async (email) => {
      expect(await reasonsOf({ ...STRONG, email })).toContain(REASON);
    },
  );
  test.each(['eve@example.com', 'eve@mailinator.com.example.com', 'mailinator.com', 'eve@gmail.com'])(
    'is not meant by %s',
    async (email) => {
      expect(await reasonsOf({ ...STRONG, email })).not.toContain(REASON);
    },
  );
  test('does not flag alone', async () => {
    expect(await reasonsOf({ email: 'eve@mailinator.com', message: 'Do you repair harps?' })).toBeEmpty();
  });
});

/** A text with synonyms, names and numbers as spam software fills them in. */
function spun(n: number): string {
  const pick = (...words: string[]) => words[n % words.length];
  const name = pick('Martin', 'Teresa', 'Johanna', 'Wilhelm', 'Kwame', 'Ingrid', 'Paolo', 'Sakura');
  return (
    `Hello, ${name} here from the warehouse beside our harbour, which closes after the winter so that everything inside ` +
    `has to find another place: ${pick('wooden', 'sturdy')} tables, hundreds of lamps, curtains, mirrors and about ` +
    `${20 + n} pianos that nobody has played since the theatre stopped, all at a special price, look at https://${n}.example.com/list and choose ` +
    'whatever pleases you before somebody else takes these beautiful instruments away'
  );
}

describe('much the same text', () => {
  /** Posts a text with a link as the name, a signal that does not flag alone. */
  const postTo = async (form: Form, sender: number, message: string) => {
    const fields = { name: `https://${sender}.example.com`, email: `p${sender}@example.com`, message };
    expect((await instance.post(form.id, fields)).status).toBe(200);
    return lastReasons(form);
  };

  test('flags from several senders and forms', async () => {
    const reasons: Array<readonly string[]> = [];
    for (const n of [0, 1, 2, 3, 4, 5, 6, 7]) reasons.push(await postTo(await newForm(), n, spun(n)));
    expect(reasons.slice(0, 2)).toEqual([[], []]);
    // The keys are random, so that a pair of texts may be missed.
    expect(reasons.at(-1)?.join()).toMatch(/much the same text from at least [3-8] senders/);
  });
  test('does not flag one person, or many on one form', async () => {
    const form = await newForm();
    const other = (n: number) => spun(n).replaceAll(/[aeiou]/g, 'e');
    const another = (n: number) => spun(n).replaceAll(/[aeiou]/g, 'o');
    for (const n of [1, 2, 3, 4, 5]) expect(await postTo(await newForm(), 77, other(n))).toBeEmpty();
    for (const n of [1, 2, 3, 4, 5]) expect(await postTo(form, n, another(n))).toBeEmpty();
  });
});

test('the record of texts counts similar ones for a week, and stays within its size', () => {
  const campaigns = new Campaigns();
  const counts = (n: number, at: number) => campaigns.record(spun(n).toLowerCase(), `form ${n}`, [n], at);
  const forms = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => counts(n, n * DAY)?.forms ?? 0);
  expect(forms[0]).toBe(1);
  expect(forms.at(-1)).toBeWithin(5, 9);
  expect(counts(4, 30 * DAY)).toEqual({ forms: 1, senders: 1 });
  expect(campaigns.record('too short to tell', 'form', [1], 0)).toBeNull();
  const random = () =>
    Math.random()
      .toString(36)
      .replaceAll(/[0-9.]/g, 'x')
      .padEnd(12, 'y');
  for (let n = 0; n < 10_000; n++) {
    const text = Array.from({ length: 25 }, random).join(' ');
    expect(campaigns.record(text, 'form', [n], 30 * DAY)?.senders).toBe(1);
  }
  expect(counts(1, 30 * DAY)).toEqual({ forms: 1, senders: 1 });
});

test('the fingerprints of a text are those of its four longest sentences', () => {
  const sentence = (letter: string, length: number) => `${letter.repeat(length)}.`;
  const fingerprints = (text: string) =>
    Array.from({ length: findSentences(text) }, (_, index) => sentenceFingerprint(text, index, 7));
  const text = ['a'.repeat(41), 'b'.repeat(60), 'c'.repeat(39), 'd'.repeat(42), 'e'.repeat(60)].join('. ');
  const expected = [sentence('b', 60), sentence('e', 60), sentence('d', 42), sentence('a', 41)].flatMap(fingerprints);
  expect(fingerprints(text)).toEqual(expected);
  expect(fingerprints(`${text}. ${sentence('f', 40)}`)).toEqual(expected);
  expect(fingerprints(sentence('c', 39))).toEqual([]);
  expect(new Set(expected).size).toBe(4);
});

describe('the list of disposable mailbox services', () => {
  test('is that of the installed package; `bun run generate disposable` writes it', async () => {
    expect(Buffer.from(await Bun.file(DISPOSABLE_LIST).arrayBuffer())).toEqual(Buffer.from(disposableList().buffer));
  });
  test('has no large mail provider and no forwarding service for privacy', () => {
    const kept = [
      ...['gmail.com', 'outlook.com', 'yahoo.com', 'icloud.com', 'proton.me', 'gmx.de', 'web.de', 't-online.de'],
      ...['mail.ru', 'yandex.ru', 'qq.com', '163.com', 'naver.com', 'orange.fr', 'libero.it', 'wp.pl', 'posteo.de'],
      ...['duck.com', 'mozmail.com', 'privaterelay.appleid.com', 'simplelogin.com', 'passmail.net', 'addy.io'],
    ];
    expect(kept.filter(isDisposable)).toEqual([]);
  });
  test('tells hosts apart by a hash without collisions within the list', () => {
    expect(hostHash('mailinator.com')).not.toBe(hostHash('mailinator.net'));
    expect(disposableList().length).toBeGreaterThan(8_000);
  });
});

describe('a link shortener', () => {
  const withLink = (link: string) =>
    reasonsOf({
      name: 'https://jane.example.com',
      email: 'eve@mailinator.com',
      message: `The photo of the dent: ${link}`,
    });

  test.each(['bit.ly/3abc', 'https://www.tinyurl.com/x', 'HTTPS://IS.GD/x', '(t.me/harps)', 'http://reurl.cc/x'])(
    'is found: %s',
    async (link) => {
      expect(await withLink(link)).toContain('a shortened link and few words');
    },
  );
  test.each(['https://bit.ly', 'https://bit.ly/ now', 'https://habit.ly/x', 'https://bit.ly.example.com/x', 'bit.ly'])(
    'is not meant by %s',
    async (link) => {
      expect((await withLink(link)).join()).not.toContain('a shortened link');
    },
  );
});

test('a sender with a new address for each post stays one sender, and takes bounded memory', () => {
  const seen = newSightings(1);
  for (let post = 1; post <= 1_000; post++) {
    expect(addSighting(seen, 'form', [0, 2 * post, 2 * post + 1], 1)).toEqual({ forms: 1, senders: 1 });
  }
  expect(seen.identities).toHaveLength(80);
});

describe('a bot is told by', () => {
  test('a made-up name as the message', async () => {
    expect(await reasonsOf({ name: 'Kimber', message: 'Tavrinel Bostrimm' })).toEqual(['a name as the whole message']);
    expect(await reasonsOf({ name: 'Tavrinel', message: 'Tavrinel Bostrimm' })).toBeEmpty();
    expect(await reasonsOf({ name: 'Kimber', message: 'Good Morning' })).toBeEmpty();
    expect(await reasonsOf({ name: 'Kimber', guest: 'Tavrinel Bostrimm' })).toBeEmpty();
  });

  test('five words with letters of another alphabet in a Latin text', async () => {
    const disguised = 'Plеase rеad abоut the оld hаrps in the window of the shop, they are wooden and large and loud.';
    expect((await reasonsOf({ message: disguised })).join()).toContain('5 words with mixed alphabets');
    const technical = 'Настройка webсервера и postgresбазы под linuxсистему: нужна помощь с apiключом и jsonфайлом.';
    expect((await reasonsOf({ message: technical })).join()).not.toContain('mixed alphabets');
  });

  test('explicit words beside a link, and not without one', async () => {
    const words = 'Horny milfs near the old harbour wait for the evening boat';
    expect((await reasonsOf({ message: `${words} https://boats.example/x` })).join()).toContain('explicit words');
    expect((await reasonsOf({ message: words })).join()).not.toContain('explicit words');
  });

  test('a missing page timestamp where nearly all posts have one', async () => {
    const [form, { vault, clock }] = [await newForm(), instance.context];
    const probe = { ...STRONG, email: 'eve@mailinator.com' };
    for (let post = 0; post < 60; post++) {
      const _stamp = makeStamp(vault, form.id, clock() - 60 * SECOND);
      await instance.post(form.id, { message: `Do you repair harp number ${post}?`, _stamp });
    }
    expect((await instance.post(form.id, probe)).status).toBe(200);
    expect(await lastReasons(form)).toContain('no page timestamp, unlike other posts of this form');
    expect(await reasonsOf(probe)).not.toContain('no page timestamp, unlike other posts of this form');
  });
});

import { afterAll, describe, expect, test } from 'bun:test';
import { DISPOSABLE_LIST, disposableList } from '../../../.ci/disposable.ts';
import { hostHash, isDisposable } from '../../../src/intake/spam/disposable.ts';
import { readSpamReasons } from '../../../src/services/read-submission.ts';
import { startInstance } from '../../support/instance.ts';

const instance = await startInstance();
afterAll(() => instance.stop());

/** Posts the fields to a new form and returns the reasons, none if the submission was not flagged. */
async function reasonsOf(fields: Record<string, string>): Promise<readonly string[]> {
  const form = await instance.makeForm(instance.owner);
  expect((await instance.post(form.id, fields)).status).toBe(200);
  const { store, vault, log } = instance.context;
  const [stored] = (await store.listRecentSubmissions(form.id, { onlySpam: false, limit: 1 })) ?? [];
  if (!stored) throw new Error('not stored');
  return stored.isSpam ? readSpamReasons(vault, log, stored) : [];
}

/** Two signals just below the threshold, so that one more decides. */
const BELOW = { name: 'https://jane.example.com', message: 'The photo of the dent: https://tinyurl.com/3abcde' };
const REASON = 'the address is from a disposable mailbox service';

describe('a disposable mailbox', () => {
  test.each(['eve@mailinator.com', 'Eve@YOPMAIL.com', 'eve@inbox.guerrillamail.com'])(
    'adds weight: %s',
    async (email) => {
      expect(await reasonsOf({ ...BELOW, email })).toContain(REASON);
    },
  );
  test.each(['eve@example.com', 'eve@mailinator.com.example.com', 'mailinator.com', 'eve@gmail.com'])(
    'is not meant by %s',
    async (email) => {
      expect(await reasonsOf({ ...BELOW, email })).toBeEmpty();
    },
  );
  test('does not flag alone', async () => {
    expect(await reasonsOf({ email: 'eve@mailinator.com', message: 'Do you repair harps?' })).toBeEmpty();
  });
});

describe('the list of disposable mailbox services', () => {
  test('is that of the installed package; `bun run disposable` writes it', async () => {
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
      expect(await withLink(link)).toContain('a shortened link');
    },
  );
  test.each(['https://bit.ly', 'https://bit.ly/ now', 'https://habit.ly/x', 'https://bit.ly.example.com/x', 'bit.ly'])(
    'is not meant by %s',
    async (link) => {
      expect((await withLink(link)).join()).not.toContain('a shortened link');
    },
  );
});

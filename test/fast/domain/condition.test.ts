import { describe, expect, test } from 'bun:test';
import { type Condition, FoldedFields, meetsAll, parseWhen } from '../../../src/domain/forms/condition.ts';
import { getDestinations } from '../../../src/domain/forms/destinations.ts';
import type { Payload } from '../../../src/domain/submissions/submission.ts';

const payload: Payload = [
  ['topic', ' Sales '],
  ['tags', ['New', 'urgent']],
  ['count', 3],
  ['agree', true],
  ['empty', ''],
  ['none', []],
  ['nested', { city: 'Åbo' }],
];

describe('a condition', () => {
  const cases: Array<[Condition, boolean]> = [
    [{ field: 'topic', is: 'sales' }, true],
    [{ field: 'topic', is: 'sale' }, false],
    [{ field: 'topic', is_not: 'SALES' }, false],
    [{ field: 'topic', is_not: 'support' }, true],
    [{ field: 'topic', contains: 'ALE' }, true],
    [{ field: 'topic', is_one_of: ['support', 'sales'] }, true],
    [{ field: 'topic', is_one_of: ['support'] }, false],
    [{ field: 'tags', is: 'urgent' }, true],
    [{ field: 'tags', is_not: 'urgent' }, false],
    [{ field: 'count', is: '3' }, true],
    [{ field: 'agree', is: 'true' }, true],
    [{ field: 'empty', is: '' }, true],
    [{ field: 'none', is: '' }, true],
    [{ field: 'missing', is: '' }, true],
    [{ field: 'missing', is_not: 'x' }, true],
    [{ field: 'missing', contains: 'x' }, false],
    [{ field: 'nested', contains: 'a\u030abo' }, true],
    [{ field: 'Topic', is: 'sales' }, false],
  ];
  test.each(cases)('%j is met: %p', (condition, isMet) => {
    expect(meetsAll([condition], new FoldedFields(payload))).toBe(isMet);
  });
});

test('several conditions must all be met, and none are always met', () => {
  const [sales, urgent] = [
    { field: 'topic', is: 'sales' },
    { field: 'tags', is: 'urgent' },
  ];
  expect(meetsAll([sales, urgent], new FoldedFields(payload))).toBe(true);
  expect(meetsAll([sales, { field: 'tags', is: 'old' }], new FoldedFields(payload))).toBe(false);
  expect(meetsAll([], new FoldedFields(payload))).toBe(true);
});

test('a single condition or a list is parsed', () => {
  expect(parseWhen('{"field":"a","is":"b"}')).toEqual([{ field: 'a', is: 'b' }]);
  expect(parseWhen('[]')).toEqual([]);
});

test.each([
  ['{', 'not valid JSON'],
  ['"x"', 'Each condition needs'],
  ['[{"field":"a"}]', 'Each condition needs'],
  ['[{"field":"a","is":"b","is_not":"c"}]', 'Each condition needs'],
  ['[{"field":"","is":"b"}]', 'Each condition needs'],
  ['[{"field":"a","is":1}]', 'Each condition needs'],
  ['[{"field":"a","is_one_of":[]}]', 'Each condition needs'],
  [JSON.stringify(Array.from({ length: 11 }, () => ({ field: 'a', is: 'b' }))), 'more than 10'],
])('%s is refused', (text, message) => {
  expect(() => parseWhen(text)).toThrow(message);
});

test('each field of a submission is read once, however many conditions name it', () => {
  let reads = 0;
  const value = { city: 'x'.repeat(1_000), toJSON: () => `read ${++reads}` };
  const when = ['is', 'is_not', 'contains'].map((name) => ({ field: 'a', [name]: 'x' }) as Condition);
  const notify = Array.from({ length: 20 }, (_, n) => `${n}@example.com`);
  const notifyWhen = Object.fromEntries(notify.map((address) => [address, when]));
  getDestinations({ notify, notifyWhen, webhookRoutes: [] }, [['a', value as never]], { isSpam: false, hasMail: true });
  expect(reads).toBe(1);
});

test('conditions look at the first 4,096 characters of a field', () => {
  const fields = new FoldedFields([['a', `${'x'.repeat(4_090)}needle${'x'.repeat(250_000)}late`]]);
  expect(fields.get('a')[0]).toHaveLength(4_096);
  expect(meetsAll([{ field: 'a', contains: 'NEEDLE' }], fields)).toBe(true);
  expect(meetsAll([{ field: 'a', contains: 'late' }], fields)).toBe(false);
});

test('values beyond these characters do not count as empty', () => {
  const fields = new FoldedFields([['a', ['x'.repeat(4_096), 'b']]]);
  expect(meetsAll([{ field: 'a', is: '' }], fields)).toBe(false);
  expect(meetsAll([{ field: 'a', is_not: '' }], fields)).toBe(true);
});

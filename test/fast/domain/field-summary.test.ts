import { describe, expect, test } from 'bun:test';
import { FieldAnswers, summarizedFields } from '../../../src/domain/fields/field-summary.ts';
import type { PayloadValue } from '../../../src/domain/submissions/submission.ts';

function summaryOf(type: string, values: ReadonlyArray<PayloadValue | undefined>, more: object = {}) {
  const answers = new FieldAnswers({ name: 'f', label: '', type, required: false, ...more });
  for (const value of values) answers.add(value);
  return answers.summarize();
}

describe('the summary of a field', () => {
  test('has the most frequent choices first, and options that nobody chose', () => {
    const counts = [
      { answer: 'b', count: 3 },
      { answer: 'a', count: 1 },
      { answer: 'c', count: 0 },
    ];
    expect(summaryOf('select', ['b', ' a ', 'b', '', undefined, 'b', null], { options: ['a', 'b', 'c'] })).toEqual({
      name: 'f',
      label: 'f',
      kind: 'choice',
      answered: 4,
      counts,
      others: 0,
    });
  });

  test('counts each choice of a list once, and answers beyond the tenth together', () => {
    const summary = summaryOf('checkboxes', [['a', 'b', 'a'], ['a'], [], { a: 'b' }]);
    expect(summary).toMatchObject({
      answered: 2,
      counts: [
        { answer: 'a', count: 2 },
        { answer: 'b', count: 1 },
      ],
    });
    const many = summaryOf('radio', [...Array(12).keys()].map(String));
    expect(many).toMatchObject({ answered: 12, others: 2 });
  });

  test('has average, median and range of numbers, and ignores other texts', () => {
    const numbers = { average: 3.25, median: 2.75, lowest: 1, highest: 6.5 };
    const values = ['1', '2,5', 3, '6.5', 'many', '1e9', '************4242', true];
    expect(summaryOf('number', values)).toMatchObject({ kind: 'number', numbers, counts: [] });
    expect(summaryOf('number', ['none'])).toMatchObject({ answered: 1, numbers: null });
  });

  test('has the count of each rating, the best first', () => {
    const { counts } = summaryOf('rating', ['5', '3', '3', '9']) as { counts: unknown };
    expect(counts).toEqual(
      [5, 4, 3, 2, 1].map((rating) => ({ answer: String(rating), count: { 5: 1, 3: 2 }[rating] ?? 0 })),
    );
    expect(summaryOf('rating', ['2'], { max: 3 })).toMatchObject({
      counts: [{ answer: '3' }, { answer: '2' }, { answer: '1' }],
    });
  });

  test('takes a missing checkbox for unchecked', () => {
    const values = ['on', true, 'yes', undefined, '', false, 'no', '0'];
    expect(summaryOf('checkbox', values)).toMatchObject({ kind: 'check', checked: 3, unchecked: 5 });
  });
});

test('texts, addresses and files have no summary', () => {
  const types = ['text', 'email', 'textarea', 'file', 'toString', 'rating', 'consent'];
  const fields = types.map((type) => ({ name: type, label: '', type, required: false }));
  expect(summarizedFields(fields).map(({ type }) => type)).toEqual(['rating', 'consent']);
});

import { toSingleLine } from '../../lib/one-line.ts';
import type { PayloadValue } from '../submissions/submission.ts';
import { isChecked } from './checkbox.ts';
import type { FormField } from './field-type.ts';
import { getFieldType } from './field-types.ts';

/** An answer and the number of submissions with it. */
export type AnswerCount = Readonly<{ answer: string; count: number }>;

/**
 * The answers to a field. `answered` counts the submissions with a value. `counts` is sorted by frequency, of a rating from
 * the best down, and has at most `MAX_ANSWERS`; `others` counts the answers beyond.
 */
export type FieldSummary = Readonly<{ name: string; label: string; answered: number }> &
  (
    | Readonly<{ kind: 'choice'; counts: readonly AnswerCount[]; others: number }>
    | Readonly<{ kind: 'number'; numbers: NumberSummary | null; counts: readonly AnswerCount[] }>
    | Readonly<{ kind: 'check'; checked: number; unchecked: number }>
  );

export type NumberSummary = Readonly<{ average: number; median: number; lowest: number; highest: number }>;

const MAX_ANSWERS = 10;
const LONGEST_ANSWER = 100;
/** A number with a decimal point or comma. */
const NUMBER = /^[+-]?\d{1,15}(?:[.,]\d{1,15})?$/;

/** Returns the fields whose answers can be summarized: choices, ratings, numbers and checkboxes. */
export function summarizedFields(fields: readonly FormField[]): readonly FormField[] {
  return fields.filter((field) => getFieldType(field).summary !== undefined);
}

/** Collects the answers to one field. */
export class FieldAnswers {
  readonly #counts = new Map<string, number>();
  readonly #numbers: number[] = [];
  #answered = 0;
  #checked = 0;
  #read = 0;

  constructor(private readonly field: FormField) {}

  /** Adds the value of a submission; undefined if it has none. */
  add(value: PayloadValue | undefined): void {
    const answers = [...new Set(getTexts(value))];
    this.#read += 1;
    this.#answered += answers.length > 0 ? 1 : 0;
    this.#checked += answers.some((answer) => isChecked(answer) !== false) ? 1 : 0;
    for (const answer of answers) {
      this.#counts.set(answer, (this.#counts.get(answer) ?? 0) + 1);
      if (NUMBER.test(answer)) this.#numbers.push(Number(answer.replace(',', '.')));
    }
  }

  summarize(): FieldSummary {
    const { name, label } = this.field;
    const common = { name, label: label || name, answered: this.#answered };
    const { summary: kind = 'choice', choices } = getFieldType(this.field);
    const options = choices?.(this.field) ?? [];
    if (kind === 'check') return { ...common, kind, checked: this.#checked, unchecked: this.#read - this.#checked };
    if (kind === 'number') {
      // The best rating comes first.
      const getCount = (answer: string) => this.#numbers.filter((number) => number === Number(answer)).length;
      const counts = options.toReversed().map((answer) => ({ answer, count: getCount(answer) }));
      return { ...common, kind, numbers: summarizeNumbers(this.#numbers), counts };
    }
    for (const option of options) {
      const answer = toSingleLine(option, LONGEST_ANSWER);
      this.#counts.set(answer, this.#counts.get(answer) ?? 0);
    }
    const sorted = [...this.#counts].map(([answer, count]) => ({ answer, count })).sort((a, b) => b.count - a.count);
    const others = sorted.slice(MAX_ANSWERS).reduce((sum, { count }) => sum + count, 0);
    return { ...common, kind, counts: sorted.slice(0, MAX_ANSWERS), others };
  }
}

/** Returns the answers in a value without empty ones. Objects have none. */
function getTexts(value: PayloadValue | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((item: PayloadValue) => (Array.isArray(item) ? [] : getTexts(item)));
  if (value === undefined || value === null || typeof value === 'object') return [];
  const text = toSingleLine(String(value), LONGEST_ANSWER);
  return text === '' ? [] : [text];
}

function summarizeNumbers(numbers: readonly number[]): NumberSummary | null {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [lowest, highest] = [sorted[0], sorted.at(-1)];
  if (lowest === undefined || highest === undefined) return null;
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
  return { average: sorted.reduce((sum, number) => sum + number, 0) / sorted.length, median, lowest, highest };
}

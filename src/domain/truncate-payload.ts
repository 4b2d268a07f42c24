import type { Payload, PayloadValue } from './submission.ts';

/** Characters kept beyond a limit, so that `maskPayload` still recognizes a card number that crosses it. */
const MARGIN = 64;

/** Characters left for a value, and for the whole payload. */
type Budget = { value: number; total: number };

/**
 * Cuts a payload to the beginning of its values: to about `maxValue` characters each and `maxTotal` together, at any
 * depth. Later fields keep their names and become empty texts. Takes time in proportion to the result. Call it before
 * `maskPayload` where only the beginning is shown.
 */
export function truncatePayload(payload: Payload, maxValue: number, maxTotal: number): Payload {
  const budget = { value: 0, total: maxTotal };
  return payload.map(([name, value]) => {
    budget.value = Math.min(maxValue, budget.total);
    return [name, budget.value > 0 ? truncate(value, budget) : ''];
  });
}

function truncate(value: PayloadValue, budget: Budget): PayloadValue {
  if (typeof value === 'string') {
    const text = value.slice(0, Math.max(0, budget.value) + MARGIN);
    // Empty texts count too, or a long list of them would be walked whole.
    spend(budget, Math.max(1, text.length));
    return text;
  }
  spend(budget, 1);
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? truncateList(value, budget) : truncateObject(value, budget);
}

function truncateList(list: readonly PayloadValue[], budget: Budget): PayloadValue {
  const items: PayloadValue[] = [];
  for (const item of list) {
    if (budget.value <= 0) break;
    items.push(truncate(item, budget));
  }
  return items;
}

function truncateObject(object: Readonly<Record<string, PayloadValue>>, budget: Budget): PayloadValue {
  const members: Array<[string, PayloadValue]> = [];
  for (const name in object) {
    if (budget.value <= 0) break;
    spend(budget, name.length);
    members.push([name, truncate(object[name] ?? null, budget)]);
  }
  return Object.fromEntries(members);
}

function spend(budget: Budget, characters: number): void {
  budget.value -= characters;
  budget.total -= characters;
}

function isList(value: object): value is readonly PayloadValue[] {
  return Array.isArray(value);
}

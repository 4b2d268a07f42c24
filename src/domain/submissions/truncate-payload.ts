import { isList, maskPayload } from '../masking/masking.ts';
import type { Payload, PayloadValue } from './submission.ts';

/** Characters masked beyond a limit, so that a card number that crosses it is recognized. */
const MARGIN = 64;

/** Characters left for a value, and for the whole payload. */
type Budget = { value: number; total: number };

/**
 * Cuts a payload to the beginning of its values: to about `maxValue` characters each and `maxTotal` together, at any
 * depth. Later fields keep their names and become empty texts. Texts that are cut are masked; call `maskPayload` for the
 * others. Takes time in proportion to the result.
 */
export function truncatePayload(payload: Payload, maxValue: number, maxTotal: number): Payload {
  const budget = { value: 0, total: maxTotal };
  return payload.map(([name, value]) => {
    budget.value = Math.min(maxValue, budget.total);
    return [name, budget.value > 0 ? truncate(name, value, budget) : ''];
  });
}

/** Truncates a value; `name` is the name of its field. */
function truncate(name: string, value: PayloadValue, budget: Budget): PayloadValue {
  if (typeof value === 'string') return truncateText(name, value, budget);
  spend(budget, 1);
  if (typeof value !== 'object' || value === null) return value;
  return isList(value) ? truncateList(name, value, budget) : truncateObject(value, budget);
}

function truncateText(name: string, text: string, budget: Budget): string {
  const end = Math.max(0, budget.value) + MARGIN;
  spend(budget, Math.max(1, Math.min(text.length, end)));
  if (text.length <= end) return text;
  const [[, masked] = []] = maskPayload([[name, text.slice(0, end)]]);
  // A number within the margin may lack digits, and is not masked then.
  return String(masked).slice(0, -MARGIN);
}

function truncateList(name: string, list: readonly PayloadValue[], budget: Budget): PayloadValue {
  const items: PayloadValue[] = [];
  for (const item of list) {
    if (budget.value <= 0) break;
    items.push(truncate(name, item, budget));
  }
  return items;
}

function truncateObject(object: Readonly<Record<string, PayloadValue>>, budget: Budget): PayloadValue {
  const members: Array<[string, PayloadValue]> = [];
  for (const name in object) {
    if (budget.value <= 0) break;
    spend(budget, name.length);
    members.push([name, truncate(name, object[name] ?? null, budget)]);
  }
  return Object.fromEntries(members);
}

function spend(budget: Budget, characters: number): void {
  budget.value -= characters;
  budget.total -= characters;
}

import type { Form } from '../../../domain/forms/form.ts';
import type { FormStats } from '../../../storage/records.ts';
import { countGenuine } from './form-item.tsx';

export const SORTS = ['latest', 'name', 'count'] as const;

/** An order of forms: by the last submission, by name, or by the submissions of the last 30 days. */
export type Sort = (typeof SORTS)[number];

/** Sorts forms. A form without submissions counts as active at its creation. */
export function sortForms(
  forms: readonly Form[],
  stats: ReadonlyMap<string, FormStats>,
  sort: Sort,
  language: string,
): readonly Form[] {
  const latest = ({ id, createdAt }: Form) => Math.max(stats.get(id)?.lastArrival ?? 0, createdAt);
  const count = ({ id }: Form) => countGenuine(stats.get(id)?.days ?? []);
  const { compare } = new Intl.Collator(language, { numeric: true });
  return forms.toSorted((a, b) => {
    if (sort === 'name') return compare(a.name, b.name);
    return (sort === 'count' && count(b) - count(a)) || latest(b) - latest(a);
  });
}

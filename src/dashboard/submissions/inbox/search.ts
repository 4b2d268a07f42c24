import type { Context } from '../../../context/context.ts';
import { fieldDescriber } from '../../../domain/fields/field-display.ts';
import type { Form } from '../../../domain/forms/form.ts';
import { plainText } from '../../../domain/mail/plain-text.ts';
import type { InboxSelection } from '../../../domain/submissions/inbox.ts';
import type { Micros } from '../../../lib/clock.ts';
import type { Semaphore } from '../../../lib/semaphore.ts';
import { folded, searchSubmissions, type Terms } from '../../../services/submissions/search.ts';
import type { InboxList } from '../../ui/inbox-list.ts';
import { describeValue } from '../../ui/payload-text.ts';
import type { Viewer } from '../../viewer.ts';
import { getLabel } from './columns.ts';

/** Submissions that a bulk action searches at most, in a few seconds of work. */
const MAX_SEARCHED = 50_000;

/** Ids of submissions; `isComplete` is false if more match. */
export type Matches = Readonly<{ ids: readonly string[]; isComplete: boolean }>;

/** Returns what a list searches among these forms. A value matches as it was sent and as the viewer sees it. */
export function toTerms(
  { q, field, value, files, unassigned }: InboxList,
  forms: readonly Form[],
  viewer: Viewer,
): Terms {
  const [wantedField, wanted] = [folded(field), folded(value)];
  const formOf = new Map(forms.map((form) => [form.id, form]));
  const accepts: Terms['accepts'] = ({ formId, files: sent, assignedTo }, payload) => {
    const form = formOf.get(formId);
    if (!form || (files !== '' && sent === null) || (unassigned !== '' && assignedTo !== null)) return false;
    if (field === '' && value === '') return true;
    const describe = fieldDescriber(form.fields, viewer.values);
    const answers = payload.filter(
      ([name]) => field === '' || [name, getLabel(form, name)].some((text) => folded(text) === wantedField),
    );
    return answers.some(([name, answer]) =>
      [plainText(answer), describeValue(describe, name, answer).text].some(
        (text) => text !== '' && folded(text).includes(wanted),
      ),
    );
  };
  return { q, accepts };
}

/**
 * Returns the ids of all matches, newest first, up to `limit`. Yields to the event loop like single searches, and ends after
 * `MAX_SEARCHED` submissions or when `signal` aborts.
 */
export async function searchAll(
  context: Context,
  selection: InboxSelection,
  terms: Terms,
  { before, limit, signal }: Readonly<{ before: Micros; limit: number; signal: AbortSignal }>,
  semaphore: Semaphore,
): Promise<Matches> {
  const ids: string[] = [];
  let searched = 0;
  for (let from = before; ids.length < limit && searched < MAX_SEARCHED && !signal.aborted; ) {
    const page = { before: from, limit: limit - ids.length };
    const part = await searchSubmissions(context, selection, terms, page, semaphore);
    ids.push(...part.found.map(({ submission: { id } }) => id));
    searched += part.searched;
    if (part.reached === null) return { ids, isComplete: true };
    from = part.reached;
  }
  return { ids, isComplete: false };
}

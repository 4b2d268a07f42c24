import type { Context } from '../../context/context.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import { DAY } from '../../lib/clock.ts';
import { readSpamReasons } from '../../services/submissions/read-submission.ts';

export const COUNTED_DAYS = 30;
/** Flagged submissions are counted up to this. */
export const MAX_COUNT = 10_000;
const MAX_LISTED = 10;

/** A flagged submission with the name of its form; without reasons if a member flagged it. */
type Decision = Pick<StoredSubmission, 'id' | 'createdAt'> & Readonly<{ form: string; reasons: readonly string[] }>;

/** The flagged submissions of the last days and of as many before, and the last ones. */
export type Decisions = Readonly<{ caught: number; before: number; last: readonly Decision[] }>;

export async function readDecisions({ store, vault, log, clock }: Context, teamId: string): Promise<Decisions> {
  const forms = new Map((await store.forms.list(teamId)).map(({ id, name }) => [id, name]));
  const [now, span] = [clock(), COUNTED_DAYS * DAY];
  const spam = { formIds: [...forms.keys()], part: 'spam', until: null } as const;
  const newest = { before: Number.MAX_SAFE_INTEGER, limit: MAX_LISTED };
  const times = await store.inbox.listTimes({ ...spam, from: null }, newest);
  const last = (await store.inbox.findSubmissionsAt(times)).map((submission) => {
    const { id, createdAt, formId } = submission;
    return { id, createdAt, form: forms.get(formId) ?? '', reasons: readSpamReasons(vault, log, submission) };
  });
  return {
    caught: await store.inbox.count({ ...spam, from: now - span }, MAX_COUNT),
    before: await store.inbox.count({ ...spam, from: now - 2 * span, until: now - span }, MAX_COUNT),
    last,
  };
}

import type { Context } from '../../context/context.ts';
import { DAY } from '../../lib/clock.ts';
import { readExcerpt, readSpamReasons } from '../../services/submissions/read-submission.ts';
import { getBrief } from '../ui/payload-text.ts';
import type { Viewer } from '../viewer.ts';

const COUNTED_DAYS = 30;
const MAX_LISTED = 10;

export type Decisions = Awaited<ReturnType<typeof readDecisions>>;

/**
 * Counts the submissions of the last days until `at`, and the members' marks on them. `last` are the latest ones that are
 * spam or may be, with the names of their forms; those without reasons were flagged by a member.
 */
export async function readDecisions(context: Context, teamId: string, viewer: Viewer) {
  const { store, vault, log, clock } = context;
  const at = clock();
  const forms = new Map((await store.forms.list(teamId)).map((form) => [form.id, form]));
  const newest = { before: Number.MAX_SAFE_INTEGER, limit: MAX_LISTED };
  const list = (part: 'spam' | 'maybe') =>
    store.inbox.listTimes({ formIds: [...forms.keys()], part, from: null, until: null }, newest);
  const times = [...(await list('spam')), ...(await list('maybe'))].sort((a, b) => b - a).slice(0, MAX_LISTED);
  const last = (await store.inbox.findSubmissionsAt(times)).flatMap((submission) => {
    const { id, createdAt, isSpam, formId } = submission;
    const form = forms.get(formId);
    if (!form) return [];
    const { who, rest } = getBrief(form, readExcerpt(vault, log, submission) ?? [], viewer.values);
    return [{ id, createdAt, isSpam, who, rest, form: form.name, reasons: readSpamReasons(vault, log, submission) }];
  });
  const stats = [...(await store.forms.readStats(teamId, at)).values()];
  const days = Array.from({ length: COUNTED_DAYS }, (_, day) => ({
    genuine: stats.reduce((sum, { days }) => sum + (days[day]?.genuine ?? 0), 0),
    spam: stats.reduce((sum, { days }) => sum + (days[day]?.spam ?? 0), 0),
  }));
  return { days, marks: await store.spam.countLessons(teamId, at - COUNTED_DAYS * DAY), last, at };
}

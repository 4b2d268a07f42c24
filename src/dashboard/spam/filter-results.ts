import type { Context } from '../../context/context.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import { DAY, type Micros } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { readExcerpt, readSpamReasons } from '../../services/submissions/read-submission.ts';
import { SPAM_THRESHOLD } from '../../spam/signal.ts';
import { type TeamModel, weighStored } from '../../spam/team-model.ts';
import { getBrief } from '../ui/payload-text.ts';
import type { Viewer } from '../viewer.ts';

const COUNTED_DAYS = 30;
const MAX_DECISIONS = 10;

export type Decisions = Awaited<ReturnType<typeof readDecisions>>;

/**
 * Counts the submissions of the last days until `at`, and the members' marks on them. `last` are the latest ones that are
 * spam or may be, with the names of their forms; those without reasons were flagged by a member.
 */
export async function readDecisions(context: Context, teamId: string, viewer: Viewer) {
  const { store, vault, log, clock } = context;
  const at = clock();
  const forms = new Map((await store.forms.list(teamId)).map((form) => [form.id, form]));
  const newest = { before: Number.MAX_SAFE_INTEGER, limit: MAX_DECISIONS };
  const list = (part: 'spam' | 'maybe') =>
    store.inbox.listTimes({ formIds: [...forms.keys()], part, from: null, until: null }, newest);
  const times = [...(await list('spam')), ...(await list('maybe'))].sort((a, b) => b - a).slice(0, MAX_DECISIONS);
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

export const COMPARED_DAYS = 30;
/** Submissions that are compared at most. */
const MAX_COMPARED = 2_000;
/** Submissions in memory at once; each can be 1 MB. */
const PAGE_SIZE = 10;
/** Submissions that the page links to. */
const MAX_LISTED = 20;

/** A submission whose verdict depends on what the team's filter learned. */
type Difference = Readonly<{ id: string; createdAt: Micros; isFlagged: boolean; isSpam: boolean }>;

/** Verdicts on the newest submissions by their content, with and without what the team's filter learned. */
export type Comparison = Awaited<ReturnType<typeof compareVerdicts>>;

/** Judges the newest submissions of a team outside the trash again. Yields to the event loop. */
export async function compareVerdicts(context: Context, teamId: string, model: TeamModel) {
  const { store, vault, clock } = context;
  const formIds = (await store.forms.list(teamId)).map(({ id }) => id);
  const selection = { formIds, part: 'all', from: clock() - COMPARED_DAYS * DAY, until: null } as const;
  const page = { before: Number.MAX_SAFE_INTEGER, limit: MAX_COMPARED };
  const times = await store.inbox.listTimes(selection, page);
  const differences: Difference[] = [];
  for (let first = 0; first < times.length; first += PAGE_SIZE) {
    const submissions = await store.inbox.findSubmissionsAt(times.slice(first, first + PAGE_SIZE));
    const batch = await mapYielding(submissions, getDifference);
    differences.push(...batch.filter((difference) => difference !== null));
    await yieldToEventLoop();
  }

  function getDifference(submission: StoredSubmission): Difference | null {
    const weights = weighStored(vault, submission, model);
    if (!weights) return null;
    const { content, learned } = weights;
    const isFlagged = content + learned >= SPAM_THRESHOLD;
    if (isFlagged === content >= SPAM_THRESHOLD) return null;
    const { id, createdAt, isSpam } = submission;
    return { id, createdAt, isSpam, isFlagged };
  }

  const count = (isFlagged: boolean, isSpam?: boolean) =>
    differences.filter((d) => d.isFlagged === isFlagged && (isSpam === undefined || d.isSpam === isSpam)).length;
  return {
    compared: times.length,
    // Spam only with learning, and the part of it that is not in the spam folder today.
    flagged: count(true),
    flaggedGenuine: count(true, false),
    // Genuine only with learning, and the part of it that is in the spam folder today.
    cleared: count(false),
    clearedSpam: count(false, true),
    listed: differences.slice(0, MAX_LISTED),
  };
}

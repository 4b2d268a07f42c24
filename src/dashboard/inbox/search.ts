import type { Context } from '../../context.ts';
import type { InboxSelection } from '../../domain/inbox.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import type { Micros } from '../../lib/clock.ts';
import { normalize } from '../../lib/normalize.ts';
import type { Semaphore } from '../../lib/semaphore.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { readFiles, readPayload } from '../../services/read-submission.ts';
import { excerptAround, plainText } from '../ui/payload-text.ts';

/** CPU time of one request, and of one turn, after which all searches yield to the event loop. */
const WORK_MS = 30;
const TURN_MS = 5;
/** Times read ahead, and submissions in memory at once: each can be a megabyte. */
const TIMES = 500;
const ROWS = 10;

/** The matches of one request: at most `limit`, newest first, each with the text around the match. */
export type Search = Readonly<{
  found: ReadonlyArray<Readonly<{ submission: StoredSubmission; excerpt: string }>>;
  /** The number of submissions searched. */
  searched: number;
  /** The time to continue from; null at the end. */
  reached: Micros | null;
}>;

/**
 * Searches the submissions of a selection, created before `before`, for all words of `q` in their masked texts,
 * ignoring case. Stops after about 30 ms of work, and after at least one submission. `semaphore` runs one search at a
 * time.
 */
export async function searchInbox(
  context: Context,
  selection: InboxSelection,
  q: string,
  { before, limit }: Readonly<{ before: Micros; limit: number }>,
  semaphore: Semaphore,
): Promise<Search> {
  const words = wordsOf(q);
  const found: Array<Search['found'][number]> = [];
  const rows = newestFirst(context, selection, before);
  let searched = 0;
  let reached: Micros | null = before;
  let worked = 0;
  let isDone = false;
  const runTurn = async () => {
    const began = performance.now();
    for (let turn = 0; !isDone && turn <= TURN_MS; ) {
      const { value: submission } = await rows.next();
      if (!submission) {
        reached = null;
        isDone = true;
        break;
      }
      const excerpt = matchIn(context, submission, words);
      searched++;
      reached = submission.createdAt;
      if (excerpt !== null) found.push({ submission, excerpt });
      turn = performance.now() - began;
      isDone = found.length >= limit || worked + turn > WORK_MS;
    }
    worked += performance.now() - began;
    await yieldToEventLoop();
  };
  while (!isDone) await semaphore.run(runTurn);
  return { found, searched, reached };
}

async function* newestFirst({ store }: Context, selection: InboxSelection, before: Micros) {
  for (let below = before; ; ) {
    const times = await store.listInboxTimes(selection, { before: below, limit: TIMES });
    for (let first = 0; first < times.length; first += ROWS) {
      yield* await store.findSubmissionsAt(times.slice(first, first + ROWS));
    }
    below = times.at(-1) ?? below;
    if (times.length < TIMES) return;
  }
}

/** Returns the text around the first of the words in its value; null unless the submission has all of them. */
function matchIn({ vault, log }: Context, submission: StoredSubmission, words: readonly string[]): string | null {
  const values = (readPayload(vault, log, submission) ?? []).map(([, value]) => plainText(value));
  const texts = [...values, ...readFiles(vault, log, submission).map(({ name }) => name)];
  const searched = texts.map(folded);
  const isMatch = words.every((word) => searched.some((text) => text.includes(word)));
  if (!isMatch) return null;
  const [first = ''] = words;
  const index = searched.findIndex((text) => text.includes(first));
  return excerptAround(texts[index] ?? '', searched[index]?.indexOf(first) ?? 0);
}

/** Returns the words of a search term. */
export function wordsOf(q: string): readonly string[] {
  return folded(q).split(/\s+/).filter(Boolean);
}

function folded(text: string): string {
  return normalize(text, 'NFC').toLowerCase();
}

/** Submissions that a bulk action searches at most, in a few seconds of work. */
const MAX_SEARCHED = 50_000;

type AllMatches = Readonly<{ ids: readonly string[]; isComplete: boolean }>;

/** Returns the ids of all matches, newest first, up to `limit`. */
export type SearchAll = (
  selection: InboxSelection,
  q: string,
  options: Readonly<{ before: Micros; limit: number; signal: AbortSignal }>,
) => Promise<AllMatches>;

/**
 * Creates a search for all matches. It yields to the event loop like single searches, and ends after `MAX_SEARCHED`
 * submissions or when `signal` aborts.
 */
export function searchAllOf(context: Context, semaphore: Semaphore): SearchAll {
  return async (selection, q, { before, limit, signal }) => {
    const ids: string[] = [];
    let searched = 0;
    for (let from = before; ids.length < limit && searched < MAX_SEARCHED && !signal.aborted; ) {
      const part = await searchInbox(context, selection, q, { before: from, limit: limit - ids.length }, semaphore);
      ids.push(...part.found.map(({ submission: { id } }) => id));
      searched += part.searched;
      if (part.reached === null) return { ids, isComplete: true };
      from = part.reached;
    }
    return { ids, isComplete: false };
  };
}

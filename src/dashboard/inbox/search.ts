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
  const words = folded(q).split(/\s+/).filter(Boolean);
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

/** Returns the text around the first of the words; null unless the submission has all of them. */
function matchIn({ vault, log }: Context, submission: StoredSubmission, words: readonly string[]): string | null {
  const texts = (readPayload(vault, log, submission) ?? []).map(([, value]) => plainText(value));
  const names = readFiles(vault, log, submission).map(({ name }) => name);
  const text = [...texts, ...names].join('\n');
  const searched = folded(text);
  return words.every((word) => searched.includes(word)) ? excerptAround(text, searched.indexOf(words[0] ?? '')) : null;
}

function folded(text: string): string {
  return normalize(text, 'NFC').toLowerCase();
}

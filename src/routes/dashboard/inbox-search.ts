import type { Context } from '../../context.ts';
import type { InboxSelection } from '../../domain/inbox.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import type { Micros } from '../../lib/clock.ts';
import { normalise } from '../../lib/normalise.ts';
import type { Semaphore } from '../../lib/semaphore';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop';
import { readFiles, readPayload } from '../../services/read-submission.ts';
import { excerptAround, plainText } from './payload-text.ts';

/** What one request works on a search; between two turns, of all searches together, others get one of the event loop. */
const WORK_MS = 30;
const TURN_MS = 5;
/** So many times are read ahead, and so many submissions are in memory at once: each can be a megabyte. */
const TIMES = 500;
const ROWS = 10;

/** What was found on the way: at most `limit`, newest first, each with the text around what was searched for. */
export type Search = Readonly<{
  found: ReadonlyArray<Readonly<{ submission: StoredSubmission; excerpt: string }>>;
  looked: number;
  /** Where to search on, or null at the end. */
  reached: Micros | null;
}>;

/**
 * Searches the submissions of a selection, created before `before`, for those that hold every word of `q`, as they may be
 * shown, in small letters or capitals. Gives up after some 30 ms of work, having looked at one at least. All searches share
 * `semaphore`, at which one of them works at a time.
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
  let looked = 0;
  let reached: Micros | null = before;
  let worked = 0;
  let isOver = false;
  const lookOn = async () => {
    const began = performance.now();
    for (let turn = 0; !isOver && turn <= TURN_MS; ) {
      const { value: submission } = await rows.next();
      if (!submission) {
        reached = null;
        isOver = true;
        break;
      }
      const excerpt = matchIn(context, submission, words);
      looked++;
      reached = submission.createdAt;
      if (excerpt !== null) found.push({ submission, excerpt });
      turn = performance.now() - began;
      isOver = found.length >= limit || worked + turn > WORK_MS;
    }
    worked += performance.now() - began;
    await yieldToEventLoop();
  };
  while (!isOver) await semaphore.run(lookOn);
  return { found, looked, reached };
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

/** The text around the first of the words; null unless all are there. */
function matchIn({ vault, log }: Context, submission: StoredSubmission, words: readonly string[]): string | null {
  const texts = (readPayload(vault, log, submission) ?? []).map(([, value]) => plainText(value));
  const names = readFiles(vault, log, submission).map(({ name }) => name);
  const text = [...texts, ...names].join('\n');
  const searched = folded(text);
  return words.every((word) => searched.includes(word)) ? excerptAround(text, searched.indexOf(words[0] ?? '')) : null;
}

function folded(text: string): string {
  return normalise(text, 'NFC').toLowerCase();
}

import { plainText } from '../../domain/mail/plain-text.ts';
import type { InboxSelection } from '../../domain/submissions/inbox.ts';
import type { Payload, StoredSubmission } from '../../domain/submissions/submission.ts';
import type { Micros } from '../../lib/clock.ts';
import { normalize } from '../../lib/normalize.ts';
import type { Semaphore } from '../../lib/semaphore.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { Services } from '../services.ts';
import { readFiles, readPayload } from './read-submission.ts';

type Deps = Pick<Services, 'store' | 'vault' | 'log'>;

/** CPU time of one request, and of one turn, after which all searches yield to the event loop. */
const WORK_MS = 30;
const TURN_MS = 5;
/** Times read ahead, and submissions in memory at once: each can be a megabyte. */
const TIMES = 500;
const ROWS = 10;

/** What a search finds: submissions with all words of `q` that `accepts` takes, if there is one. */
export type Terms = Readonly<{ q: string; accepts?: (submission: StoredSubmission, payload: Payload) => boolean }>;

/** A submission with all words of a search, the text that has the first of them, and its position there. */
export type Match = Readonly<{ submission: StoredSubmission; text: string; at: number }>;

/** The matches of one request: at most `limit`, newest first. */
export type Search = Readonly<{
  found: readonly Match[];
  /** The number of submissions searched. */
  searched: number;
  /** The time to continue from; null at the end. */
  reached: Micros | null;
}>;

/**
 * Searches the submissions of a selection, created before `before`, for all words of the terms in their masked texts,
 * ignoring case. Stops after about 30 ms of work, and after at least ten submissions. `semaphore` runs one search at a
 * time.
 */
export async function searchSubmissions(
  deps: Deps,
  selection: InboxSelection,
  { q, accepts = () => true }: Terms,
  { before, limit }: Readonly<{ before: Micros; limit: number }>,
  semaphore: Semaphore,
): Promise<Search> {
  const words = toWords(q);
  const found: Match[] = [];
  const rows = newestFirst(deps, selection, before);
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
      const match = matchIn(deps, submission, words, accepts);
      searched++;
      reached = submission.createdAt;
      if (match) found.push(match);
      turn = performance.now() - began;
      isDone = found.length >= limit || (worked + turn > WORK_MS && searched >= ROWS);
    }
    worked += performance.now() - began;
    await yieldToEventLoop();
  };
  while (!isDone) await semaphore.run(runTurn);
  return { found, searched, reached };
}

async function* newestFirst({ store }: Deps, selection: InboxSelection, before: Micros) {
  for (let below = before; ; ) {
    const times = await store.inbox.listTimes(selection, { before: below, limit: TIMES });
    for (let first = 0; first < times.length; first += ROWS) {
      yield* await store.inbox.findSubmissionsAt(times.slice(first, first + ROWS));
    }
    below = times.at(-1) ?? below;
    if (times.length < TIMES) return;
  }
}

/** Returns the value or file name with the first of the words; null unless the submission is accepted and has all of them. */
function matchIn(
  { vault, log }: Deps,
  submission: StoredSubmission,
  words: readonly string[],
  accepts: Required<Terms>['accepts'],
): Match | null {
  const payload = readPayload(vault, log, submission) ?? [];
  if (!accepts(submission, payload)) return null;
  const values = payload.map(([, value]) => plainText(value));
  const texts = [...values, ...readFiles(vault, log, submission).map(({ name }) => name)];
  const searched = texts.map(folded);
  if (!words.every((word) => searched.some((text) => text.includes(word)))) return null;
  const [first = ''] = words;
  const index = searched.findIndex((text) => text.includes(first));
  return { submission, text: texts[index] ?? '', at: searched[index]?.indexOf(first) ?? 0 };
}

/** Returns the words of a search term. */
export const toWords = (q: string): readonly string[] => folded(q).split(/\s+/).filter(Boolean);

/** Returns a text as searches compare it. */
export const folded = (text: string): string => normalize(text, 'NFC').toLowerCase();

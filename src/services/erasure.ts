import { addressFinder, type HasAddress, holdsAddress } from '../domain/person.ts';
import type { StoredSubmission } from '../domain/submission.ts';
import { type Clock, formatTime, type Micros } from '../lib/clock.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { filesAad, payloadAad, UnreadableRecordError } from '../vault/vault.ts';
import { type ExportDeps, ofEachPage, type Pieces, type Progress } from './export.ts';
import { serializeSubmission } from './serialize-submission.ts';

/** What people are looked for and erased with; searches share `desk` with each other. */
export type ErasureDeps = ExportDeps & Readonly<{ clock: Clock }>;

/** A person of a team's submissions: `address` as `parsePersonAddress` gives it. */
export type Person = Readonly<{ teamId: string; address: string }>;

/**
 * How far a search has come. `times` are when the submissions that were found were created; `unreadable` ones were damaged,
 * and nobody can tell whether the address stands in them; `atMost` is how many there are to look at, or more.
 */
export type PersonSearch = {
  beganAt: Micros;
  looked: number;
  atMost: number;
  times: Micros[];
  unreadable: number;
};

/** How far an erasure has come, and what it has done. `filesLeft` could not be removed yet, which the sweep does. */
export type ErasureCounts = {
  looked: number;
  submissions: number;
  files: number;
  filesLeft: number;
  mails: number;
  mailsUnderWay: number;
};

/** What is kept of an erasure by who asked for it. The address is in it as a keyed hash alone. */
export type Receipt = ReturnType<typeof receiptOf>;

/** A search that has not begun. */
export function newSearch(clock: Clock): PersonSearch {
  return { beganAt: clock(), looked: 0, atMost: 0, times: [], unreadable: 0 };
}

/** An erasure that has not begun. */
export function newCounts(): ErasureCounts {
  return { looked: 0, submissions: 0, files: 0, filesLeft: 0, mails: 0, mailsUnderWay: 0 };
}

/**
 * Looks through all submissions of the team, spam included, for those in which the address stands: in what was filled in and
 * in the names of files, not in their contents. Others get a turn all the time. `search` tells how far it has come.
 */
export async function searchPerson(
  deps: ErasureDeps,
  { teamId, address }: Person,
  search: PersonSearch,
): Promise<void> {
  const hasAddress = addressFinder(address);
  const forms = await deps.store.listForms(teamId);
  const spans = [];
  for (const { id: formId } of forms) {
    const span = { formId, state: 'all' as const, from: 0, until: Number.MAX_SAFE_INTEGER };
    const { until, atMost } = await deps.store.measureExport(span);
    spans.push({ ...span, until });
    search.atMost += atMost;
  }
  const look = async (page: readonly StoredSubmission[]) => {
    const answers = await mapYielding(page, (one) => standsIn(deps, one, hasAddress));
    for (const [index, { createdAt }] of page.entries()) {
      if (answers[index] === true) search.times.push(createdAt);
      if (answers[index] === null) search.unreadable += 1;
    }
    search.looked += page.length;
  };
  for (const span of spans) for await (const _ of ofEachPage(deps, span, look));
}

/** Looked for in what was sent, not in what is shown of it; null for what is damaged. */
function standsIn({ vault }: ErasureDeps, one: StoredSubmission, hasAddress: HasAddress): boolean | null {
  const { id, formId, payload, files } = one;
  try {
    if (holdsAddress(vault.openPayload(payload, payloadAad(id, formId)), hasAddress)) return true;
    const sent = files === null ? [] : vault.openFiles(files, filesAad(id, formId));
    return sent.some(({ field, name }) => hasAddress(field) || hasAddress(name));
  } catch (error) {
    if (error instanceof UnreadableRecordError) return null;
    throw error;
  }
}

/** So many are in memory at once: each can be a megabyte. */
const ROWS = 10;

/** Those of a search that are still there. */
export async function* foundSubmissions({ store }: ErasureDeps, { times }: PersonSearch) {
  for (let first = 0; first < times.length; first += ROWS) {
    yield await store.findSubmissionsAt(times.slice(first, first + ROWS));
    await yieldToEventLoop();
  }
}

/** What was found, one JSON object a line, as the management API shows a submission. */
export async function* personLines(deps: ErasureDeps, search: PersonSearch, progress: Progress): Pieces {
  progress.step = 'writing';
  for await (const page of foundSubmissions(deps, search)) {
    yield page.map((one) => `${JSON.stringify(serializeSubmission(deps, one))}\n`).join('');
    progress.submissions += page.length;
  }
  progress.step = 'done';
}

const REST_MS = 5;
const CLEAR_TRIES = 20;
const CLEAR_AGAIN_MS = 100;

/**
 * Deletes for good what a search has found, with files and mails, some at a time; `counts` tells how far it has come. What
 * was deleted meanwhile does not count. The job that runs every hour clears the log again, also where it was in use here.
 */
export async function erasePerson(
  deps: ErasureDeps,
  { teamId, address }: Person,
  search: PersonSearch,
  counts: ErasureCounts,
): Promise<Receipt> {
  const { store, blobs } = deps;
  while (counts.looked < search.times.length) {
    const some = await store.deleteSubmissionsAt(search.times.slice(counts.looked, counts.looked + 200), teamId);
    counts.looked += some.looked;
    counts.submissions += some.submissions;
    counts.mails += some.mails;
    counts.mailsUnderWay += some.mailsUnderWay;
    const isGone = await blobs.remove(some.blobs).then(
      () => true,
      () => false,
    );
    counts.files += some.blobs.length;
    if (!isGone) counts.filesLeft += some.blobs.length;
    await Bun.sleep(REST_MS);
  }
  const clear = async () => (await store.rewrite(Number.POSITIVE_INFINITY)) && (await store.clearLog());
  let isCleared = await clear();
  for (let tries = 1; !isCleared && tries < CLEAR_TRIES; tries++) {
    await Bun.sleep(CLEAR_AGAIN_MS);
    isCleared = await clear();
  }
  return receiptOf(deps, { teamId, address }, search, counts, isCleared);
}

function receiptOf(
  { vault, clock }: ErasureDeps,
  { teamId, address }: Person,
  search: PersonSearch,
  counts: ErasureCounts,
  isCleared: boolean,
) {
  return {
    team_id: teamId,
    address_hash: vault.fingerprint('erasure', address),
    searched_at: formatTime(search.beganAt),
    searched: search.looked,
    unreadable: search.unreadable,
    found: search.times.length,
    erased_at: formatTime(clock()),
    submissions: counts.submissions,
    files: counts.files,
    files_left: counts.filesLeft,
    mails: counts.mails,
    mails_under_way: counts.mailsUnderWay,
    log_cleared: isCleared,
  };
}

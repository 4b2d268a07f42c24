import type { StoredMessage } from '../../domain/submissions/message.ts';
import { type AddressMatcher, addressMatcher, containsAddress } from '../../domain/submissions/person.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import { type Clock, formatTime, type Micros } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { openInboxView } from '../../vault/open-inbox-view.ts';
import { openMessage } from '../../vault/open-message.ts';
import { openFiles, openOr, openPayload, openSource } from '../../vault/open-submission.ts';
import { openSettings } from '../../vault/open-webhook.ts';
import { type Chunks, type ExportDeps, mapPages, type Progress } from '../exports/export.ts';
import { dueTime } from '../instance/purges.ts';
import { forgetLessons } from '../spam/spam-learning.ts';
import { readConsent } from '../submissions/read-submission.ts';
import { serializeSubmission } from '../submissions/serialize-submission.ts';

/** Dependencies of searches and erasures; all searches share `semaphore`. */
export type ErasureDeps = ExportDeps & Readonly<{ clock: Clock }>;

/** A person in a team's submissions; `address` is a result of `parsePersonAddress`. */
export type Person = Readonly<{ teamId: string; address: string }>;

/**
 * Progress and result of a search. `times` are the creation times of the matches, `formIds` their forms, `consents` the texts by version that they agreed to, `unreadable` counts
 * damaged submissions that could not be searched, and `atMost` is an upper bound of the submissions to search.
 */
export type PersonSearch = ReturnType<typeof newSearch>;

/** Progress and result of an erasure. `filesLeft` counts files whose deletion failed; the sweep deletes them later. */
export type ErasureCounts = ReturnType<typeof newCounts>;

/** An erasure. `purge` is the request of the purge that removes its last traces; 0 without one. */
export type Erased = Readonly<{
  facts: ReturnType<typeof getFacts> & Readonly<{ receivers: readonly string[] }>;
  purge: number;
}>;

/**
 * A record of an erasure to keep; it has the address as a keyed hash only. It is complete once no copy of the deleted
 * data is left in the database and its log; `expected_at` is the earliest time of that, null if complete. `lasting` names
 * copies that only the database server can remove.
 */
export type Receipt = Erased['facts'] &
  Readonly<{ status: 'complete' | 'pending rewrite'; expected_at: string | null; lasting?: string }>;

/** Returns the initial state of a search. */
export function newSearch(clock: Clock) {
  const found = {
    times: [] as Micros[],
    formIds: new Set<string>(),
    unreadable: 0,
    consents: new Map<string, string | null>(),
  };
  return { startedAt: clock(), scanned: 0, atMost: 0, ...found };
}

/** Returns the initial counts of an erasure. */
export function newCounts() {
  return {
    ...{ scanned: 0, submissions: 0, files: 0, filesLeft: 0 },
    ...{ mails: 0, mailsInFlight: 0, deliveries: 0, deliveriesInFlight: 0, savedViews: 0 },
  };
}

/**
 * Searches all submissions of the team, spam and trash included, for the address: in payloads, source
 * pages, notes, replies and file names, not in file contents. Yields to the event loop regularly and updates `search` with its progress.
 */
export async function searchPerson(deps: ErasureDeps, { teamId, address }: Person, search: PersonSearch) {
  const hasAddress = addressMatcher(address);
  const forms = await deps.store.forms.list(teamId, 'all');
  const spans = [];
  for (const { id: formId } of forms) {
    for (const state of ['all', 'unconfirmed', 'trashed'] as const) {
      const span = { formId, state, from: 0, until: Number.MAX_SAFE_INTEGER };
      const { until, atMost } = await deps.store.exports.estimate(span);
      spans.push({ ...span, until });
      search.atMost += atMost;
    }
  }
  const searchPage = async (page: readonly StoredSubmission[]) => {
    const stored = await deps.store.messages.list(page.map(({ id }) => id));
    const messages = Map.groupBy(stored, ({ submissionId }) => submissionId);
    const matches = await mapYielding(page, (submission) =>
      openOr(() => matchesAddress(deps, submission, messages.get(submission.id) ?? [], hasAddress), null),
    );
    for (const [index, submission] of page.entries()) {
      if (matches[index] === true) {
        search.times.push(submission.createdAt);
        search.formIds.add(submission.formId);
        const consent = readConsent(deps.vault, deps.log, submission);
        if (consent) search.consents.set(consent.version, consent.text);
      }
      if (matches[index] === null) search.unreadable += 1;
    }
    search.scanned += page.length;
  };
  for (const span of spans) for await (const _ of mapPages(deps, span, searchPage));
}

/** Searches the unmasked data. Throws `UnreadableRecordError` for a damaged record. */
function matchesAddress(
  { vault }: ErasureDeps,
  submission: StoredSubmission,
  messages: readonly StoredMessage[],
  hasAddress: AddressMatcher,
): boolean {
  if (containsAddress(openPayload(vault, submission), hasAddress)) return true;
  if (hasAddress(openSource(vault, submission)?.page ?? '')) return true;
  const texts = messages.map((message) => openMessage(vault, message));
  if (texts.some(({ text, subject }) => hasAddress(text) || hasAddress(subject ?? ''))) return true;
  return openFiles(vault, submission).some(({ field, name }) => hasAddress(field) || hasAddress(name));
}

/** Yields the submissions that a search found and that still exist, one by one: each can be 1 MB. */
export async function* foundSubmissions({ store }: Pick<ErasureDeps, 'store'>, { times }: Pick<PersonSearch, 'times'>) {
  for (const time of times) {
    yield await store.inbox.findSubmissionsAt([time]);
    await yieldToEventLoop();
  }
}

/** Yields the submissions of a search as JSON Lines, in the format of the management API. */
export async function* personLines(deps: ErasureDeps, search: PersonSearch, progress: Progress): Chunks {
  progress.step = 'writing';
  for await (const page of foundSubmissions(deps, search)) {
    yield page.map((submission) => `${JSON.stringify(serializeSubmission(deps, submission))}\n`).join('');
    progress.submissions += page.length;
  }
  progress.step = 'done';
}

const BATCH_SIZE = 200;
const COUNTED = ['scanned', 'submissions', 'mails', 'mailsInFlight', 'deliveries', 'deliveriesInFlight'] as const;
/** Pause after each batch, so that other writers get the database. */
const BATCH_PAUSE_MS = 5;

/**
 * Permanently deletes the submissions of a search in batches, with files and mails, and updates `counts`. Submissions
 * that were deleted meanwhile don't count. A purge completes the erasure.
 */
export async function erasePerson(
  deps: ErasureDeps,
  { teamId, address }: Person,
  search: PersonSearch,
  counts: ErasureCounts,
): Promise<Erased> {
  const { store, blobs } = deps;
  while (counts.scanned < search.times.length) {
    const times = search.times.slice(counts.scanned, counts.scanned + BATCH_SIZE);
    const batch = await store.retention.deleteSubmissionsAt(times, teamId);
    for (const name of COUNTED) counts[name] += batch[name];
    const areRemoved = await blobs.remove(batch.blobs).then(
      () => true,
      () => false,
    );
    counts.files += batch.blobs.length;
    if (!areRemoved) counts.filesLeft += batch.blobs.length;
    await Bun.sleep(BATCH_PAUSE_MS);
  }
  const hasForgotten = await forgetLessons(deps, teamId);
  if (counts.submissions > 0) await store.spam.recheckModel(teamId);
  // The learning job may have forgotten the lessons first.
  if (hasForgotten || counts.submissions > 0) await store.upkeep.requestPurge();
  counts.savedViews = await eraseViews(deps, { teamId, address });
  const purge = counts.submissions > 0 ? (await store.upkeep.readPurges()).requested : 0;
  const receivers = await getReceivers(deps, search.formIds);
  return { facts: { ...getFacts(deps, { teamId, address }, search, counts), receivers }, purge };
}

/** Returns the forms' webhook hosts and recipient domains: copies may be there. */
async function getReceivers({ store, vault }: ErasureDeps, formIds: Iterable<string>): Promise<string[]> {
  const hosts = new Set<string>();
  for (const id of formIds) {
    const form = await store.forms.findStored(id);
    for (const address of form?.notify ?? []) hosts.add(address.replace(/^.*@/, '').toLowerCase());
    for (const webhook of await store.webhooks.list(id)) {
      const host = openOr(() => new URL(openSettings(vault, webhook).url).host, null);
      if (host !== null) hosts.add(host);
    }
  }
  return [...hosts].sort();
}

/** Deletes the saved views of the team that name the address. Returns the count. */
async function eraseViews({ store, vault }: ErasureDeps, { teamId, address }: Person): Promise<number> {
  const hasAddress = addressMatcher(address);
  let count = 0;
  for (const { id, userId, view } of await store.inboxPreferences.listViews(null, teamId)) {
    const opened = openInboxView(vault, id, view);
    const texts = opened ? [opened.name, ...new URLSearchParams(opened.query).values()] : [];
    if (texts.some(hasAddress) && (await store.inboxPreferences.deleteView(id, userId, teamId))) count += 1;
  }
  return count;
}

/** Returns the current receipt of an erasure. */
export async function getReceipt(
  { store, clock }: Pick<ErasureDeps, 'store' | 'clock'>,
  { facts, purge }: Erased,
): Promise<Receipt> {
  const progress = await store.upkeep.readPurges();
  const { purged, lasting } = progress;
  const receipt = { ...facts, ...(lasting && { lasting }) };
  if (purged >= purge) return { ...receipt, status: 'complete', expected_at: null };
  return { ...receipt, status: 'pending rewrite', expected_at: formatTime(dueTime(progress, clock())) };
}

function getFacts(deps: ErasureDeps, { teamId, address }: Person, search: PersonSearch, counts: ErasureCounts) {
  const { vault, clock } = deps;
  return {
    team_id: teamId,
    address_hash: vault.fingerprint('erasure', address),
    searched_at: formatTime(search.startedAt),
    searched: search.scanned,
    unreadable: search.unreadable,
    found: search.times.length,
    erased_at: formatTime(clock()),
    submissions: counts.submissions,
    files: counts.files,
    files_left: counts.filesLeft,
    mails: counts.mails,
    mails_under_way: counts.mailsInFlight,
    deliveries: counts.deliveries,
    deliveries_under_way: counts.deliveriesInFlight,
    saved_views: counts.savedViews,
    /** The consent texts that the person had agreed to. */
    consents: [...search.consents].map(([version, text]) => ({ version, text })),
  };
}

import { DAY, type Micros } from '../../lib/clock.ts';
import * as decision from '../accept-decision.ts';
import { CLOCK, counterKey, LASTING, PLACES_OF_FORM } from '../counters.ts';
import type { NewSubmission } from '../records.ts';
import { KEY_LIFETIME } from '../stores/idempotency.ts';
import type { RoundTrip, Statement } from './pipeline.ts';

/** The time of the database, or that of `$1`, which tests set. Hosts with different clocks share it. */
const NOW = 'coalesce($1::bigint, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)';

const BEGIN: Statement = { name: 'begin', text: 'BEGIN ISOLATION LEVEL READ COMMITTED' };

// The time is read after the lock was granted. Later statements see all that its last owner committed.
const LOCK_CLOCK = `SELECT ${NOW} AS now FROM (SELECT 1 FROM leases WHERE name = '${CLOCK}' FOR UPDATE) AS locked`;

const READ_COUNTERS = `SELECT owner, until, amount FROM counters WHERE owner = '${CLOCK}' AND until = ${LASTING}
  UNION ALL
  SELECT owner, until, amount FROM counters WHERE until > ${NOW} - ${DAY} AND owner IN (
    SELECT w.team_id FROM forms f JOIN workspaces w ON w.id = f.workspace_id WHERE f.id = ANY($2::text[]))`;

const READ_KEY = "SELECT id FROM vault_keys WHERE state = 'current'";

const READ_FORMS = `SELECT f.key, f.id, f.is_active AS "isActive", f.digested_until AS "digestedUntil",
    f.held_back_until AS "heldBackUntil", f.opens_at AS "opensAt", f.closes_at AS "closesAt",
    f.max_submissions AS "maxSubmissions", ${PLACES_OF_FORM} AS places,
    f.auto_reply_daily_limit AS "autoReplyDailyLimit", t.id AS "teamId", t.plan
  FROM forms f JOIN workspaces w ON w.id = f.workspace_id JOIN teams t ON t.id = w.team_id
  WHERE f.id = ANY($1::text[]) AND f.trashed_at IS NULL`;

const READ_KEYS = `SELECT form_id AS "formId", key, content FROM idempotency_keys
  JOIN unnest($2::text[], $3::text[]) AS wanted(f, k) ON form_id = f AND key = k
  WHERE created_at > ${NOW} - ${KEY_LIFETIME}`;

const READ_ADDRESSES = `SELECT f AS "formId", a AS address FROM unnest($1::text[], $2::text[]) AS wanted(f, a)
  JOIN forms ON forms.id = f JOIN submissions s ON s.form_key = forms.key AND s.address = a AND s.trashed_at IS NULL`;

const READ_SPENT = 'SELECT id FROM spent_challenges WHERE id = ANY($1::text[])';

const READ_REPLIES = `SELECT form_id AS "formId", addressee FROM outbox
  WHERE form_id = ANY($2::text[]) AND kind = 'auto_reply' AND created_at > ${NOW} - ${DAY}`;

const READ_CONFIRMATIONS = `SELECT a AS addressee, until FROM unnest($2::text[], $3::text[]) AS wanted(o, a)
  JOIN counters ON owner = o AND until > ${NOW}`;

type ClockRow = Readonly<{ now: Micros }>;
type CounterRow = Readonly<{ owner: string; until: Micros; amount: number }>;
type KeyIdRow = Readonly<{ id: number }>;
type KeyRow = Readonly<{ formId: string; key: string; content: string }>;
type AddressRow = Readonly<{ formId: string; address: string }>;
type ReplyRow = decision.RecentReply & Readonly<{ formId: string }>;

/** A read of the state: a statement, and the function that adds its rows to the state. */
type Read = Readonly<{ statement: Statement; add: (state: MutableState, rows: readonly never[]) => void }>;

const newState = () => ({
  currentKey: undefined as number | undefined,
  now: 0,
  lastCreatedAt: 0,
  forms: new Map<string, decision.FormState>(),
  counters: new Map<string, number>(),
  replays: new Map<string, string>(),
  addresses: new Set<string>(),
  spent: new Set<string>(),
  replies: new Map<string, ReplyRow[]>(),
  confirmations: new Map<string, Micros[]>(),
});

type MutableState = ReturnType<typeof newState>;

/** The state for a decision, and the master key that its submissions must be sealed with. */
export type LockedState = decision.AcceptState & Readonly<{ currentKey: number | undefined }>;

/**
 * Begins a transaction, locks the clock row and reads the state for a batch, all in one round trip. `now` replaces the
 * time of the database unless it is null.
 */
export async function lockAcceptState(
  run: RoundTrip,
  batch: readonly NewSubmission[],
  notifications: decision.NotificationCounts,
  now: Micros | null,
): Promise<LockedState> {
  const reads = readsFor(batch, now);
  const answers = await run([BEGIN, ...reads.map(({ statement }) => statement)]);
  const state = newState();
  for (const [index, { add }] of reads.entries()) add(state, answers[index + 1] as readonly never[]);
  return { ...state, notifications };
}

/** Returns the reads that a batch needs. The first one takes the lock. */
function readsFor(batch: readonly NewSubmission[], now: Micros | null): Read[] {
  const formIds = [...new Set(batch.map(({ formId }) => formId))];
  const keyed = batch.filter(({ idempotency }) => idempotency !== null);
  const challenges = batch.flatMap(({ challenge }) => challenge?.id ?? []);
  const replying = batch.filter(({ mails }) => mails.some(({ kind }) => kind === 'auto_reply'));
  const reads: Read[] = [
    { statement: { name: 'lock_clock', text: LOCK_CLOCK, values: [now] }, add: addClock },
    { statement: { name: 'read_key', text: READ_KEY }, add: addKeyId },
    { statement: { name: 'read_forms', text: READ_FORMS, values: [formIds] }, add: addForms },
    { statement: { name: 'read_counters', text: READ_COUNTERS, values: [now, formIds] }, add: addCounters },
  ];
  if (keyed.length > 0) {
    const values = [now, keyed.map(({ formId }) => formId), keyed.map(({ idempotency }) => idempotency?.key)];
    reads.push({ statement: { name: 'read_keys', text: READ_KEYS, values }, add: addKeys });
  }
  const once = batch.filter(({ address }) => address);
  if (once.length > 0) {
    const values = [once.map(({ formId }) => formId), once.map(({ address }) => address)];
    reads.push({ statement: { name: 'read_addresses', text: READ_ADDRESSES, values }, add: addAddresses });
  }
  if (challenges.length > 0) {
    reads.push({ statement: { name: 'read_spent', text: READ_SPENT, values: [challenges] }, add: addSpent });
  }
  if (replying.length > 0) {
    const values = [now, [...new Set(replying.map(({ formId }) => formId))]];
    reads.push({ statement: { name: 'read_replies', text: READ_REPLIES, values }, add: addReplies });
  }
  const asked = batch.flatMap(({ mails }) => mails.filter(({ kind }) => kind === 'confirmation'));
  if (asked.length > 0) {
    const addressees = [...new Set(asked.map(({ addressee }) => addressee ?? ''))];
    const values = [now, addressees.map(decision.confirmationsTo), addressees];
    reads.push({ statement: { name: 'read_confirmations', text: READ_CONFIRMATIONS, values }, add: addConfirmations });
  }
  return reads;
}

function addClock(state: MutableState, [clock]: readonly ClockRow[]): void {
  if (!clock) throw new Error('the table leases lacks the row clock: restore the database');
  state.now = clock.now;
}

function addKeyId(state: MutableState, [current]: readonly KeyIdRow[]): void {
  state.currentKey = current?.id;
}

function addForms(state: MutableState, rows: readonly decision.FormState[]): void {
  for (const form of rows) state.forms.set(form.id, form);
}

function addCounters(state: MutableState, rows: readonly CounterRow[]): void {
  for (const { owner, until, amount } of rows) {
    if (owner === CLOCK) state.lastCreatedAt = amount;
    else state.counters.set(counterKey(owner, until), amount);
  }
}

function addKeys(state: MutableState, rows: readonly KeyRow[]): void {
  for (const { formId, key, content } of rows) state.replays.set(decision.keyInForm(formId, key), content);
}

function addAddresses(state: MutableState, rows: readonly AddressRow[]): void {
  for (const { formId, address } of rows) state.addresses.add(decision.keyInForm(formId, address));
}

function addSpent(state: MutableState, rows: ReadonlyArray<Readonly<{ id: string }>>): void {
  for (const { id } of rows) state.spent.add(id);
}

function addReplies(state: MutableState, rows: readonly ReplyRow[]): void {
  for (const row of rows) state.replies.getOrInsertComputed(row.formId, () => []).push(row);
}

function addConfirmations(state: MutableState, rows: ReadonlyArray<Readonly<{ addressee: string; until: Micros }>>) {
  for (const { addressee, until } of rows) state.confirmations.getOrInsertComputed(addressee, () => []).push(until);
}

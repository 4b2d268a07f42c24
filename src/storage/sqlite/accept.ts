import type { Clock, Micros } from '../../lib/clock.ts';
import * as decision from '../accept-decision.ts';
import type { AcceptResult, NewSubmission } from '../records.ts';
import { type MailDomain, PENDING_SQL } from '../stores/outbox.ts';
import { SUBMISSION_COLUMNS, submissionRow } from '../submission-row.ts';
import { acceptStateReader } from './accept-state.ts';
import { capEventWriter, capWarningWriter, counterWriter, deliveryWriter } from './accept-statements.ts';
import type { Drizzle } from './database.ts';
import { transaction } from './units.ts';

/**
 * Prepares the function that stores a batch of submissions in one transaction. Each counts toward the month of its
 * `createdAt`, and the limits of its plan are checked in the same transaction.
 */
export function acceptTransaction(db: Drizzle, clock: Clock, limits: decision.PlanLimits, mailDomain: MailDomain) {
  const readState = acceptStateReader(db, clock);
  const write = acceptWriter(db, mailDomain);
  // In memory, so that a restart allows further single notifications, but loses none.
  let sent: decision.NotificationCounts = { hour: 0, counts: new Map() };
  return (batch: readonly NewSubmission[]): readonly AcceptResult[] => {
    const { results, notifications } = transaction(db, () => {
      const state = readState(batch, sent);
      const decided = decision.decide(state, batch, limits);
      write(decided.writes, state.now);
      return decided;
    });
    sent = decision.mergeNotifications(sent, notifications);
    return results;
  };
}

function acceptWriter(db: Drizzle, mailDomain: MailDomain) {
  const writeSubmissions = submissionWriter(db);
  const writeProgress = progressWriter(db);
  const insertMail = db.$client.query(
    `INSERT INTO outbox (id, kind, form_id, submission_id, recipient, addressee, message_id, state, failures, due_at, fence, created_at, language)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'queued', 0, ?8, 0, ?8, ?9)`,
  );
  const addToCounter = counterWriter(db);
  const writeCapWarning = capWarningWriter(db, mailDomain);
  const writeCapEvents = capEventWriter(db);

  return (writes: decision.AcceptWrites, now: Micros): void => {
    writeSubmissions(writes, now);
    for (const progress of writes.progress) writeProgress(progress);
    for (const { mail, formId, submissionId } of writes.mails) {
      const { id, kind, recipient, addressee, messageId, language = null } = mail;
      insertMail.run(id, kind, formId, submissionId, recipient, addressee, messageId, now, language);
    }
    for (const addition of writes.counters) addToCounter(addition);
    for (const { teamId, period, percent } of writes.capWarnings) writeCapWarning(teamId, period, percent, now);
    for (const teamId of writes.capsReached) writeCapEvents(teamId, now);
  };
}

/** Returns a function that writes submissions with their blobs, idempotency keys, spent challenges and deliveries. */
function submissionWriter(db: Drizzle) {
  const { $client } = db;
  const insert = $client.query<never, [...ReturnType<typeof submissionRow>]>(
    `INSERT INTO submissions (${SUBMISSION_COLUMNS.join(', ')}) VALUES (${SUBMISSION_COLUMNS.map(() => '?').join(', ')})`,
  );
  const insertFile = $client.query<never, [blob: string, submissionId: string]>(
    'INSERT INTO files (blob, submission_id) VALUES (?, ?)',
  );
  const spend = $client.query<never, [id: string, expiresAt: Micros]>(
    'INSERT INTO spent_challenges (id, expires_at) VALUES (?, ?)',
  );
  const writeKey = $client.query<never, [formId: string, key: string, content: string, now: Micros]>(
    `INSERT INTO idempotency_keys (form_id, key, content, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (form_id, key) DO UPDATE SET content = excluded.content, created_at = excluded.created_at`,
  );
  const writeDeliveries = deliveryWriter(db);

  return ({ submissions }: decision.AcceptWrites, now: Micros): void => {
    for (const accepted of submissions) {
      const { formId, blobs, idempotency, challenge, deliveries } = accepted.submission;
      insert.run(...submissionRow(accepted));
      for (const blob of blobs) insertFile.run(blob, accepted.id);
      if (challenge) spend.run(challenge.id, challenge.expiresAt);
      if (idempotency) writeKey.run(formId, idempotency.key, idempotency.content, now);
      if (deliveries.length > 0) writeDeliveries(deliveries, now, accepted.id);
    }
  };
}

/** Returns a function that writes the progress of a form's summaries, and moves the ends of unsent ones back. */
function progressWriter({ $client }: Drizzle) {
  const update = $client.query<never, [digestedUntil: Micros | null, heldBackUntil: Micros | null, formId: string]>(
    'UPDATE forms SET digested_until = ?, held_back_until = ? WHERE id = ?',
  );
  const rewind = $client.query<never, [rewoundTo: Micros, formId: string]>(
    `UPDATE outbox SET covers_until = min(covers_until, ?) WHERE ${PENDING_SQL} AND form_id = ?`,
  );
  return ({ formId, digestedUntil, heldBackUntil, rewoundTo }: decision.SummaryProgress): void => {
    update.run(digestedUntil, heldBackUntil, formId);
    if (rewoundTo !== null) rewind.run(rewoundTo, formId);
  };
}

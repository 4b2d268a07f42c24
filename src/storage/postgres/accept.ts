import type { Clock, Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import * as decision from '../accept-decision.ts';
import { ADD_ON_CONFLICT, inLockOrder } from '../counters.ts';
import type { AcceptResult, NewSubmission } from '../records.ts';
import type { MailDomain } from '../stores/outbox.ts';
import { SUBMISSION_COLUMNS, SUBMISSION_TYPES, submissionRow } from '../submission-row.ts';
import { lockAcceptState } from './accept-state.ts';
import type { Pipeline, Statement } from './pipeline.ts';

const COMMIT: Statement = { name: 'commit', text: 'COMMIT' };

/**
 * Prepares the function that stores a batch of submissions in one transaction of two round trips. The lock of the clock
 * row makes the limits exact and creation times increase in the order of commits, in all processes. `clock` replaces that
 * of the database unless it is null.
 */
export function acceptTransaction(
  pipeline: Pipeline,
  clock: Clock | null,
  limits: decision.PlanLimits,
  mailDomain: MailDomain,
): (batch: readonly NewSubmission[]) => Promise<readonly AcceptResult[]> {
  // In memory, so that a restart and each further process allow further single notifications, but lose none.
  let sent: decision.NotificationCounts = { hour: 0, counts: new Map() };
  return (batch) =>
    pipeline.transaction(async (run) => {
      const state = await lockAcceptState(run, batch, sent, clock?.() ?? null);
      const { fresh, withRefusals } = decision.splitStale(batch, state.currentKey);
      const { results, writes, notifications } = decision.decide(state, fresh, limits);
      await run([...statementsFor(writes, state.now, mailDomain), COMMIT]);
      sent = decision.mergeNotifications(sent, notifications);
      return withRefusals(results);
    });
}

/** Returns the statements that write a decision. Deletions lock the rows of counters in the same order. */
function statementsFor(writes: decision.AcceptWrites, now: Micros, mailDomain: MailDomain): Statement[] {
  if (writes.submissions.length === 0) return [];
  return [
    ...submissionStatements(writes, now),
    ...progressStatements(writes),
    ...mailStatements(writes, now),
    ...capStatements(writes, now, mailDomain),
  ];
}

/** Returns the statements for submissions with their files, challenges, idempotency keys and deliveries. */
function submissionStatements({ submissions }: decision.AcceptWrites, now: Micros): Statement[] {
  const files = submissions.flatMap(({ submission, id }) => submission.blobs.map((blob) => [blob, id]));
  const spent = submissions.flatMap(({ submission: { challenge } }) =>
    challenge ? [[challenge.id, challenge.expiresAt]] : [],
  );
  const keys = submissions.flatMap(({ submission: { formId, idempotency } }) =>
    idempotency ? [[formId, idempotency.key, idempotency.content]] : [],
  );
  const deliveries = submissions.flatMap(({ submission, id: submissionId }) =>
    submission.deliveries.map(({ id, webhookId, event }) => [id, webhookId, event, submissionId]),
  );
  return [
    ...statement('insert_submissions', INSERT_SUBMISSIONS, submissions.map(submissionRow)),
    ...statement('insert_files', INSERT_FILES, files),
    ...statement('spend', SPEND, spent),
    ...statement('write_keys', WRITE_KEYS, keys, now),
    ...statement('queue_deliveries', QUEUE_DELIVERIES, deliveries, now),
  ];
}

/** Returns the statements for the progress of summaries, which also move the ends of unsent ones back, and for counters. */
function progressStatements({ progress, counters }: decision.AcceptWrites): Statement[] {
  const moved = progress.map((one) => [one.formId, one.digestedUntil, one.heldBackUntil]);
  const rewound = progress.filter(({ rewoundTo }) => rewoundTo !== null);
  // In order, so that no two transactions deadlock.
  const added = inLockOrder(counters).map(({ until, owner, amount, spam }) => [until, owner, amount, spam]);
  return [
    ...statement('set_progress', SET_PROGRESS, moved),
    ...statement(
      'rewind',
      REWIND,
      rewound.map(({ formId, rewoundTo }) => [formId, rewoundTo]),
    ),
    ...statement('add_to_counters', ADD_TO_COUNTERS, added),
  ];
}

function mailStatements({ mails }: decision.AcceptWrites, now: Micros): Statement[] {
  const rows = mails.map(({ mail, formId, submissionId }) => [
    ...[mail.id, mail.kind, formId, submissionId],
    ...[mail.recipient, mail.addressee, mail.messageId, mail.language ?? null],
  ]);
  return statement('queue_mails', QUEUE_MAILS, rows, now);
}

/** Returns the statements that warn members about the limit of their plan, and that queue `form.cap_reached`. */
function capStatements({ capWarnings, capsReached }: decision.AcceptWrites, now: Micros, mailDomain: MailDomain) {
  const domain = mailDomain();
  const warnings = capWarnings.map(({ teamId, period, percent }) => [
    ...[newId('mail'), teamId, percent, period.start, period.end],
  ]);
  const events = capsReached.map((teamId) => [newId('dlv'), teamId]);
  return [
    ...(domain === null ? [] : statement('queue_warnings', QUEUE_CAP_WARNINGS, warnings, now, domain)),
    ...statement('queue_cap_events', QUEUE_CAP_EVENTS, events, now),
  ];
}

/** Returns a statement whose parameters after `first` are the columns of rows, for `unnest`; none without rows. */
function statement(
  name: string,
  text: string,
  rows: ReadonlyArray<readonly unknown[]>,
  ...first: unknown[]
): Statement[] {
  const columns = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
  return rows.length === 0 ? [] : [{ name, text, values: [...first, ...columns] }];
}

const INSERT_SUBMISSIONS = `INSERT INTO submissions (${SUBMISSION_COLUMNS.join(', ')})
  SELECT * FROM unnest(${SUBMISSION_TYPES.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})`;

const INSERT_FILES = 'INSERT INTO files (blob, submission_id) SELECT * FROM unnest($1::text[], $2::text[])';

const SPEND = 'INSERT INTO spent_challenges (id, expires_at) SELECT * FROM unnest($1::text[], $2::bigint[])';

const WRITE_KEYS = `INSERT INTO idempotency_keys (form_id, key, content, created_at)
  SELECT f, k, c, $1::bigint FROM unnest($2::text[], $3::text[], $4::text[]) AS keys(f, k, c)
  ON CONFLICT (form_id, key) DO UPDATE SET content = excluded.content, created_at = excluded.created_at`;

const QUEUE = `INSERT INTO outbox
  (id, kind, message_id, state, failures, due_at, fence, created_at`;

// Deliveries to webhooks that were deleted meanwhile are dropped.
const QUEUE_DELIVERIES = `${QUEUE}, webhook_id, event, submission_id)
  SELECT d.id, 'webhook', d.id, 'queued', 0, $1::bigint, 0, $1::bigint, d.webhook_id, d.event, d.submission_id
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS d(id, webhook_id, event, submission_id)
  JOIN webhooks w ON w.id = d.webhook_id AND w.deleted_at IS NULL`;

const QUEUE_MAILS = `${QUEUE}, form_id, submission_id, recipient, addressee, language)
  SELECT id, kind, message_id, 'queued', 0, $1::bigint, 0, $1::bigint, form_id, submission_id, recipient, addressee,
    language
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
    $9::text[]) AS m(id, kind, form_id, submission_id, recipient, addressee, message_id, language)`;

/** A new id for each row, from one id: its last digits are random, and become a number. */
const NUMBERED_ID = "left(c.id, -8) || lpad(to_hex(row_number() OVER ()), 8, '0')";

const QUEUE_CAP_WARNINGS = `${QUEUE}, team_id, percent, covers_from, covers_until, recipient)
  SELECT id, 'cap_warning', '<' || id || '@' || $2::text || '>', 'queued', 0, $1::bigint, 0, $1::bigint, team_id, percent,
    covers_from, covers_until, email
  FROM (
    SELECT ${NUMBERED_ID} AS id, c.team_id, c.percent, c.covers_from, c.covers_until, u.email
    FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[])
      AS c(id, team_id, percent, covers_from, covers_until)
    JOIN members m ON m.team_id = c.team_id JOIN users u ON u.id = m.user_id
  ) AS warnings`;

const QUEUE_CAP_EVENTS = `${QUEUE}, webhook_id, event)
  SELECT id, 'webhook', id, 'queued', 0, $1::bigint, 0, $1::bigint, webhook_id, 'form.cap_reached'
  FROM (
    SELECT ${NUMBERED_ID} AS id, h.id AS webhook_id
    FROM unnest($2::text[], $3::text[]) AS c(id, team_id)
    JOIN workspaces w ON w.team_id = c.team_id JOIN forms f ON f.workspace_id = w.id
    CROSS JOIN json_array_elements(f.webhook_routes) AS r
    JOIN webhooks h ON h.id = r ->> 'id' AND h.deleted_at IS NULL
    WHERE (r -> 'events')::jsonb ? 'form.cap_reached'
  ) AS events`;

const SET_PROGRESS = `UPDATE forms SET digested_until = p.digested, held_back_until = p.held_back
  FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS p(form_id, digested, held_back) WHERE forms.id = p.form_id`;

const REWIND = `UPDATE outbox SET covers_until = p.rewound
  FROM unnest($1::text[], $2::bigint[]) AS p(form_id, rewound)
  WHERE state IN ('queued', 'retrying') AND outbox.form_id = p.form_id AND covers_until > p.rewound`;

const ADD_TO_COUNTERS = `INSERT INTO counters (until, owner, amount, spam)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) ${ADD_ON_CONFLICT}`;

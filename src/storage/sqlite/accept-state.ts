import { getPeriod, type MonthlyUsage } from '../../domain/usage.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import {
  type AcceptState,
  type FormState,
  type LimitOf,
  type NotificationCounts,
  type RecentReply,
  replayKey,
} from '../accept-decision.ts';
import type { NewSubmission } from '../records.ts';
import { idempotencyReader, recentReplyReader, storageReader } from './accept-statements.ts';
import type { Drizzle } from './database.ts';

type FormRow = Omit<FormState, 'isActive'> & { isActive: number };

/**
 * Returns a function that reads the state for a batch, each form and team once. It must run in the transaction that
 * writes the decision.
 */
export function acceptStateReader(db: Drizzle, clock: Clock, storageLimitOf: LimitOf) {
  const { $client } = db;
  // Plain SQL on the hot path: the query builder took longer than SQLite.
  const readForm = $client.query<FormRow, [id: string]>(
    `SELECT f.id, f.is_active AS isActive, f.digested_until AS digestedUntil, f.held_back_until AS heldBackUntil,
       t.id AS teamId, t.plan
     FROM forms f JOIN workspaces w ON w.id = f.workspace_id JOIN teams t ON t.id = w.team_id
     WHERE f.id = ? AND f.trashed_at IS NULL`,
  );
  const readUsage = $client.query<MonthlyUsage, [teamId: string, from: Micros]>(
    'SELECT period_start AS periodStart, used FROM usage WHERE team_id = ? AND period_start >= ?',
  );
  const findSpent = $client.query<{ one: 1 }, [id: string]>('SELECT 1 AS one FROM spent_challenges WHERE id = ?');
  const readLast = $client.query<{ last: Micros }, []>('SELECT last_created_at AS last FROM submission_clock');
  const readContent = idempotencyReader(db);
  const readReplies = recentReplyReader(db);
  const readStored = storageReader(db);

  return (batch: readonly NewSubmission[], notifications: NotificationCounts): AcceptState => {
    const now = clock();
    const lastCreatedAt = readLast.get()?.last ?? 0;
    const forms = new Map<string, FormState>();
    const usage = new Map<string, MonthlyUsage[]>();
    const stored = new Map<string, number>();
    const replays = new Map<string, string>();
    const spent = new Set<string>();
    const replies = new Map<string, RecentReply[]>();
    const periodStart = getPeriod(Math.max(lastCreatedAt + 1, now)).start;
    for (const { formId, idempotency, challenge, mails } of batch) {
      if (!forms.has(formId)) {
        const form = readForm.get(formId);
        if (!form) continue;
        forms.set(formId, { ...form, isActive: form.isActive === 1 });
        const { teamId, plan } = form;
        if (!usage.has(teamId)) {
          usage.set(teamId, readUsage.all(teamId, periodStart));
          if (storageLimitOf(plan) !== null) stored.set(teamId, readStored(teamId));
        }
      }
      if (idempotency) {
        const content = readContent(formId, idempotency.key, now);
        if (content !== null) replays.set(replayKey(formId, idempotency.key), content);
      }
      if (challenge && findSpent.get(challenge.id)) spent.add(challenge.id);
      if (mails.length > 0 && !replies.has(formId) && mails.some(({ kind }) => kind === 'auto_reply')) {
        replies.set(formId, readReplies(formId, now - DAY));
      }
    }
    return { now, lastCreatedAt, forms, usage, stored, replays, spent, replies, notifications };
  };
}

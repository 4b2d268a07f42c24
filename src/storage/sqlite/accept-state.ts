import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import * as decision from '../accept-decision.ts';
import { counterKey, PLACES_OF_FORM } from '../counters.ts';
import type { NewSubmission } from '../records.ts';
import { KEY_LIFETIME } from '../stores/idempotency.ts';
import { clockReader } from './accept-statements.ts';
import type { Drizzle } from './database.ts';

type FormRow = Omit<decision.FormState, 'isActive'> & { isActive: number };

/**
 * Returns a function that reads the state for a batch, each form and team once. It must run in the transaction that
 * writes the decision.
 */
export function acceptStateReader(db: Drizzle, clock: Clock) {
  const { $client } = db;
  // Plain SQL on the hot path: the query builder took longer than SQLite.
  const readForm = $client.query<FormRow, [id: string]>(
    `SELECT f.key, f.id, f.is_active AS isActive, f.digested_until AS digestedUntil, f.held_back_until AS heldBackUntil,
       f.opens_at AS opensAt, f.closes_at AS closesAt, f.max_submissions AS maxSubmissions, ${PLACES_OF_FORM} AS places,
       f.auto_reply_daily_limit AS autoReplyDailyLimit,
       t.id AS teamId, t.plan
     FROM forms f JOIN workspaces w ON w.id = f.workspace_id JOIN teams t ON t.id = w.team_id
     WHERE f.id = +? AND f.trashed_at IS NULL`,
  );
  const findSpent = $client.query<{ one: 1 }, [id: string]>('SELECT 1 AS one FROM spent_challenges WHERE id = ?');
  const findAddress = $client.query<{ one: 1 }, [formKey: number, address: string]>(
    'SELECT 1 AS one FROM submissions WHERE form_key = ? AND address = ? AND trashed_at IS NULL',
  );
  const readContent = $client.query<{ content: string }, [formId: string, key: string, since: Micros]>(
    'SELECT content FROM idempotency_keys WHERE form_id = ? AND key = ? AND created_at > ?',
  );
  const readReplies = $client.query<decision.RecentReply, [formId: string, since: Micros]>(
    `SELECT addressee FROM outbox
     WHERE form_id = ? AND kind = 'auto_reply' AND created_at > ?`,
  );
  const readCounters = $client.query<{ until: Micros; amount: number }, [owner: string, now: Micros]>(
    'SELECT until, amount FROM counters WHERE owner = ? AND until > ?',
  );
  const readLast = clockReader(db);

  return (batch: readonly NewSubmission[], notifications: decision.NotificationCounts): decision.AcceptState => {
    const now = clock();
    const lastCreatedAt = readLast();
    const forms = new Map<string, decision.FormState>();
    const teams = new Set<string>();
    const counters = new Map<string, number>();
    const replays = new Map<string, string>();
    const spent = new Set<string>();
    const addresses = new Set<string>();
    const replies = new Map<string, decision.RecentReply[]>();
    const confirmations = new Map<string, Micros[]>();
    for (const { formId, address, idempotency, challenge, mails } of batch) {
      if (!forms.has(formId)) {
        const form = readForm.get(formId);
        if (!form) continue;
        forms.set(formId, { ...form, isActive: form.isActive === 1 });
        const { teamId } = form;
        if (!teams.has(teamId)) {
          teams.add(teamId);
          for (const { until, amount } of readCounters.all(teamId, now))
            counters.set(counterKey(teamId, until), amount);
        }
      }
      if (idempotency) {
        const earlier = readContent.get(formId, idempotency.key, now - KEY_LIFETIME);
        if (earlier) replays.set(decision.keyInForm(formId, idempotency.key), earlier.content);
      }
      const formKey = forms.get(formId)?.key;
      if (address && formKey !== undefined && findAddress.get(formKey, address)) {
        addresses.add(decision.keyInForm(formId, address));
      }
      if (challenge && findSpent.get(challenge.id)) spent.add(challenge.id);
      for (const { kind, addressee } of mails) {
        if (kind !== 'confirmation' || addressee === null || confirmations.has(addressee)) continue;
        const ends = readCounters.all(decision.confirmationsTo(addressee), now).map(({ until }) => until);
        confirmations.set(addressee, ends);
      }
      if (mails.length > 0 && !replies.has(formId) && mails.some(({ kind }) => kind === 'auto_reply')) {
        replies.set(formId, readReplies.all(formId, now - DAY));
      }
    }
    return { now, lastCreatedAt, forms, counters, replays, addresses, spent, replies, confirmations, notifications };
  };
}

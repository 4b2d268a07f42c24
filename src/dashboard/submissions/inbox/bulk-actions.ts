import type { Context } from '../../../context/context.ts';
import type { AuditAction, AuditDetails } from '../../../domain/audit.ts';
import { yieldToEventLoop } from '../../../lib/yield-to-event-loop.ts';
import type { Note } from '../../../services/audit/audit.ts';
import { markSubmission } from '../../../services/submissions/mark-submission.ts';

/** Actions on submissions of a list. */
export type ActionName =
  | 'read'
  | 'unread'
  | 'star'
  | 'unstar'
  | 'assign'
  | 'spam'
  | 'genuine'
  | 'trash'
  | 'restore'
  /** Deletes submissions in the trash for good. */
  | 'deleted';

type Act = (ids: readonly string[], teamId: string) => Promise<readonly string[]>;

/** An action. `act` changes submissions of a team and returns the ids of the changed ones. */
export type BulkAction = Readonly<{
  act: Act;
  /** The action that undoes it; null if it is final. */
  inverse: ActionName | null;
  audit: AuditAction | null;
  details: AuditDetails;
  /** Submissions that one request changes at most. */
  limit: number;
}>;

const MAX_CHANGED = 10_000;
/** Marking as genuine queues mails, with a commit for each submission. */
const MAX_MARKED = 1_000;
/** Submissions that a commit changes. */
const BATCH = 100;
/** Submissions that the audit entry names; it counts all of them. */
const MAX_RECORDED = 100;

/** Returns the actions by name. `assignee` is the member to assign to; null for nobody. */
export function bulkActions(
  context: Context,
  assignee: string | null = null,
): Readonly<Record<ActionName, BulkAction>> {
  const { store, blobs, clock } = context;
  const action = (act: Act, inverse: ActionName | null, audit: AuditAction | null = null): BulkAction => {
    return { act, inverse, audit, details: {}, limit: MAX_CHANGED };
  };

  const markGenuine: Act = async (ids, teamId) => {
    const marked: string[] = [];
    for (const id of ids) {
      const submission = await store.submissions.find(id, teamId);
      if (submission?.isSpam || submission?.isMaybeSpam) {
        await markSubmission(context, id, false, teamId);
        marked.push(id);
      }
      await yieldToEventLoop();
    }
    return marked;
  };

  const remove: Act = async (ids, teamId) => {
    const trashed = await getTrashed(context, ids, teamId);
    for (let first = 0; first < trashed.length; ) {
      const deleted = await store.retention.deleteTrashedSubmissions(trashed.slice(first), teamId);
      first += deleted.scanned;
      await blobs.remove(deleted.blobs).catch(() => {});
      await yieldToEventLoop();
    }
    return trashed;
  };

  const spam = action((ids, teamId) => store.inbox.markSpam(ids, teamId), 'genuine', 'submission.marked');
  const genuine = action(markGenuine, 'spam', 'submission.marked');
  return {
    read: action((ids, teamId) => store.inbox.markRead(ids, teamId, clock()), 'unread'),
    unread: action((ids, teamId) => store.inbox.markRead(ids, teamId, null), 'read'),
    star: action((ids, teamId) => store.inbox.setStarred(ids, teamId, true), 'unstar'),
    unstar: action((ids, teamId) => store.inbox.setStarred(ids, teamId, false), 'star'),
    // Earlier assignments are unknown afterwards.
    assign: {
      ...action((ids, teamId) => store.messages.assignSubmission(ids, teamId, assignee), null, 'submission.assigned'),
      ...(assignee !== null && { details: { user_id: assignee } }),
    },
    // Its inverse is `genuine`, with the same limit.
    spam: { ...spam, details: { is_spam: true }, limit: MAX_MARKED },
    genuine: { ...genuine, details: { is_spam: false }, limit: MAX_MARKED },
    trash: action((ids, teamId) => store.trash.moveSubmissions(ids, teamId, clock()), 'restore', 'submission.trashed'),
    restore: action((ids, teamId) => store.trash.moveSubmissions(ids, teamId, null), 'trash', 'submission.restored'),
    deleted: action(remove, null, 'submission.deleted'),
  };
}

/** Returns the submissions of the team that are in the trash. */
export async function getTrashed({ store }: Context, ids: readonly string[], teamId: string): Promise<string[]> {
  const trashed: string[] = [];
  for (const id of ids) if ((await store.submissions.findStored(id, teamId))?.trashedAt) trashed.push(id);
  return trashed;
}

/**
 * Runs an action in batches, a commit each, and yields in between. Notes each batch when it is done: it stays done if a
 * later one fails. Returns the ids of the changed submissions.
 */
export async function runAction(
  { act, audit, details }: BulkAction,
  ids: readonly string[],
  { teamId, note }: Readonly<{ teamId: string; note: Note }>,
): Promise<readonly string[]> {
  note({}, { action: null });
  const changed: string[] = [];
  for (let first = 0; first < ids.length; first += BATCH) {
    changed.push(...(await act(ids.slice(first, first + BATCH), teamId)));
    if (audit !== null && changed.length > 0) {
      const recorded = changed.slice(0, MAX_RECORDED).join(' ');
      note({ ...details, count: changed.length, submission_ids: recorded }, { action: audit });
    }
    await yieldToEventLoop();
  }
  return changed;
}

import { and, asc, count, eq, gt, inArray, max, sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { NO_SUBJECT } from '../../domain/mail.ts';
import { MAX_MESSAGES, type NewMessage, REPLIES_PER_HOUR } from '../../domain/message.ts';
import { type Clock, HOUR } from '../../lib/clock.ts';
import { type Drizzle, placeholders } from './database.ts';
import { prepareMailInsert } from './outbox.ts';
import { members, messages, submissions } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** Creates the store methods for notes, replies, stars and assignments. */
export function messageStore(db: Drizzle, clock: Clock) {
  const insertMessage = db
    .insert(messages)
    .values(placeholders('id', 'submissionId', 'formId', 'kind', 'authorId', 'body', 'createdAt'))
    .prepare();
  const insertMail = prepareMailInsert(db);

  const formsOf = (teamId: string, isLive: boolean) =>
    sql`SELECT f.id FROM forms f JOIN workspaces w ON w.id = f.workspace_id
        WHERE w.team_id = ${teamId} ${isLive ? sql`AND f.trashed_at IS NULL` : sql``}`;
  /** The unary plus makes SQLite search by id instead of by form. */
  const isLive = (teamId: string) => sql`+form_id IN (${formsOf(teamId, true)}) AND +trashed_at IS NULL`;

  /** Returns true for a message that is stored already. */
  const isRepeated = ({ id, submissionId, authorId, kind }: NewMessage): boolean => {
    const stored = db.select().from(messages).where(eq(messages.id, id)).get();
    if (!stored) return false;
    if (stored.submissionId === submissionId && stored.authorId === authorId && stored.kind === kind) return true;
    throw new AppError('conflict', 'This message was not sent: its id is taken. Reload the page and write it again.');
  };

  /** Throws above a limit. Returns the time of the new message, later than the last one. */
  const requireRoom = ({ submissionId, kind }: NewMessage): number => {
    const now = clock();
    const ofSubmission = eq(messages.submissionId, submissionId);
    const all = db
      .select({ total: count(), last: max(messages.createdAt) })
      .from(messages)
      .where(ofSubmission)
      .get();
    if ((all?.total ?? 0) >= MAX_MESSAGES) {
      throw new AppError(
        'conflict',
        `This submission has ${MAX_MESSAGES} notes and replies, the limit. Delete notes, or write from your mail program.`,
        { reason: ['too_many_messages', MAX_MESSAGES] },
      );
    }
    const isRecentReply = and(ofSubmission, eq(messages.kind, 'reply'), gt(messages.createdAt, now - HOUR));
    const recent = db.select({ total: count() }).from(messages).where(isRecentReply).get();
    if (kind === 'reply' && (recent?.total ?? 0) >= REPLIES_PER_HOUR) {
      throw new AppError(
        'rate_limited',
        `Could not send the reply: this submission got ${REPLIES_PER_HOUR} replies within an hour. Try again later.`,
        { reason: ['too_many_replies', REPLIES_PER_HOUR] },
      );
    }
    return Math.max(now, (all?.last ?? 0) + 1);
  };

  /** Changes submissions of a team outside the trash and returns their ids. */
  const change = (ids: readonly string[], teamId: string, changes: Readonly<{ assignedTo: string | null }>): string[] =>
    db
      .update(submissions)
      .set(changes)
      .where(sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND ${isLive(teamId)}`)
      .returning({ id: submissions.id })
      .all()
      .map(({ id }) => id);

  return {
    addMessage: (message, mail, teamId) =>
      transaction(db, () => {
        const { id: replyId, submissionId, formId } = message;
        const isKnown = sql`id = ${submissionId} AND form_id = ${formId} AND ${isLive(teamId)}`;
        if (!db.select({ id: submissions.id }).from(submissions).where(isKnown).get()) return false;
        if (isRepeated(message)) return true;
        insertMessage.run({ ...message, createdAt: requireRoom(message) });
        if (mail) {
          const subject = { ...NO_SUBJECT, kind: 'reply', formId, submissionId, replyId };
          insertMail.run({ ...mail, ...subject, recipient: null, addressee: null, now: clock() });
        }
        return true;
      }),

    listMessages: (submissionIds) =>
      db
        .select()
        .from(messages)
        .where(inArray(messages.submissionId, [...submissionIds]))
        .orderBy(asc(messages.createdAt), asc(messages.id))
        .all(),

    deleteNote: (id, submissionId, teamId, authorId) =>
      transaction(db, () => {
        const isOwn = sql`id = ${id} AND submission_id = ${submissionId} AND kind = 'note' AND author_id = ${authorId}
          AND form_id IN (${formsOf(teamId, false)})`;
        // Overwritten first: SQLite may leave copies of rows that it moves between pages.
        db.update(messages).set({ body: sql`zeroblob(length(body))` }).where(isOwn).run();
        return db.delete(messages).where(isOwn).returning({ id: messages.id }).all().length > 0;
      }),

    assignSubmission: (ids, teamId, userId) =>
      transaction(db, () => {
        const isMember = and(eq(members.teamId, teamId), eq(members.userId, userId ?? ''));
        if (userId !== null && !db.select({ role: members.role }).from(members).where(isMember).get()) return [];
        return change(ids, teamId, { assignedTo: userId });
      }),
  } satisfies Partial<StoreUnits>;
}

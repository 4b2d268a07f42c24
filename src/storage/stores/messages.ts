import { and, count, eq, gt, inArray, isNull, max } from 'drizzle-orm';
import { AppError, conflict } from '../../domain/errors.ts';
import * as domain from '../../domain/submissions/message.ts';
import { reachOf } from '../../domain/teams/roles.ts';
import { type Clock, HOUR } from '../../lib/clock.ts';
import { byAge, type Db, deleteRows } from '../database.ts';
import { forms, members, messages, submissions } from '../schema.ts';
import { formsOfTeam, isInFormOf } from './forms.ts';
import { hasId, keyOf } from './live-submissions.ts';
import { queueMails } from './outbox.ts';
import { withReach } from './reach.ts';

export function messageStore(db: Db, clock: Clock) {
  const isLive = (tx: Db, teamId: string) => and(isInFormOf(tx, teamId, 'live'), isNull(submissions.trashedAt));

  /** Returns true for a message that is stored already. */
  const isRepeated = async (tx: Db, { id, submissionId, authorId, kind }: domain.NewMessage): Promise<boolean> => {
    const [stored] = await tx.select().from(messages).where(eq(messages.id, id));
    if (!stored) return false;
    if (stored.submissionId === submissionId && stored.authorId === authorId && stored.kind === kind) return true;
    throw conflict('This message was not sent: its id is taken. Reload the page and write it again.');
  };

  /** Throws above a limit. Returns the time of the new message, later than the last one. */
  const requireRoom = async (tx: Db, { submissionId, kind }: domain.NewMessage): Promise<number> => {
    const now = clock();
    const ofSubmission = eq(messages.submissionId, submissionId);
    const figures = { total: count(), last: max(messages.createdAt) };
    const [all] = await tx.select(figures).from(messages).where(ofSubmission);
    if ((all?.total ?? 0) >= domain.MAX_MESSAGES) {
      const message = `This submission has ${domain.MAX_MESSAGES} notes and replies, the limit. Delete notes, or write from your mail program.`;
      throw conflict(message, ['too_many_messages', domain.MAX_MESSAGES]);
    }
    const isRecentReply = and(ofSubmission, eq(messages.kind, 'reply'), gt(messages.createdAt, now - HOUR));
    const [recent] = kind === 'reply' ? await tx.select({ total: count() }).from(messages).where(isRecentReply) : [];
    if ((recent?.total ?? 0) >= domain.REPLIES_PER_HOUR) {
      const message = `Could not send the reply: this submission got ${domain.REPLIES_PER_HOUR} replies within an hour. Try again later.`;
      throw new AppError('rate_limited', message, { reason: ['too_many_replies', domain.REPLIES_PER_HOUR] });
    }
    return Math.max(now, (all?.last ?? 0) + 1);
  };

  return {
    /**
     * Stores a note or reply on a submission outside the trash, with the mail of a reply. A message with the same id, from the
     * same author on the same submission, is a repetition and changes nothing. Returns false if the team has no such
     * submission. Throws `AppError` above `MAX_MESSAGES` or `REPLIES_PER_HOUR`.
     */
    add: (message: domain.NewMessage, mail: Readonly<{ id: string; messageId: string }> | null, teamId: string) =>
      db.transaction(async (tx) => {
        const { id: replyId, submissionId, formId } = message;
        const isKnown = and(hasId(submissionId), eq(submissions.formKey, keyOf(formId)), isLive(tx, teamId));
        // Its deletion waits, and then deletes the message too.
        const query = tx.select({ id: submissions.id }).from(submissions).where(isKnown);
        const [known] = await tx.locked(query, 'key share');
        if (!known) return false;
        if (await isRepeated(tx, message)) return true;
        const createdAt = await requireRoom(tx, message);
        await tx.insert(messages).values({ ...message, body: Buffer.from(message.body), createdAt });
        if (mail) await queueMails(tx, [{ ...mail, kind: 'reply', formId, submissionId, replyId }], clock());
        return true;
      }),

    /** Lists the notes and replies of submissions of any team, oldest first. */
    list: async (submissionIds: readonly string[]): Promise<domain.StoredMessage[]> => {
      const isOnThem = inArray(messages.submissionId, [...submissionIds]);
      return db.select().from(messages).where(isOnThem).orderBy(byAge(messages));
    },

    /** Deletes a note of this author. Returns false if there is none. */
    deleteNote: async (id: string, submissionId: string, teamId: string, authorId: string): Promise<boolean> => {
      const isOwn = and(
        ...[eq(messages.id, id), eq(messages.submissionId, submissionId), eq(messages.kind, 'note')],
        ...[eq(messages.authorId, authorId), inArray(messages.formId, formsOfTeam(db, teamId, forms.id))],
      );
      return (await deleteRows(db, messages, isOwn)) > 0;
    },

    /**
     * Assigns submissions of a team to one of its members, or to nobody with null. Returns the ids of these submissions,
     * without those that the member does not see; none if the user is no member.
     */
    assignSubmission: (ids: readonly string[], teamId: string, userId: string | null): Promise<string[]> =>
      db.transaction(async (tx) => {
        const isMember = and(eq(members.teamId, teamId), eq(members.userId, userId ?? ''));
        const [member] = await tx.select().from(members).where(isMember);
        if (userId !== null && !member) return [];
        const reach = member ? reachOf(member.role, member.workspaceIds) : null;
        const isSeen = and(hasId(...ids), isLive(tx, teamId), isInFormOf(withReach(tx, reach), teamId, 'live'));
        const assigned = tx.update(submissions).set({ assignedTo: userId }).where(isSeen);
        const changed = await assigned.returning({ id: submissions.id });
        return changed.map(({ id }) => id).sort((a, b) => ids.indexOf(a) - ids.indexOf(b));
      }),
  };
}

import { eq } from 'drizzle-orm';
import { NO_SUBJECT } from '../../domain/mail.ts';
import type { Period } from '../../domain/usage.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { perRecipientMailWriter } from './outbox.ts';
import { members, users } from './schema.ts';

/**
 * Returns a function that queues a warning for each member of a team. It must run in the transaction that counts the
 * submission, and does nothing without a mail domain.
 */
export function capWarningWriter(db: Drizzle, mailDomain: string | null) {
  const queueMails = perRecipientMailWriter(db, mailDomain);
  return (teamId: string, { start, end }: Period, percent: number, now: Micros): void => {
    const people = db
      .select({ email: users.email })
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(eq(members.teamId, teamId))
      .all();
    queueMails(
      { ...NO_SUBJECT, kind: 'cap_warning', teamId, percent, coversFrom: start, coversUntil: end },
      people.map(({ email }) => email),
      now,
    );
  };
}

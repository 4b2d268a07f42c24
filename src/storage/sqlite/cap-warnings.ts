import { eq } from 'drizzle-orm';
import { NO_SUBJECT } from '../../domain/mail.ts';
import { capWarningFor, type Period } from '../../domain/usage.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { mailsToEach } from './outbox.ts';
import { members, users } from './schema.ts';

/**
 * Warns the people of a team once it has used so much of its plan in a period, as part of the transaction that counts.
 * Writes nothing where no mail is sent.
 */
export function capWarner(db: Drizzle, mailDomain: string | null) {
  const writeToEach = mailsToEach(db, mailDomain);
  return (teamId: string, { start, end }: Period, used: number, limit: number | null, now: Micros): void => {
    const percent = capWarningFor(used, limit);
    if (percent === null) return;
    const people = db
      .select({ email: users.email })
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .where(eq(members.teamId, teamId))
      .all();
    writeToEach(
      { ...NO_SUBJECT, kind: 'cap_warning', teamId, percent, coversFrom: start, coversUntil: end },
      people.map(({ email }) => email),
      now,
    );
  };
}

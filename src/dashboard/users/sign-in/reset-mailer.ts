import type { Context } from '../../../context/context.ts';
import { HOUR } from '../../../lib/clock.ts';
import { SlidingWindow } from '../../../lib/sliding-window.ts';
import { ANONYMOUS, recordAction } from '../../../services/audit/audit.ts';
import { sendLink } from '../../../services/mail/link-mail.ts';
import { getTeamIds } from '../../../services/teams/teams.ts';
import { createResetLink } from '../../../services/users/accounts.ts';
import type { Language } from '../../ui/catalog.ts';
import { CATALOG } from '../../ui/texts.ts';
import { RESET_TEXTS } from './texts.ts';

const MAILS_PER_HOUR = 3;

/** Mails a reset link to the user with this address, if there is one; `address` is the client's. Never throws. */
type ResetMailer = (email: string, language: Language, address: string | null) => Promise<void>;

/**
 * Returns a function that returns the one that mails reset links, in the user's language if it is set. Null without a mail
 * server, and without `BASE_URL`: a link to the host of the request could lead to an attacker's host.
 */
export function resetMailer(context: Context): () => ResetMailer | null {
  const { store, clock, monotonic, log, mail, config } = context;
  const { baseUrl } = config;
  const mailed = new SlidingWindow(MAILS_PER_HOUR, HOUR);
  const mailLink: ResetMailer = async (email, fallback, address) => {
    try {
      const user = await store.users.findByEmail(email);
      // An account without a password signs in another way, and a mailbox must not undo that.
      if (!user || user.passwordHash === null || !mailed.take(user.id, monotonic()).allowed) return;
      const { token } = await createResetLink({ store, clock }, user.id);
      const teamIds = await getTeamIds(store, user.id);
      const actor = { ...ANONYMOUS, address };
      await recordAction(
        { store, clock, log },
        { teamIds, actor, action: 'reset_link.mailed', details: { user_id: user.id } },
      );
      const url = `${baseUrl}/dashboard/reset/${token}`;
      const own = CATALOG.find(user.language) ?? fallback;
      const reset = RESET_TEXTS[own];
      const { outcome } = await sendLink(mail, clock, { to: user.email, language: own, url, ...reset.mail });
      if (outcome !== 'sent') log.error('a mail to reset a password was not sent', { outcome });
    } catch (error) {
      log.error('a mail to reset a password was not sent', { error: error instanceof Error ? error.name : '' });
    }
  };
  return () => (mail.sender === null || baseUrl === null ? null : mailLink);
}

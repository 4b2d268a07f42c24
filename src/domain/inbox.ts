import type { Micros } from '../lib/clock.ts';

export const INBOX_VIEWS = ['inbox', 'unread', 'spam'] as const;

/** `inbox` is all that is not spam, `unread` what of that nobody has read. */
export type InboxView = (typeof INBOX_VIEWS)[number];

/** Submissions of some forms, those created from `from` up to, not including, `until`; null for no bound. */
export type InboxSelection = Readonly<{
  formIds: readonly string[];
  part: InboxView;
  from: Micros | null;
  until: Micros | null;
}>;

/** The times next to `before`, newest first, or those next to `after`, oldest first. */
export type InboxPage = Readonly<{ limit: number }> & (Readonly<{ before: Micros }> | Readonly<{ after: Micros }>);

import type { Micros } from '../lib/clock.ts';

export const INBOX_VIEWS = ['inbox', 'unread', 'spam'] as const;

/** A view of the inbox: `inbox` is everything but spam, `unread` its unread part. */
export type InboxView = (typeof INBOX_VIEWS)[number];

export const INBOX_LAYOUTS = ['list', 'table'] as const;

export type InboxLayout = (typeof INBOX_LAYOUTS)[number];

/** A filter for submissions by form, view and creation time. `until` is exclusive; null means unbounded. */
export type InboxSelection = Readonly<{
  formIds: readonly string[];
  part: InboxView;
  from: Micros | null;
  until: Micros | null;
}>;

/** Keyset pagination by creation time: newest first before `before`, or oldest first after `after`. */
export type InboxPage = Readonly<{ limit: number }> & (Readonly<{ before: Micros }> | Readonly<{ after: Micros }>);

import type { Micros } from '../../lib/clock.ts';

export const INBOX_VIEWS = ['inbox', 'unread', 'starred', 'assigned', 'maybe', 'spam', 'unconfirmed', 'trash'] as const;

/**
 * A view of the inbox: `inbox` is everything but spam, `unread` its unread part, `assigned` the submissions assigned to
 * the viewer, `maybe` the possible spam of `inbox`, `unconfirmed` those whose visitor has not confirmed their address yet; only it has these. Only `trash` has those in the trash.
 */
export type InboxView = (typeof INBOX_VIEWS)[number];

export const INBOX_LAYOUTS = ['list', 'table'] as const;

export type InboxLayout = (typeof INBOX_LAYOUTS)[number];

/** A filter for submissions by form, view and creation time. `until` is exclusive; null means unbounded. */
export type InboxSelection = Readonly<{
  formIds: readonly string[];
  /** `all` has everything outside the trash. */
  part: InboxView | 'all';
  /** The viewer, whose submissions the view `assigned` lists. */
  userId?: string;
  from: Micros | null;
  until: Micros | null;
}>;

/** Keyset pagination by creation time: newest first before `before`, or oldest first after `after`. */
export type InboxPage = Readonly<{ limit: number }> & (Readonly<{ before: Micros }> | Readonly<{ after: Micros }>);

/** A saved view of a user in a team. `view` is the sealed name and query: queries contain names of visitors. */
export type InboxViewRecord = Readonly<{
  id: string;
  userId: string;
  teamId: string;
  view: Uint8Array;
  createdAt: Micros;
}>;

/** Saved views of a user in a team. */
export const MAX_SAVED_VIEWS = 50;

/** A user's layout of the submissions of a form. `columns` are names of fields; empty for the default columns. */
export type FormLayout = Readonly<{ layout: InboxLayout; columns: readonly string[] }>;

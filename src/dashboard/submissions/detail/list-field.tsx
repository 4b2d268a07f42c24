/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { type InboxList, listQuery } from '../../ui/inbox-list.ts';

/** Keeps the list that a submission was opened from across an action. */
export function ListField({ list }: Readonly<{ list: InboxList }>) {
  return <input type="hidden" name="list" value={listQuery(list)} />;
}

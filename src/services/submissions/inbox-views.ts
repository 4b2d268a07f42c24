import { maskPayload } from '../../domain/masking/masking.ts';
import { MAX_SAVED_VIEWS } from '../../domain/submissions/inbox.ts';
import { newId } from '../../lib/ids.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { openInboxView, type SavedView, sealInboxView } from '../../vault/open-inbox-view.ts';
import type { Services } from '../services.ts';

type Deps = Pick<Services, 'store' | 'vault' | 'clock'>;
type Whose = Readonly<{ userId: string; teamId: string }>;

const MAX_NAME = 60;

/** Lists the saved views of a user in a team, without damaged ones. */
export async function listViews(
  { store, vault }: Deps,
  { userId, teamId }: Whose,
): Promise<ReadonlyArray<SavedView & Readonly<{ id: string }>>> {
  const records = await store.inboxPreferences.listViews(userId, teamId);
  return records.flatMap(({ id, view }) => {
    const opened = openInboxView(vault, id, view);
    return opened ? [{ id, ...opened }] : [];
  });
}

/**
 * Saves the query of a list under a name. What it searches is masked too: searches match masked texts only. Returns false if the user
 * has `MAX_SAVED_VIEWS` in this team.
 */
export function saveView({ store, vault, clock }: Deps, whose: Whose, view: SavedView): Promise<boolean> {
  const id = newId('view');
  const params = new URLSearchParams(view.query);
  for (const name of ['q', 'value']) params.set(name, masked(params.get(name) ?? ''));
  const name = masked(toSingleLine(view.name, MAX_NAME));
  const sealed = sealInboxView(vault, id, { ...view, name, query: params.toString() });
  return store.inboxPreferences.createView({ id, ...whose, view: sealed, createdAt: clock() }, MAX_SAVED_VIEWS);
}

function masked(text: string): string {
  const [[, value] = ['', text]] = maskPayload([['text', text]]);
  return String(value);
}

import { type ApiKey, hashSecret, newSecret, type Scope } from '../../domain/api-key.ts';
import { invalidInput, notFound } from '../../domain/errors.ts';
import { parseName } from '../../domain/teams/team.ts';
import { formatTime, type Micros } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Store } from '../../storage/store.ts';
import { type Deps, requireTeam } from '../teams/teams.ts';

type NewKey = Readonly<{
  teamId: string;
  name: string;
  scope: Scope;
  expiresAt: Micros | null;
  createdBy: string | null;
  /** Ids or short ids of the forms to limit the key to; all forms of the team if absent. */
  forms?: readonly string[] | undefined;
}>;

/** The list is read with each request. */
const MAX_FORMS = 100;

/**
 * Creates an API key and returns it with its secret, which is not stored. Throws `not_found` for an unknown team or form
 * and `invalid_input` for an invalid name, an expiry in the past or too many forms.
 */
export async function createKey(
  { store, clock }: Deps,
  { teamId, name, scope, expiresAt, createdBy, forms }: NewKey,
): Promise<Readonly<{ key: ApiKey; secret: string }>> {
  await requireTeam(store, teamId);
  const now = clock();
  if (expiresAt !== null && expiresAt <= now) {
    throw invalidInput(`The expiry ${formatTime(expiresAt)} is in the past. Choose a later time.`);
  }
  const formIds = forms ? await getFormIds(store, teamId, forms) : null;
  const secret = newSecret();
  const times = { createdAt: now, expiresAt, revokedAt: null, lastUsedAt: null };
  const key = { id: newId('key'), teamId, name: parseName(name), scope, formIds, createdBy, ...times };
  await store.keys.create(key, hashSecret(secret));
  return { key, secret };
}

/** Returns the ids of a team's forms. Throws `not_found` for an unknown form, and `invalid_input` above `MAX_FORMS`. */
async function getFormIds(store: Store, teamId: string, idsOrShortIds: readonly string[]): Promise<string[]> {
  if (idsOrShortIds.length > MAX_FORMS) {
    throw invalidInput(`A key can be limited to at most ${MAX_FORMS} forms.`, ['too_many_entries', MAX_FORMS]);
  }
  const forms = await store.forms.list(teamId);
  const ids = idsOrShortIds.map((idOrShortId) => {
    const form = forms.find(({ id, shortId }) => id === idOrShortId || shortId === idOrShortId);
    if (form) return form.id;
    throw notFound(`There is no form "${idOrShortId}" in this team.`);
  });
  return [...new Set(ids)];
}

import { type ApiKey, hashSecret, newSecret, type Scope } from '../domain/api-key.ts';
import { AppError } from '../domain/errors.ts';
import { parseName } from '../domain/team.ts';
import { formatTime, type Micros } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { type Deps, requireTeam } from './owners.ts';

type NewKey = Readonly<{ teamId: string; name: string; scope: Scope; expiresAt: Micros | null }>;

/**
 * Makes a key and returns it with its secret, which is kept nowhere. Throws `not_found` for an unknown team,
 * `invalid_input` for a name that does not fit or an expiry that has passed.
 */
export async function createKey(
  { store, clock }: Deps,
  { teamId, name, scope, expiresAt }: NewKey,
): Promise<Readonly<{ key: ApiKey; secret: string }>> {
  await requireTeam(store, teamId);
  const now = clock();
  if (expiresAt !== null && expiresAt <= now) {
    throw new AppError('invalid_input', `the key would expire at ${formatTime(expiresAt)}, which has passed.`);
  }
  const secret = newSecret();
  const times = { createdAt: now, expiresAt, revokedAt: null, lastUsedAt: null };
  const key = { id: newId('key'), teamId, name: parseName(name), scope, ...times };
  await store.createKey(key, hashSecret(secret));
  return { key, secret };
}

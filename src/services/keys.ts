import { type ApiKey, hashSecret, newSecret, type Scope } from '../domain/api-key.ts';
import { AppError } from '../domain/errors.ts';
import { parseName } from '../domain/team.ts';
import { formatTime, type Micros } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import { type Deps, requireTeam } from './teams.ts';

type NewKey = Readonly<{
  teamId: string;
  name: string;
  scope: Scope;
  expiresAt: Micros | null;
  createdBy: string | null;
}>;

/**
 * Creates an API key and returns it with its secret, which is not stored. Throws `not_found` for an unknown team and
 * `invalid_input` for an invalid name or an expiry in the past.
 */
export async function createKey(
  { store, clock }: Deps,
  { teamId, name, scope, expiresAt, createdBy }: NewKey,
): Promise<Readonly<{ key: ApiKey; secret: string }>> {
  await requireTeam(store, teamId);
  const now = clock();
  if (expiresAt !== null && expiresAt <= now) {
    throw new AppError('invalid_input', `The expiry ${formatTime(expiresAt)} is in the past. Choose a later time.`);
  }
  const secret = newSecret();
  const times = { createdAt: now, expiresAt, revokedAt: null, lastUsedAt: null };
  const key = { id: newId('key'), teamId, name: parseName(name), scope, formIds: null, createdBy, ...times };
  await store.createKey(key, hashSecret(secret));
  return { key, secret };
}

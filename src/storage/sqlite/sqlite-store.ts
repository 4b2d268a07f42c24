import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../store.ts';
import type { LimitOf } from './accept.ts';
import type { Drizzle } from './database.ts';
import { formStore } from './forms.ts';
import { idempotencyStore } from './idempotency.ts';
import { keyStore } from './keys.ts';
import { outboxStore } from './outbox.ts';
import { submissionStore } from './submissions.ts';
import { teamStore } from './teams.ts';
import { vaultKeyStore } from './vault-keys.ts';

/** The store on SQLite. Submissions are committed in groups; `clock` gives their time, `limitOf` how
 * many of them a plan takes. Closing it closes `db`. */
export function sqliteStore(db: Drizzle, clock: Clock, limitOf: LimitOf): Store {
  const { flush, ...submissions } = submissionStore(db, clock, limitOf);
  return {
    ...teamStore(db),
    ...formStore(db),
    ...keyStore(db),
    ...submissions,
    ...idempotencyStore(db, clock),
    ...outboxStore(db, clock),
    ...vaultKeyStore(db),
    close: async () => {
      flush();
      db.$client.close();
    },
  };
}

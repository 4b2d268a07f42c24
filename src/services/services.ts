import type { Plans } from '../domain/teams/plan.ts';
import type { Clock } from '../lib/clock.ts';
import type { GuardedNetwork } from '../lib/guarded-fetch.ts';
import type { Logger } from '../lib/log.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Store } from '../storage/store.ts';
import type { Vault } from '../vault/vault.ts';

/** Parts of the composed instance, of which each service takes some. */
export type Services = Readonly<{
  store: Store;
  blobs: Blobs;
  vault: Vault;
  clock: Clock;
  log: Logger;
  network: GuardedNetwork;
  plans: Plans;
}>;

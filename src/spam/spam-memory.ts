import type { Store } from '../storage/store.ts';
import type { Vault } from '../vault/vault.ts';
import { FormMemories } from './form-memory.ts';
import { Repeats } from './repeats.ts';
import { StampShares } from './stamp.ts';
import { TeamModels } from './team-model.ts';

/** What the filter of a server remembers between posts. */
export class SpamMemory {
  readonly repeats = new Repeats();
  readonly stamped = new StampShares();
  readonly teams: TeamModels;
  readonly forms: FormMemories;

  constructor(deps: Readonly<{ store: Store; vault: Vault }>) {
    this.teams = new TeamModels(deps);
    this.forms = new FormMemories(deps);
  }
}

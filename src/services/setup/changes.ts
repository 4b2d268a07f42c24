import type { SetupChanges, TeamSetup } from '../../storage/records.ts';
import type { Services } from '../services.ts';
import type { SetupDocument } from './document.ts';
import type { References, ReferenceUse } from './references.ts';

export type Deps = Pick<Services, 'vault' | 'clock' | 'network'> & Readonly<{ references: References }>;

/** A changed setting by its name in the file. Settings that are secret or large have no values. */
export type SettingChange = Readonly<{ name: string; before?: unknown; after?: unknown }>;

/** A change for people. `name` is the path of names, such as `Site / Contact`. */
export type Change = Readonly<{
  action: 'create' | 'update' | 'restore' | 'delete';
  type: 'workspace' | 'form' | 'webhook';
  id: string;
  name: string;
  settings: readonly SettingChange[];
  /** The form of a webhook. */
  formId?: string;
}>;

/** An object or field that the file leaves out and that stays without `--prune`. */
export type Kept = Readonly<{ type: 'workspace' | 'form' | 'webhook' | 'field'; name: string }>;

/** The signing secret of a new webhook. */
export type NewSecret = Readonly<{ webhook_id: string; webhook: string; secret: string }>;

/** The differences between a file and a team. */
export type Plan = Readonly<{
  changes: readonly Change[];
  kept: readonly Kept[];
  secrets: readonly NewSecret[];
  /** All references in the file, of unchanged settings too. */
  references: readonly ReferenceUse[];
  /** The changes to store, without audit entries. */
  store: SetupChanges;
}>;

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] extends ReadonlyArray<infer Item> ? Item[] : T[Name] };

/** A plan to which the parts of the file add. */
export type PlanBuilder = ReturnType<typeof newPlan>;

/**
 * Returns an empty plan. `newIds` are ids from another instance, which new objects keep; `prune` removes objects and fields
 * that the file leaves out.
 */
export function newPlan(
  facts: Readonly<{
    deps: Deps;
    document: SetupDocument;
    before: TeamSetup;
    teamId: string;
    newIds: Set<string>;
    prune: boolean;
  }>,
) {
  const workspaces = { newWorkspaces: [], workspaces: [], deletedWorkspaces: [] };
  const forms = { newForms: [], restoredForms: [], forms: [], logos: [], trashedForms: [] };
  const webhooks = { deletedWebhooks: [], newWebhooks: [], webhooks: [] };
  const store: Mutable<SetupChanges> = { ...workspaces, ...forms, ...webhooks, audit: [] };
  const lists: Mutable<Omit<Plan, 'store'>> = { changes: [], kept: [], secrets: [], references: [] };
  return { ...facts, ...lists, store };
}

/** Plans the removal of an object that the file leaves out, or lists it as kept. `removed` are the ids to remove. */
export function removeOrKeep(
  { prune, changes, kept }: PlanBuilder,
  { type, name, ...rest }: Pick<Change, 'type' | 'id' | 'name' | 'formId'>,
  removed: string[],
): void {
  if (!prune) return void kept.push({ type, name });
  removed.push(rest.id);
  changes.push({ action: 'delete', type, ...rest, name, settings: [] });
}

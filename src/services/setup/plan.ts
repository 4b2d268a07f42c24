import type { Actor, AuditAction, AuditDetails, AuditEntry } from '../../domain/audit.ts';
import type { Form } from '../../domain/forms/form.ts';
import { parseName, type Workspace } from '../../domain/teams/team.ts';
import type { GuardedNetwork } from '../../lib/guarded-fetch.ts';
import type { TeamSetup } from '../../storage/records.ts';
import type { Store } from '../../storage/store.ts';
import { newForm } from '../forms/forms.ts';
import { newWorkspace } from '../teams/teams.ts';
import { type Change, type Deps, newPlan, type Plan, type PlanBuilder, removeOrKeep } from './changes.ts';
import type { Located, Path, SetupDocument } from './document.ts';
import { formChanges } from './form-changes.ts';
import type { FormEntry, WorkspaceEntry } from './setup-file.ts';
import { planWebhooks } from './webhook-changes.ts';

/** An entry of the file and the stored object that it describes; null for a new one. */
type Matched<Entry, Item> = Located<Entry> & Readonly<{ item: Item | null }>;

type FormPlace = Located<FormEntry> & Readonly<{ workspace: Workspace }>;

/** Compares a file with a team. Throws `InvalidFileError` with the place of anything that cannot be made. */
export async function planSetup(
  deps: Deps,
  document: SetupDocument,
  before: TeamSetup,
  { teamId, prune, store }: Readonly<{ teamId: string; prune: boolean; store: Store }>,
): Promise<Plan> {
  const newIds = await findNewIds(store, document);
  const plan = newPlan({ deps, document, before, teamId, newIds, prune });
  const entries = document.value.workspaces.map((entry, index) => ({ entry, path: ['workspaces', index] }));
  const matched = match(document, plan.newIds, entries, 'workspace', before.workspaces, () => before.workspaces);
  const workspaces: Workspace[] = [];
  for (const place of matched) workspaces.push(await planWorkspace(plan, place));
  planOrder(plan, workspaces);
  const forms = entries.flatMap(({ entry, path }, index): FormPlace[] =>
    ((entry.forms ?? []) as FormEntry[]).map((form, position) => {
      return { entry: form, path: [...path, 'forms', position], workspace: workspaces[index] as Workspace };
    }),
  );
  const live = before.forms.filter(({ trashedAt }) => trashedAt === null);
  lookUpHosts(deps.network, forms);
  const matchedForms = match(document, plan.newIds, forms, 'form', before.forms, ({ workspace }) =>
    live.filter(({ workspaceId }) => workspaceId === workspace.id),
  );
  for (const place of matchedForms) await planForm(plan, place);
  const matchedIds = new Set(matchedForms.flatMap(({ item }) => item?.id ?? []));
  const unknown = live.filter(({ id }) => !matchedIds.has(id));
  planRemovals(plan, matched, unknown);
  return plan;
}

/** Returns the well-formed ids of the file that no object of the instance has. */
async function findNewIds(store: Store, { value: { workspaces } }: SetupDocument): Promise<Set<string>> {
  const forms = workspaces.flatMap((workspace) => (workspace.forms ?? []) as FormEntry[]);
  const nouns = [
    [/^wsp_[0-9a-f]{32}$/, workspaces, store.workspaces.find],
    [/^frm_[0-9a-v]{16,32}$/, forms, store.forms.findStored],
    [/^whk_[0-9a-f]{32}$/, forms.flatMap(({ webhooks = [] }) => webhooks), store.webhooks.find],
  ] as const;
  const ids = new Set<string>();
  for (const [pattern, entries, find] of nouns) {
    for (const { id = '' } of entries) if (pattern.test(id) && !(await find(id))) ids.add(id);
  }
  return ids;
}

/**
 * Finds the object of each entry by id, or without one by name among those of `named`. One with an id of `newIds` has none
 * yet. Throws `InvalidFileError` for unknown ids, ambiguous names and objects that two entries describe.
 */
function match<
  Place extends Located<Readonly<{ id?: string; name: string }>>,
  Item extends Readonly<{ id: string; name: string }>,
>(
  document: SetupDocument,
  newIds: ReadonlySet<string>,
  places: readonly Place[],
  noun: 'workspace' | 'form',
  all: readonly Item[],
  named: (place: Place) => readonly Item[],
): Array<Place & Readonly<{ item: Item | null }>> {
  const byId = new Map(all.map((item) => [item.id, item]));
  const taken = new Set<string>();
  const take = (path: Path, key: string) => {
    if (taken.has(key)) throw document.error(path, `This ${noun} is in the file twice. Remove one entry.`);
    taken.add(key);
  };
  for (const place of places) {
    const { entry, path } = place;
    if (entry.id === undefined) continue;
    const isNew = newIds.has(entry.id) && named(place).every(({ name }) => name !== entry.name.trim());
    if (!byId.has(entry.id) && !isNew) {
      const message = `There is no ${noun} with this id in this team. Correct the id, or remove it to find the ${noun} by name.`;
      throw document.error([...path, 'id'], message);
    }
    take([...path, 'id'], entry.id);
  }
  return places.map((place) => {
    const { entry, path } = place;
    if (entry.id !== undefined) return { ...place, item: byId.get(entry.id) ?? null };
    const name = entry.name.trim();
    take([...path, 'name'], `${path.slice(0, -1).join('/')} ${name}`);
    const [item = null, other] = named(place).filter((item) => item.name === name && !taken.has(item.id));
    if (other) throw document.error([...path, 'name'], `Several ${noun}s have this name. Add the id of one.`);
    return { ...place, item };
  });
}

/** Begins to look up the hosts of all webhooks in the file, so that their checks do not wait one by one. */
function lookUpHosts({ ssrfGuard }: GuardedNetwork, forms: readonly FormPlace[]): void {
  for (const { entry } of forms) {
    for (const { url = '' } of entry.webhooks ?? []) {
      if (/^https?:/i.test(url) && URL.canParse(url)) ssrfGuard.resolve(new URL(url)).catch(() => {});
    }
  }
}

async function planWorkspace(plan: PlanBuilder, { entry, path, item }: Matched<WorkspaceEntry, Workspace>) {
  const name = await plan.document.at([...path, 'name'], () => parseName(entry.name));
  if (item === null) {
    const position = plan.before.workspaces.at(-1)?.position ?? 0;
    const created = newWorkspace(plan.deps.clock, plan.teamId, name);
    const workspace = { ...created, id: entry.id ?? created.id, position };
    plan.store.newWorkspaces.push(workspace);
    plan.changes.push({ action: 'create', type: 'workspace', id: workspace.id, name, settings: [] });
    return workspace;
  }
  if (item.name !== name) {
    plan.store.workspaces.push({ id: item.id, changes: { name } });
    const settings = [{ name: 'name', before: item.name, after: name }];
    plan.changes.push({ action: 'update', type: 'workspace', id: item.id, name, settings });
  }
  return { ...item, name };
}

/** Sorts the workspaces of the file as in the file, among themselves; other workspaces keep their places. */
function planOrder({ before, store, changes }: PlanBuilder, workspaces: readonly Workspace[]): void {
  const current = [...before.workspaces, ...store.newWorkspaces];
  const remaining = [...workspaces];
  const isListed = new Set(workspaces.map(({ id }) => id));
  const order = current.map((workspace) => (isListed.has(workspace.id) ? (remaining.shift() ?? workspace) : workspace));
  for (const [position, { id, name }] of order.entries()) {
    if (order.every((workspace, index) => workspace.id === current[index]?.id)) return;
    store.workspaces.push({ id, changes: { position } });
    const earlier = current.findIndex((workspace) => workspace.id === id);
    if (earlier === position) continue;
    const settings = [{ name: 'position', before: earlier + 1, after: position + 1 }];
    changes.push({ action: 'update', type: 'workspace', id, name, settings });
  }
}

async function planForm(plan: PlanBuilder, place: FormPlace & Readonly<{ item: Form | null }>): Promise<void> {
  const { deps, document, store, changes } = plan;
  const { entry, path, workspace, item } = place;
  const name = await document.at([...path, 'name'], () => parseName(entry.name));
  const created = newForm(deps.clock, { workspaceId: workspace.id, name });
  const base = item ?? { ...created, id: entry.id ?? created.id };
  const { set, settings, logo } = await formChanges(plan, place, base, workspace, name);
  const title = `${workspace.name} / ${name}`;
  const form = { ...base, ...set };
  if (item === null) {
    store.newForms.push(form);
    changes.push({ action: 'create', type: 'form', id: form.id, name: title, settings });
  } else {
    if (item.trashedAt !== null) {
      store.restoredForms.push(form.id);
      changes.push({ action: 'restore', type: 'form', id: form.id, name: title, settings: [] });
    }
    if (Object.keys(set).length > 0) store.forms.push({ id: form.id, changes: set });
    if (settings.length > 0) changes.push({ action: 'update', type: 'form', id: form.id, name: title, settings });
  }
  if (logo !== undefined) store.logos.push({ formId: form.id, logo });
  await planWebhooks(plan, place, form, title);
}

/** Plans the removal of workspaces and forms that the file leaves out, or lists them as kept. */
function planRemovals(
  plan: PlanBuilder,
  matched: ReadonlyArray<Matched<WorkspaceEntry, Workspace>>,
  unknown: readonly Form[],
): void {
  const entryOf = new Map(matched.map(({ entry, item }) => [item?.id, entry]));
  const nameOf = new Map(plan.before.workspaces.map(({ id, name }) => [id, name]));
  for (const { id, name, workspaceId } of unknown) {
    const entry = entryOf.get(workspaceId);
    if (entry && entry.forms === undefined) continue;
    const title = `${nameOf.get(workspaceId)} / ${name}`;
    removeOrKeep(plan, { type: 'form', id, name: title }, plan.store.trashedForms);
  }
  for (const { id, name } of plan.before.workspaces.filter((workspace) => !entryOf.has(workspace.id))) {
    removeOrKeep(plan, { type: 'workspace', id, name }, plan.store.deletedWorkspaces);
  }
}

const VERBS = { create: 'created', update: 'changed', restore: 'restored', delete: 'deleted' } as const;

/** Returns the audit entries of a plan, one for each change. */
export function auditEntries({ changes }: Plan, at: number, teamId: string, actor: Actor): AuditEntry[] {
  return changes.map(({ action, type, id, formId, settings }) => {
    const names = [...new Set(settings.map(({ name }) => auditName(name)))].sort();
    const details: AuditDetails = {
      [`${type}_id`]: id,
      ...(formId !== undefined && { form_id: formId }),
      ...(names.length > 0 && { settings: names.join(', ') }),
    };
    return { at, teamId, actor, action: auditAction(type, action), details };
  });
}

/** Names of settings in audit entries, where they differ from those in the file by more than their notation. */
const AUDIT_NAMES: Readonly<Record<string, string>> = {
  state: 'isActive',
  workspace: 'workspaceId',
  'challenge.secret': 'challengeSecret',
};

function auditName(name: string): string {
  return AUDIT_NAMES[name] ?? name.replace(/_./g, ([, letter = '']) => letter.toUpperCase());
}

function auditAction(type: Change['type'], action: Change['action']): AuditAction {
  if (type === 'form') return action === 'delete' ? 'form.trashed' : `form.${VERBS[action]}`;
  return `${type}.${action === 'restore' ? 'changed' : VERBS[action]}`;
}

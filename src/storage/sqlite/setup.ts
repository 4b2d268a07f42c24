import { and, asc, eq, getTableColumns, isNull } from 'drizzle-orm';
import { MAX_WEBHOOKS_PER_FORM } from '../../domain/webhook.ts';
import { comparableSetup } from '../comparable-setup.ts';
import type { TeamSetup } from '../store.ts';
import type { Drizzle } from './database.ts';
import { formLogos, forms, webhooks, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';
import { webhookColumns } from './webhook-columns.ts';

/** Store methods that `applySetup` combines. */
type Units = Pick<
  StoreUnits,
  | 'listWorkspaces'
  | 'listForms'
  | 'createWorkspace'
  | 'deleteWorkspace'
  | 'createForm'
  | 'updateForm'
  | 'setFormLogo'
  | 'trashForm'
  | 'createWebhook'
  | 'updateWebhook'
  | 'deleteWebhook'
  | 'recordAudit'
>;

/** Creates the store methods that read and change the setup of a team at once. */
export function setupStore(db: Drizzle, units: Units) {
  const read = (teamId: string): TeamSetup => ({
    workspaces: units.listWorkspaces(teamId),
    forms: units.listForms(teamId, 'all'),
    webhooks: db
      .select(webhookColumns)
      .from(webhooks)
      .innerJoin(forms, eq(forms.id, webhooks.formId))
      .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
      .where(and(eq(workspaces.teamId, teamId), isNull(webhooks.deletedAt)))
      .orderBy(asc(webhooks.id))
      .all(),
    logos: new Map(
      db
        .select(getTableColumns(formLogos))
        .from(formLogos)
        .innerJoin(forms, eq(forms.id, formLogos.formId))
        .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
        .where(eq(workspaces.teamId, teamId))
        .all()
        .map(({ formId, type, image }) => [formId, { type, image: Buffer.from(image, 'base64') }]),
    ),
  });

  return {
    readSetup: (teamId) => transaction(db, () => read(teamId)),

    applySetup: (teamId, before, changes, at) =>
      transaction(db, () => {
        if (!Bun.deepEquals(comparableSetup(read(teamId)), comparableSetup(before))) return false;
        for (const workspace of changes.newWorkspaces) units.createWorkspace(workspace);
        for (const { id, changes: set } of changes.workspaces) {
          db.update(workspaces).set(set).where(eq(workspaces.id, id)).run();
        }
        for (const form of changes.newForms) units.createForm(form);
        for (const id of changes.restoredForms) units.trashForm(id, teamId, null);
        for (const { id, changes: set } of changes.forms) units.updateForm(id, set, teamId);
        for (const { formId, logo } of changes.logos) units.setFormLogo(formId, logo);
        for (const id of changes.trashedForms) units.trashForm(id, teamId, at);
        for (const id of changes.deletedWebhooks) units.deleteWebhook(id, teamId);
        for (const webhook of changes.newWebhooks) units.createWebhook(webhook, MAX_WEBHOOKS_PER_FORM);
        for (const { id, changes: set } of changes.webhooks) units.updateWebhook(id, set, teamId);
        for (const id of changes.deletedWorkspaces) units.deleteWorkspace(id, teamId);
        if (changes.audit.length > 0) units.recordAudit([...changes.audit]);
        return true;
      }),
  } satisfies Partial<StoreUnits>;
}

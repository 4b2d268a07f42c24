import { and, asc, eq, getTableColumns, isNull } from 'drizzle-orm';
import { MAX_WEBHOOKS_PER_FORM } from '../../domain/webhook.ts';
import type { Clock } from '../../lib/clock.ts';
import { comparableSetup } from '../comparable-setup.ts';
import type { Db } from '../database.ts';
import { formLogos, forms, webhooks, workspaces } from '../schema.ts';
import type { Store, TeamSetup } from '../store.ts';
import { auditStore } from './audit.ts';
import { formLogoStore } from './form-logos.ts';
import { formStore } from './forms.ts';
import { teamStore } from './teams.ts';
import { trashStore } from './trash.ts';
import { webhookColumns } from './webhook-columns.ts';
import { webhookStore } from './webhooks.ts';

/** Creates the store methods that read and change the setup of a team at once. */
export function setupStore(db: Db, clock: Clock) {
  return {
    readSetup: (teamId) => db.transaction((tx) => read(tx, teamId)),

    applySetup: (teamId, before, changes, at) =>
      db.transaction(async (tx) => {
        if (!Bun.deepEquals(comparableSetup(await read(tx, teamId)), comparableSetup(before))) return false;
        const [ofTeam, ofForm] = [teamStore(tx), formStore(tx)];
        const [ofTrash, ofWebhook] = [trashStore(tx), webhookStore(tx, clock)];
        for (const workspace of changes.newWorkspaces) await ofTeam.createWorkspace(workspace);
        for (const { id, changes: set } of changes.workspaces) {
          await tx.update(workspaces).set(set).where(eq(workspaces.id, id));
        }
        for (const form of changes.newForms) await ofForm.createForm(form);
        for (const id of changes.restoredForms) await ofTrash.trashForm(id, teamId, null);
        for (const { id, changes: set } of changes.forms) await ofForm.updateForm(id, set, teamId);
        for (const { formId, logo } of changes.logos) await formLogoStore(tx).setFormLogo(formId, logo);
        for (const id of changes.trashedForms) await ofTrash.trashForm(id, teamId, at);
        for (const id of changes.deletedWebhooks) await ofWebhook.deleteWebhook(id, teamId);
        for (const webhook of changes.newWebhooks) await ofWebhook.createWebhook(webhook, MAX_WEBHOOKS_PER_FORM);
        for (const { id, changes: set } of changes.webhooks) await ofWebhook.updateWebhook(id, set, teamId);
        for (const id of changes.deletedWorkspaces) await ofTeam.deleteWorkspace(id, teamId);
        if (changes.audit.length > 0) await auditStore(tx).recordAudit([...changes.audit]);
        return true;
      }),
  } satisfies Partial<Store>;
}

async function read(tx: Db, teamId: string): Promise<TeamSetup> {
  const logos = await tx
    .select(getTableColumns(formLogos))
    .from(formLogos)
    .innerJoin(forms, eq(forms.id, formLogos.formId))
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .where(eq(workspaces.teamId, teamId));
  return {
    workspaces: await teamStore(tx).listWorkspaces(teamId),
    forms: await formStore(tx).listForms(teamId, 'all'),
    webhooks: await tx
      .select(webhookColumns)
      .from(webhooks)
      .innerJoin(forms, eq(forms.id, webhooks.formId))
      .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
      .where(and(eq(workspaces.teamId, teamId), isNull(webhooks.deletedAt)))
      .orderBy(asc(webhooks.id)),
    logos: new Map(logos.map(({ formId, type, image }) => [formId, { type, image: Buffer.from(image, 'base64') }])),
  };
}

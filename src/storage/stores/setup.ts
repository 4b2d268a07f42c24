import { and, asc, eq, getTableColumns, isNull } from 'drizzle-orm';
import { type EndpointState, HEALTHY, MAX_WEBHOOKS_PER_FORM } from '../../domain/webhooks/webhook.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import type { SetupChanges, TeamSetup } from '../records.ts';
import { formLogos, forms, webhooks, workspaces } from '../schema.ts';
import { auditStore } from './audit.ts';
import { formStore } from './forms.ts';
import { fromForms, isOfTeam } from './reach.ts';
import { workspaceStore } from './teams.ts';
import { trashStore } from './trash.ts';
import { webhookColumns, webhookStore } from './webhooks.ts';

export function setupStore(db: Db, clock: Clock) {
  return {
    read: (teamId: string): Promise<TeamSetup> => db.transaction((tx) => read(tx, teamId)),

    /** Makes all changes, or none if the setup is no longer `before`: then it returns false. */
    apply: (teamId: string, before: TeamSetup, changes: SetupChanges, at: Micros): Promise<boolean> =>
      db.transaction(async (tx) => {
        if (!Bun.deepEquals(comparableSetup(await read(tx, teamId)), comparableSetup(before))) return false;
        const [ofWorkspaces, ofForm] = [workspaceStore(tx), formStore(tx)];
        const [ofTrash, ofWebhook] = [trashStore(tx), webhookStore(tx, clock)];
        for (const workspace of changes.newWorkspaces) await ofWorkspaces.create(workspace);
        for (const { id, changes: set } of changes.workspaces) {
          await tx.update(workspaces).set(set).where(eq(workspaces.id, id));
        }
        for (const form of changes.newForms) await ofForm.create(form);
        for (const id of changes.restoredForms) await ofTrash.moveForm(id, teamId, null);
        for (const { id, changes: set } of changes.forms) await ofForm.update(id, set, teamId);
        for (const { formId, logo } of changes.logos) await ofForm.setLogo(formId, logo);
        for (const id of changes.trashedForms) await ofTrash.moveForm(id, teamId, at);
        for (const id of changes.deletedWebhooks) await ofWebhook.delete(id, teamId);
        for (const webhook of changes.newWebhooks) await ofWebhook.create(webhook, MAX_WEBHOOKS_PER_FORM);
        for (const { id, changes: set } of changes.webhooks) await ofWebhook.update(id, set, teamId);
        for (const id of changes.deletedWorkspaces) await ofWorkspaces.delete(id, teamId);
        if (changes.audit.length > 0) await auditStore(tx).record([...changes.audit]);
        return true;
      }),
  };
}

async function read(tx: Db, teamId: string): Promise<TeamSetup> {
  const ofForm = eq(formLogos.formId, forms.id);
  const logos = await fromForms(tx, getTableColumns(formLogos))
    .innerJoin(formLogos, ofForm)
    .where(isOfTeam(tx, teamId));
  return {
    workspaces: await workspaceStore(tx).list(teamId),
    forms: await formStore(tx).list(teamId, 'all'),
    webhooks: await fromForms(tx, webhookColumns)
      .innerJoin(webhooks, eq(webhooks.formId, forms.id))
      .where(and(isOfTeam(tx, teamId), isNull(webhooks.deletedAt)))
      .orderBy(asc(webhooks.id)),
    logos: new Map(logos.map(({ formId, type, image }) => [formId, { type, image: Buffer.from(image, 'base64') }])),
  };
}

/** Returns a setup without the health of endpoints, which changes with each delivery. */
function comparableSetup({ webhooks: all, ...setup }: TeamSetup) {
  const health = Object.keys(HEALTHY) as Array<keyof EndpointState>;
  const settled = new Set<string>(health.filter((name) => name !== 'isActive'));
  return {
    ...setup,
    webhooks: all.map((webhook) => Object.fromEntries(Object.entries(webhook).filter(([name]) => !settled.has(name)))),
  };
}

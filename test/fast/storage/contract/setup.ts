import { afterAll, describe, expect, test } from 'bun:test';
import { newId } from '../../../../src/lib/ids.ts';
import type { SetupChanges } from '../../../../src/storage/records.ts';
import { type Engine, newWebhook, openFixture } from './fixture.ts';

const NONE: SetupChanges = {
  newWorkspaces: [],
  workspaces: [],
  newForms: [],
  restoredForms: [],
  forms: [],
  logos: [],
  trashedForms: [],
  deletedWebhooks: [],
  newWebhooks: [],
  webhooks: [],
  deletedWorkspaces: [],
  audit: [],
};

/** Tests reading and changing the setup of a team at once. */
export async function describeSetup(engine: Engine): Promise<void> {
  const { store, clock, makeForm } = await openFixture(engine);
  describe(`setup of a team in ${engine.name}`, () => {
    afterAll(() => store.close());

    const entry = (teamId: string, action: 'form.changed' | 'form.created') => {
      const actor = { kind: 'command', id: 'command', name: null, address: null } as const;
      return { at: clock.now, teamId, actor, action, details: {} };
    };

    test('is read with workspaces, forms also in the trash, webhooks and logos of this team only', async () => {
      const place = await makeForm();
      const other = await makeForm();
      const webhook = newWebhook(place, { createdAt: clock.now });
      await store.webhooks.create(webhook, 10);
      await store.webhooks.create(newWebhook(other, { createdAt: clock.now }), 10);
      await store.forms.setLogo(place.form.id, { type: 'image/png', image: Buffer.from('logo') });
      await store.trash.moveForm(place.form.id, place.teamId, clock.now);
      const setup = await store.setup.read(place.teamId);
      expect(setup.workspaces.map(({ id }) => id)).toEqual([place.form.workspaceId]);
      expect(setup.forms.map(({ id, trashedAt }) => [id, trashedAt])).toEqual([[place.form.id, clock.now]]);
      expect(setup.webhooks.map(({ id }) => id)).toEqual([webhook.id]);
      expect([...setup.logos]).toEqual([[place.form.id, { type: 'image/png', image: Buffer.from('logo') }]]);
      expect(await store.setup.read('team_unknown')).toEqual({
        workspaces: [],
        forms: [],
        webhooks: [],
        logos: new Map(),
      });
    });

    test('is changed with its audit entries', async () => {
      const { teamId, form } = await makeForm();
      const before = await store.setup.read(teamId);
      const workspace = { id: newId('wsp'), teamId, name: 'New', position: 0, createdAt: clock.now };
      const copy = { ...form, id: newId('frm'), shortId: newId('s'), workspaceId: workspace.id, name: 'Copy' };
      const webhook = newWebhook({ form: copy }, { createdAt: clock.now });
      const changes: SetupChanges = {
        ...NONE,
        newWorkspaces: [workspace],
        workspaces: [{ id: workspace.id, changes: { position: 1 } }],
        newForms: [copy],
        newWebhooks: [webhook],
        trashedForms: [form.id],
        deletedWorkspaces: [form.workspaceId],
        audit: [entry(teamId, 'form.created')],
      };
      expect(await store.setup.apply(teamId, before, changes, clock.now)).toBe(true);
      const after = await store.setup.read(teamId);
      expect(after.workspaces).toEqual([{ ...workspace, position: 1 }]);
      expect(after.forms).toMatchObject([
        { id: form.id, workspaceId: workspace.id, trashedAt: clock.now },
        { id: copy.id, webhookRoutes: [{ id: webhook.id }], trashedAt: null },
      ]);
      const log = await store.audit.list(teamId, { before: null, limit: 10, actorId: null, action: null });
      expect(log.map(({ action }) => action)).toEqual(['form.created']);
    });

    test('stays as it is if it changed meanwhile, but not because of deliveries', async () => {
      const { teamId, form } = await makeForm();
      await store.webhooks.create(newWebhook({ form }, { createdAt: clock.now }), 10);
      const before = await store.setup.read(teamId);
      const changes = { ...NONE, forms: [{ id: form.id, changes: { name: 'File' } }] };
      const failing = { ...before, webhooks: before.webhooks.map((webhook) => ({ ...webhook, failures: 3 })) };
      expect(await store.setup.apply(teamId, failing, changes, clock.now)).toBe(true);
      expect(await store.setup.apply(teamId, before, changes, clock.now)).toBe(false);
      expect((await store.forms.find(form.id, teamId))?.name).toBe('File');
    });

    test('stays as it is if a part fails', async () => {
      const { teamId, form } = await makeForm();
      const before = await store.setup.read(teamId);
      const changes = {
        ...NONE,
        forms: [{ id: form.id, changes: { name: 'File' } }],
        deletedWorkspaces: [form.workspaceId],
        audit: [entry(teamId, 'form.changed')],
      };
      await expect(store.setup.apply(teamId, before, changes, clock.now)).rejects.toMatchObject({ code: 'conflict' });
      expect(await store.setup.read(teamId)).toEqual(before);
      expect(await store.audit.list(teamId, { before: null, limit: 10, actorId: null, action: null })).toEqual([]);
    });
  });
}

import { afterAll, describe, expect, test } from 'bun:test';
import type { AuditEntry } from '../../../../src/domain/audit.ts';
import type { Store } from '../../../../src/storage/store.ts';
import { type Engine, openFixture } from './fixture.ts';

/** Tests the audit log. */
export async function describeAudit(engine: Engine): Promise<void> {
  const { store, clock, makeForm } = await openFixture(engine);
  describe(`audit log in ${engine.name}`, () => {
    afterAll(() => store.close());

    const actor = (id: string) => ({ kind: 'user' as const, id, name: `${id}@example.com`, address: '192.0.2.x' });
    const entry = (teamId: string | null, id = 'usr_a', at = clock.now): AuditEntry => ({
      at,
      teamId,
      actor: actor(id),
      action: 'form.changed',
      details: { form_id: 'frm_1', count: 2, is_spam: false },
    });
    const first = { before: null, limit: 10, actorId: null, action: null };

    test('returns recorded entries newest first or oldest first', async () => {
      const { teamId } = await makeForm();
      await store.audit.record([entry(teamId), { ...entry(teamId), action: 'key.created' }]);
      const [newest, oldest, ...others] = await store.audit.list(teamId, first);
      expect(others).toEqual([]);
      expect(newest).toEqual({ ...entry(teamId), action: 'key.created', id: newest?.id ?? 0 });
      expect(oldest).toEqual({ ...entry(teamId), id: (newest?.id ?? 0) - 1 });
      const all = { since: 0, after: 0, limit: 10 };
      expect(await store.audit.listFrom(teamId, all)).toEqual([oldest, newest].filter((one) => one !== undefined));
      expect(await store.audit.listFrom(teamId, { ...all, since: clock.now + 1 })).toEqual([]);
      expect(await store.audit.listFrom(teamId, { ...all, after: oldest?.id ?? 0 })).toHaveLength(1);
    });

    test('records all entries or none', async () => {
      const { teamId } = await makeForm();
      await expect(store.audit.record([entry(teamId), entry('team_none')])).rejects.toThrow();
      expect(await store.audit.list(teamId, first)).toEqual([]);
    });

    test('pages by team, actor and action', async () => {
      const { teamId } = await makeForm();
      const { teamId: other } = await makeForm();
      for (let count = 0; count < 5; count++) {
        await store.audit.record([entry(teamId, 'usr_a'), { ...entry(teamId, 'usr_b'), action: 'key.created' }]);
        await store.audit.record([entry(other, 'usr_c'), entry(null, 'usr_c')]);
      }
      const read = async (wanted: Partial<Parameters<Store['audit']['list']>[1]>) => {
        const found: string[] = [];
        let before: number | null = null;
        for (;;) {
          const page = await store.audit.list(teamId, { ...first, ...wanted, before, limit: 2 });
          found.push(...page.map((one) => `${one.actor.id} ${one.action}`));
          before = page.at(-1)?.id ?? null;
          if (page.length < 2) return found;
        }
      };
      const [a, b] = ['usr_a form.changed', 'usr_b key.created'];
      expect(await read({})).toEqual([b, a, b, a, b, a, b, a, b, a]);
      expect(await read({ actorId: 'usr_a' })).toEqual([a, a, a, a, a]);
      expect(await read({ action: 'key.created' })).toEqual([b, b, b, b, b]);
      expect(await read({ actorId: 'usr_b', action: 'key.created' })).toEqual([b, b, b, b, b]);
      expect(await read({ actorId: 'usr_a', action: 'key.created' })).toEqual([]);
      expect(await read({ actorId: 'usr_c' })).toEqual([]);
      expect(await store.audit.listActors(teamId, 10)).toEqual([actor('usr_a'), actor('usr_b')]);
      expect(await store.audit.listActors(teamId, 1)).toEqual([actor('usr_a')]);
    });
  });
}

import type { Context } from '../../src/context/context.ts';
import { newId } from '../../src/lib/ids.ts';
import { createForm } from '../../src/services/forms/forms.ts';
import { createKey } from '../../src/services/keys/api-keys.ts';
import { createTeam, createWorkspace } from '../../src/services/teams/teams.ts';
import { payloadAad } from '../../src/vault/vault.ts';

/** A key, and the paths of pages and single rows spread over the whole table. */
export type Seeded = Readonly<{ key: string; pages: string[]; singles: string[] }>;

const PATHS = 1000;

/** Fills an empty database with `rows` submissions of one form, sealed and committed as posts are. */
export async function seed(context: Context, rows: number): Promise<Seeded> {
  const { store, vault, config } = context;
  const deps = { ...context, plans: config.plans };
  const team = await createTeam(deps, 'Bench', 'unlimited');
  const workspace = await createWorkspace(deps, team.id, 'Bench');
  const form = await createForm(deps, { workspaceId: workspace.id, name: 'Bench', redirectUrl: null, fields: [] });
  const { secret } = await createKey(deps, {
    teamId: team.id,
    name: 'Bench',
    scope: 'read',
    expiresAt: null,
    createdBy: null,
  });
  const every = Math.max(1, Math.floor(rows / PATHS));
  const singles: string[] = [];
  const pages: string[] = [];
  for (let first = 0; first < rows; first += 1000) {
    const batch = Array.from({ length: Math.min(1000, rows - first) }, async (_, index) => {
      const id = newId('sub');
      const payload = vault.sealPayload(
        [
          ['name', 'Ada Lovelace'],
          ['email', 'ada@example.com'],
          [
            'message',
            `Row ${first + index}: I would like to know more about the engine, its notes and where it will be shown.`,
          ],
        ],
        payloadAad(id, form.id),
      );
      const acceptance = await store.queue.accept({
        id,
        formId: form.id,
        isSpam: false,
        payload,
        files: null,
        blobs: [],
        spamReasons: null,
        idempotency: null,
        challenge: null,
        mails: [],
        deliveries: [],
      });
      if (acceptance.outcome !== 'stored') throw new Error(acceptance.outcome);
      if ((first + index) % every === 0) {
        singles.push(`/v1/submissions/${acceptance.id}`);
        const before = new Date(acceptance.createdAt / 1000 + 1).toISOString();
        // Only pages with 50 rows, so that all have the same length.
        if (first + index >= 50) pages.push(`/v1/forms/${form.id}/submissions?limit=50&before=${before}`);
      }
    });
    await Promise.all(batch);
  }
  return { key: secret, pages, singles };
}

import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_SETTINGS } from '../../src/domain/forms/form.ts';
import { HOUR } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { sqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import { temporaryDir } from '../support/instance.ts';

const FORMS = 40;
const ROUNDS = 6;

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

/** A script that queues the digest of each form in its own transaction and prints when it starts. */
const SUM_UP = `
  const { openDatabase } = await import(process.argv[1] + '/database.ts');
  const { sqliteStore } = await import(process.argv[1] + '/sqlite-store.ts');
  const until = Number(process.argv[3]);
  const store = sqliteStore(openDatabase(process.argv[2]), () => until, () => null, () => 'mail.example');
  const forms = await store.digests.listProgress({ after: '', limit: 1000 });
  process.stdout.write('begun');
  for (const { id } of forms) {
    await store.digests.queue([{ formId: id, digestUntil: until, heldBackUntil: until }]);
    // Spread the transactions, so that a kill falls among them.
    await Bun.sleep(1);
  }
`;

test('every form gets its digest once although the process is killed repeatedly', async () => {
  const path = join(dir, 'formstead.db');
  let now = Date.UTC(2026, 6, 1) * 1000;
  const store = sqliteStore(
    openDatabase(path),
    () => now,
    () => null,
    () => 'mail.example',
  );
  await store.teams.create({
    id: 'team',
    name: 'T',
    plan: 'unlimited',
    requiresSecondFactor: false,
    learnsSpam: true,
    setUpAt: null,
    createdAt: now,
  });
  await store.workspaces.create({ id: 'wsp', teamId: 'team', name: 'W', position: 0, createdAt: now });
  const settings = {
    ...DEFAULT_SETTINGS,
    digest: 'hourly',
    notify: ['o@x.example'],
    isActive: true,
    webhookRoutes: [],
    archivedAt: null,
    trashedAt: null,
  } as const;
  for (let n = 0; n < FORMS; n++) {
    const form = { ...settings, id: `frm_${n}`, shortId: `f${n}`, workspaceId: 'wsp', name: 'F', createdAt: now };
    await store.forms.create(form);
  }
  const spans = Array.from({ length: FORMS }, (_, n) => ({ formId: `frm_${n}`, digestUntil: now, heldBackUntil: now }));
  await store.digests.queue(spans);
  const nothing = {
    payload: Buffer.from('sealed'),
    files: null,
    blobs: [],
    idempotency: null,
    challenge: null,
    mails: [],
    deliveries: [],
  };
  const bare = { ...nothing, isSpam: false, spamReasons: null };
  await Promise.all(spans.map(({ formId }) => store.queue.accept({ ...bare, id: newId('sub'), formId })));
  now += 2 * HOUR;

  const sqlite = join(import.meta.dir, '../../src/storage/sqlite');
  for (let round = 0; round <= ROUNDS; round++) {
    const child = Bun.spawn(['bun', '-e', SUM_UP, sqlite, path, String(now)], { stdout: 'pipe', stderr: 'inherit' });
    await child.stdout.getReader().read();
    // Kill later in each round; no assertion depends on the moment.
    await Bun.sleep((round * 15) / ROUNDS);
    if (round < ROUNDS) child.kill('SIGKILL');
    await child.exited;
  }
  const mails = await store.mails.list({ state: null, limit: 1_000 });
  expect(mails.map(({ formId }) => formId).sort()).toEqual(spans.map(({ formId }) => formId).sort());
  await store.close();
});

import { ok, strictEqual } from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { storageAtRest } from '../../../src/context/context.ts';
import { SetupError } from '../../../src/domain/errors.ts';
import { writeTar } from '../../../src/lib/tar.ts';
import { checkBackup, restoreBackup } from '../../../src/services/backups/restore.ts';
import { createTeamWithForm, json, post } from '../../../test/cli/command-line.ts';
import { sha256 } from '../../../test/fast/visitor/files.ts';
import { temporaryDir } from '../../../test/support/instance.ts';
import { spawnServer } from '../../../test/support/process.ts';
import { mutated } from '../mutations.ts';
import type { Bytes, Choices, Prng } from '../prng.ts';
import type { Target } from '../target.ts';

const WORDS: Choices<string> = [
  'SQLite format 3\0',
  '\0'.repeat(16),
  'CREATE TABLE',
  'submissions',
  '{}',
  'null',
  '[]',
];

type Entry = Readonly<{ path: string; bytes: Bytes }>;

export const backup: Target = {
  name: 'backup',
  about:
    'a damaged backup is refused with a reason and leaves the data directory empty; an accepted one is restored unchanged',
  inputs: 20_000,
  concurrency: 8,
  open: async () => {
    const dir = temporaryDir();
    const whole = await entriesOfNew(dir);
    let count = 0;
    return {
      check: async (prng) => {
        const { entries, isSame } = changed(whole, prng);
        const archive = await packed(entries);
        const bytes = prng.oneIn(3) ? mutated(archive, prng, 1, WORDS) : archive;
        const target = join(dir, `restored-${count++}`);
        const deps = { storage: storageAtRest, configuredKeys: null, progress: { files: 0 } };
        const work = prng.oneIn(2)
          ? checkBackup(deps, { archive: once(bytes) })
          : restoreBackup(deps, { archive: once(bytes) }, target);
        const refusal = await work.then(
          () => null,
          (error: unknown) => error,
        );
        if (refusal === null) {
          rmSync(target, { recursive: true, force: true });
          return isSame ? 'taken as it was' : 'taken with another database';
        }
        ok(refusal instanceof SetupError, `it failed with ${refusal instanceof Error ? refusal.stack : refusal}`);
        ok(!isSame || bytes !== archive, `a whole one was refused: ${refusal.message}`);
        if (existsSync(target)) strictEqual(readdirSync(target).length, 0, 'something was left');
        rmSync(target, { recursive: true, force: true });
        return 'refused';
      },
      close: async () => {
        rmSync(dir, { recursive: true });
        return [];
      },
    };
  },
};

async function entriesOfNew(dir: string): Promise<Entry[]> {
  const dataDir = join(dir, 'data');
  const server = await spawnServer(dataDir);
  const { form } = await createTeamWithForm(dataDir);
  for (let index = 0; index < 3; index++) await (await post(server.url, form.id)).arrayBuffer();
  const { path } = await json<{ path: string }>(dataDir, ['backup', join(dir, 'backups'), '--with-key']);
  await server.end();
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const entries = await Promise.all(
    names.map(async ({ parentPath, name }) => {
      const bytes = Buffer.from(await Bun.file(join(parentPath, name)).arrayBuffer());
      return { path: join(parentPath, name).slice(path.length + 1), bytes };
    }),
  );
  return entries.sort((a, b) => Number(b.path === 'manifest.json') - Number(a.path === 'manifest.json'));
}

/** Mutates, drops, duplicates or moves entries, sometimes with a matching manifest. */
function changed(whole: readonly Entry[], prng: Prng): Readonly<{ entries: readonly Entry[]; isSame: boolean }> {
  const kind = prng.below(6);
  const at = prng.below(whole.length);
  const chosen = whole[at];
  if (kind === 0 || !chosen) return { entries: whole, isSame: true };
  if (kind === 1) return { entries: whole.toSpliced(at, 1), isSame: false };
  if (kind === 2) return { entries: [...whole, chosen], isSame: false };
  const entries = whole.with(at, { ...chosen, bytes: mutated(chosen.bytes, prng, 1 + prng.below(2), WORDS) });
  return { entries: kind === 3 ? entries : fitted(entries), isSame: false };
}

/** Returns a manifest whose sizes and hashes match the entries, as an attacker would write it. */
function fitted(entries: readonly Entry[]): readonly Entry[] {
  const [manifest, ...rest] = entries;
  if (!manifest) return entries;
  try {
    const said = JSON.parse(manifest.bytes.toString()) as object;
    const files = rest.map(({ path, bytes }) => ({ name: path, size: bytes.length, sha256: sha256(bytes) }));
    return [{ ...manifest, bytes: Buffer.from(JSON.stringify({ ...said, files })) }, ...rest];
  } catch {
    return entries;
  }
}

async function packed(entries: readonly Entry[]): Promise<Bytes> {
  const files = async function* () {
    for (const { path, bytes } of entries) yield { path, size: bytes.length, bytes: once(bytes) };
  };
  return Buffer.concat(await Array.fromAsync(writeTar(files())));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

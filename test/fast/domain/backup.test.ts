import { expect, test } from 'bun:test';
import { newManifest, parseManifest } from '../../../src/domain/backup.ts';

const manifestOf = (name: string) =>
  newManifest({
    ...{ created_at: '2026-11-21T08:00:00.000123Z', program_version: '0.1.0', schema: '0001', keys: [] },
    ...{ files: [{ name, size: 1, sha256: 'x' }], deleted_meanwhile: [], missing: [] },
  });

test.each(['formstead.db', 'encryption.key', `files/${'0'.repeat(32)}`])('a manifest may contain %s', (name) => {
  const manifest = manifestOf(name);
  expect(parseManifest(JSON.stringify(manifest))).toEqual(manifest);
});

test.each(['../formstead.db', '/formstead.db', 'files/x', `a/files/${'0'.repeat(32)}`, 'formstead.db\n', ''])(
  'a manifest with %j is rejected',
  (name) => expect(parseManifest(JSON.stringify(manifestOf(name)))).toBeNull(),
);

import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { entryName, newManifest, parseManifest } from '../../../src/domain/backup.ts';
import { mutatedText } from '../mutations.ts';
import type { Choices, Prng } from '../prng.ts';
import type { Target } from '../target.ts';

const WORDS: Choices<string> = [
  'null',
  '[]',
  '{}',
  '""',
  '-1',
  '1e999',
  '0.5',
  '../',
  'files/',
  '"name"',
  '"__proto__":{},',
  '\\u0000',
];
const NAMES: Choices<string> = [
  'formstead.db',
  'encryption.key',
  `files/${'0'.repeat(32)}`,
  '../formstead.db',
  '/files/x',
  'manifest.json',
];

export const manifest: Target = {
  name: 'manifest',
  about: 'a manifest is read unchanged or refused; none names a file outside the backup',
  inputs: 250_000,
  open: () => ({ check }),
};

function check(prng: Prng): string {
  const written = newManifest({
    created_at: '2026-11-21T08:00:00.000123Z',
    program_version: '0.1.0',
    schema: '0001',
    keys: prng.list(2, () => ({ id: prng.below(2 ** 32), check: prng.word() })),
    files: prng.list(3, () => ({ name: prng.pick(NAMES), size: prng.below(2 ** 31), sha256: prng.word() })),
    deleted_meanwhile: prng.list(2, () => prng.word()),
    missing: prng.list(2, () => prng.word()),
  });
  const text = JSON.stringify(written);
  const accidents = prng.below(4);
  const sent = mutatedText(text, prng, accidents, WORDS);
  const read = parseManifest(sent);
  const isOurs = written.files.every(({ name }) => entryName(name) === name);
  if (accidents === 0) ok((read !== null) === isOurs || !isOurs, 'one of ours is refused');
  if (read === null) return 'refused';
  if (sent === text) deepStrictEqual(read, written);
  for (const { name, size } of read.files) {
    strictEqual(entryName(name), name, `${JSON.stringify(name)} is no name of ours`);
    match(name, /^(?:manifest\.json|formstead\.db|encryption\.key|files\/[0-9a-f]{32})$/);
    ok(Number.isInteger(size) && size >= 0);
  }
  return 'read';
}

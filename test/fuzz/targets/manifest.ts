import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { entryName, newManifest, parseManifest } from '../../../src/domain/backup.ts';
import { damagedText } from '../accidents.ts';
import type { Choices, Dice } from '../dice.ts';
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
  about: 'a manifest is read as it was written, or refused; none names a file outside of the backup',
  inputs: 250_000,
  open: () => ({ check }),
};

function check(dice: Dice): string {
  const written = newManifest({
    created_at: '2026-11-21T08:00:00.000123Z',
    program_version: '0.1.0',
    schema: '0001',
    keys: dice.list(2, () => ({ id: dice.below(2 ** 32), check: dice.word() })),
    files: dice.list(3, () => ({ name: dice.pick(NAMES), size: dice.below(2 ** 31), sha256: dice.word() })),
    deleted_meanwhile: dice.list(2, () => dice.word()),
    missing: dice.list(2, () => dice.word()),
  });
  const text = JSON.stringify(written);
  const accidents = dice.below(4);
  const sent = damagedText(text, dice, accidents, WORDS);
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

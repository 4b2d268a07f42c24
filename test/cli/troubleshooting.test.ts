import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { STATUS_OF } from '../../src/domain/errors.ts';

const SRC = join(import.meta.dir, '../../src');

const chapter = await Bun.file(join(SRC, 'manual/troubleshooting.md')).text();
const files = await Array.fromAsync(new Bun.Glob('**/*.{ts,tsx}').scan(SRC));
const code = (await Promise.all(files.map((file) => Bun.file(join(SRC, file)).text()))).join('\n');

/** Returns the fixed parts of a message, which must occur verbatim in the code. */
const fixedParts = (message: string) => message.split('…').map((part) => part.replace(/^[\s;:,).]+|[\s(]+$/g, ''));

const rows = Array.from(chapter.matchAll(/^\| (`.+?`) \| .+ \| .+ \|$/gm), ([, first = '']) => first);
const messages = rows
  .flatMap((first) => Array.from(first.matchAll(/`([^`]+)`/g), ([, text = '']) => text))
  .filter((text) => !Object.hasOwn(STATUS_OF, text));
const answers = Array.from(chapter.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm), ([, word = '', text = '']) => [word, text]);

test('every message in the troubleshooting chapter occurs in the code, and there are more than 60', () => {
  expect(messages.length + answers.length).toBeGreaterThan(60);
  const texts = [...messages, ...answers.map(([, text = '']) => text)];
  const unknown = texts.flatMap((text) => fixedParts(text).filter((part) => !code.includes(part)));
  expect(unknown).toEqual([]);
});

test('every error code in the tables of the chapter exists', () => {
  expect(answers.map(([word = '']) => word).filter((word) => !Object.hasOwn(STATUS_OF, word))).toEqual([]);
});

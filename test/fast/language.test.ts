import { expect, test } from 'bun:test';
import { join, relative } from 'node:path';

const SRC = join(import.meta.dir, '../../src');

/** The first words of a doc comment that describes a thing by a clause instead of naming it. */
const CLAUSE_STARTERS =
  /^(What|Whatever|Whether|How|Who|Whom|Whose|Whoever|Where|Wherever|When|Of|Those|That|As|For whom|So many)\b/;
const MAX_PERCENT = 3;

/** Phrases that no one in the trade uses. */
const DIALECT = new RegExp(
  [
    'told of',
    'comes? to',
    '(?:is|was|be) had',
    'stands(?! for)',
    'goes on',
    'lies',
    'as it were',
    'nobody hears',
    'whoever',
    'lest',
    'in all that',
    '(?:after|at|by|for|in|of|than) so many',
    'given up',
    'taken? up',
  ]
    .map((phrase) => `\\b${phrase}\\b`)
    .join('|'),
  'i',
);

const paths = await Array.fromAsync(new Bun.Glob('**/*.{ts,tsx}').scan({ cwd: SRC, absolute: true }));
const sources = await Promise.all(paths.sort().map(async (path) => ({ path, code: await Bun.file(path).text() })));

/** Returns `path:line text`, as a failure lists it. */
const cite = (path: string, code: string, index: number, text: string) =>
  `${relative(SRC, path)}:${code.slice(0, index).split('\n').length} ${text.slice(0, 100)}`;

type Literal = Readonly<{ text: string; index: number }>;

/** Returns the index behind the string or comment that begins at `start`; `start` itself if none does. */
function skipToken(code: string, start: number): number {
  const quote = code[start];
  if (code.startsWith('//', start)) return code.indexOf('\n', start);
  if (code.startsWith('/*', start)) return code.indexOf('*/', start) + 2;
  if (quote !== "'" && quote !== '"' && quote !== '`') return start;
  let index = start + 1;
  while (index < code.length && code[index] !== quote) {
    if (code[index] === '\\') index += 2;
    else if (quote === '`' && code.startsWith('${', index)) index = skipBrackets(code, index + 1);
    else index += 1;
  }
  return index + 1;
}

/** Returns the index behind the bracket that closes the one at `start`. */
function skipBrackets(code: string, start: number): number {
  let depth = 0;
  let index = start;
  do {
    if ('([{'.includes(code[index] ?? '')) depth += 1;
    if (')]}'.includes(code[index] ?? '')) depth -= 1;
    index = Math.max(index + 1, skipToken(code, index));
  } while (depth > 0 && index < code.length);
  return index;
}

/** Returns the string and template literals between two indexes. The text of a template includes its expressions. */
function literals(code: string, from: number, to: number): Literal[] {
  const found: Literal[] = [];
  for (let index = from; index < to; ) {
    const end = skipToken(code, index);
    if (end > index && code[index] !== '/') found.push({ text: code.slice(index, end), index });
    index = Math.max(index + 1, end);
  }
  return found;
}

/** Returns the literals in the arguments of each call that `pattern` finds; a match ends with the opening bracket. */
function argumentLiterals(code: string, pattern: RegExp): Literal[] {
  return Array.from(code.matchAll(pattern)).flatMap(({ index, 0: call }) => {
    const start = index + call.length - 1;
    return literals(code, start, skipBrackets(code, start));
  });
}

const dialectIn = (path: string, code: string, texts: readonly Literal[]) =>
  texts.filter(({ text }) => DIALECT.test(text)).map(({ text, index }) => cite(path, code, index, text));

test(`at most ${MAX_PERCENT} % of the doc comments begin with a clause instead of a verb or noun`, () => {
  const comments = sources.flatMap(({ path, code }) =>
    Array.from(code.matchAll(/\/\*\*([\s\S]*?)\*\//g), ({ index, 1: body = '' }) => {
      const text = body
        .replace(/^\s*\* ?/gm, '')
        .replace(/\s+/g, ' ')
        .trim();
      return { text, cited: cite(path, code, index, text) };
    }),
  );
  expect(comments.length).toBeGreaterThan(1_000);
  const clauses = comments.filter(({ text }) => CLAUSE_STARTERS.test(text)).map(({ cited }) => cited);
  const isAllowed = clauses.length * 100 <= comments.length * MAX_PERCENT;
  expect(isAllowed ? [] : clauses).toEqual([]);
});

test('the English texts of pages contain no dialect', () => {
  const texts = sources.filter(({ path }) => /i18n\/en\.ts$|dashboard\/.*\/texts\.ts$/.test(path));
  expect(texts.length).toBeGreaterThanOrEqual(2);
  expect(texts.flatMap(({ path, code }) => dialectIn(path, code, literals(code, 0, code.length)))).toEqual([]);
});

test('error messages and log lines contain no dialect', () => {
  const calls = /\bnew (?:AppError|SetupError)\(|\blog\.(?:debug|info|warn|error)\(/g;
  const messages = sources.map(({ path, code }) => ({ path, code, texts: argumentLiterals(code, calls) }));
  expect(messages.flatMap(({ texts }) => texts).length).toBeGreaterThan(200);
  expect(messages.flatMap(({ path, code, texts }) => dialectIn(path, code, texts))).toEqual([]);
});

test('the literals of a call are found, also in nested templates', () => {
  const hole = (expression: string) => `\${${expression}}`;
  const template = `\`a ${hole(`n > 0 ? \`b ${hole("c('d')")}\` : 'e'`)} f\``;
  const code = `log.info(${template}, { g: 'h' }); other('i'); // 'j'\n`;
  expect(argumentLiterals(code, /log\.info\(/g).map(({ text }) => text)).toEqual([template, "'h'"]);
});

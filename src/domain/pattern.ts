import { RE2JS } from 're2js';

/** The longest text that a pattern may match, in UTF-16 units; with the size of a pattern it bounds the time. */
export const MAX_PATTERN_INPUT_UNITS = 4_096;

const MAX_INSTRUCTIONS = 300;
const CACHE_SIZE = 200;

const compiled = new Map<string, RE2JS>();

/** Why a pattern cannot be used, to follow the word "pattern" in a message; null where it can. */
export function patternError(pattern: string): string | null {
  let size: number;
  try {
    size = RE2JS.compile(pattern).programSize();
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : 'it is not readable';
    return (
      `does not compile (${reason}); it takes RE2 syntax, which runs in linear time: ` +
      'no look-around and no back-references'
    );
  }
  if (size <= MAX_INSTRUCTIONS) return null;
  return `is too large: it compiles to ${size} instructions of at most ${MAX_INSTRUCTIONS}; shorten its repetitions`;
}

/**
 * Whether the pattern matches each of the texts from its beginning to its end, as HTML's `pattern` means it. Texts that
 * together are longer than `PATTERN_TEXT_UNITS` never do. Takes time in proportion to the texts and the pattern, 25 ms
 * at most. Throws for a pattern that `flawOfPattern` finds fault with.
 */
export function matchesPattern(pattern: string, texts: readonly string[]): boolean {
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  if (units > MAX_PATTERN_INPUT_UNITS) return false;
  const program = compile(pattern);
  return texts.every((text) => program.matcher(text).matches());
}

/** Compiles once; the pattern compiled longest ago makes room. */
function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const [oldest] = compiled.size < CACHE_SIZE ? [] : compiled.keys();
  if (oldest !== undefined) compiled.delete(oldest);
  const program = RE2JS.compile(pattern);
  compiled.set(pattern, program);
  return program;
}

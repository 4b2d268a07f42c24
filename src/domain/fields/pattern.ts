import type { RE2JS } from 're2js';

/** Longest input of a pattern in UTF-16 units. Together with the pattern's size it bounds the matching time. */
export const MAX_PATTERN_INPUT_UNITS = 4_096;

const MAX_INSTRUCTIONS = 300;
/** At least the fields that a form may have, each with a pattern. */
const CACHE_SIZE = 1_000;

/** UTF-16 units that the patterns of a form may match in one post. */
const MAX_MATCHED_UNITS = 16_384;

const compiled = new Map<string, RE2JS>();

/** Loads the engine with the first pattern, since few forms have one. */
const compileByEngine = (pattern: string): RE2JS => (require('re2js') as typeof import('re2js')).RE2JS.compile(pattern);

/** Returns why a pattern is invalid, to complete "the pattern …"; null if it is valid. */
export function patternError(pattern: string): string | null {
  let size: number;
  try {
    size = compileByEngine(pattern).programSize();
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace('error parsing regexp: ', '') : 'unreadable';
    return `does not compile (${reason}). Use RE2 syntax, without look-around and backreferences`;
  }
  if (size <= MAX_INSTRUCTIONS) return null;
  return `is too large: it compiles to ${size} instructions, the limit is ${MAX_INSTRUCTIONS}. Shorten its repetitions`;
}

/**
 * Reports whether the pattern matches every text as a whole, like HTML's `pattern`; false if the texts together exceed
 * `MAX_PATTERN_INPUT_UNITS`. Takes linear time, at most 25 ms. Throws for a pattern that `patternError` rejects.
 */
export function matchesPattern(pattern: string, texts: readonly string[]): boolean {
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  if (units > MAX_PATTERN_INPUT_UNITS) return false;
  const program = compile(pattern);
  return texts.every((text) => program.matcher(text).matches());
}

/** Returns the number of instructions of a valid pattern. */
export const patternSize = (pattern: string): number => compile(pattern).programSize();

/** Counts what the patterns of a form match in one post, so that their times do not add up. */
export class MatchBudget {
  #left = MAX_MATCHED_UNITS;

  /** Takes the texts of a field; returns false if they exceed what is left. */
  take(texts: readonly string[]): boolean {
    this.#left -= texts.reduce((sum, text) => sum + text.length, 0);
    return this.#left >= 0;
  }
}

/** Compiles a pattern, with a FIFO cache of `CACHE_SIZE` programs. */
function compile(pattern: string): RE2JS {
  const cached = compiled.get(pattern);
  if (cached) return cached;
  const [oldest] = compiled.size < CACHE_SIZE ? [] : compiled.keys();
  if (oldest !== undefined) compiled.delete(oldest);
  const program = compileByEngine(pattern);
  compiled.set(pattern, program);
  return program;
}

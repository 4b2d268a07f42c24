import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import type { FieldText, SubmittedText } from './text.ts';

/** Letter pairs that occur in no language with Latin letters, except in rare names. */
const IMPOSSIBLE =
  /q[bcdfghjklmnpqrstvwxyz]|[jkvwzxghfbdpmt]q|[jzvkwghdfb]x|x[jkzqgvdr]|z[jxqfr]|v[jxqwfkbmp]|[wfpb]j(?!o)|j[bcdfghklmpqrstvwxz]|jj|hhh|vvv|[dfgkp]w[dfgkp]|[cdfg]v[cbn]|[sf]d[fs]|k[jhl][ksdl]|h[kgj][ja]/gi;
/** Sequences of neighboring keys. */
const KEYBOARD =
  /asdf|sdfg|sdfs|dfgd|dfgh|fghj|ghjk|hjkl|lkjh|lkj|kjhg|jhgf|gfds|zxc|xcv|cvbn|vbnm|qwert|wertyu|poiuy|asdas|djks|skjd|kjdh|jkdh|hkjh|dkjf|jkhg|qweqw|asdk|йцук|цукен|фыва|ывап|вапр|пролд|ячсм|смить|ждло|лорп/gi;
/** Cheap prefilter: random letters always match, and hardly any text does. */
const GIBBERISH_HINT = new RegExp(`${KEYBOARD.source}|${IMPOSSIBLE.source}|[bcdfghjklmnpqrstvwxz]{6}|[a-z][A-Z]`);
const VOWELLESS = /^[bcdfghjklmnpqrstvwxz]{6,40}$/i;
/** Joined words: each begins with a capital and has a vowel, like `MacBookPro`, or is an abbreviation like `PDF`. */
const JOINED_WORDS =
  /^(?:[ie]|Mc)?(?:[A-Za-z][a-z]*[aeiouy][a-z]*|[AEIOUY][a-z]+)(?:[A-Z](?=[a-z]{2})[a-z]*[aeiouy][a-z]*|[AEIOUY][a-z]{2,}|Mc|[A-Z]{2,4}(?![a-z]))+[A-Z]?$/;
/** Letters from which mixed case in a single word is no name or code of a person. */
const SURELY_RANDOM = 9;
/** Random letters from which a field counts. */
const MIN_LETTERS = 5;
/** Fields longer than this are taken for prose. */
const MAX_LENGTH = 300;

/** Finds random letters in place of words. One field of small letters may be a code; only two reach the threshold. */
export function gibberishSignals({ fields }: SubmittedText): Signal[] {
  const candidates = fields.filter(isCandidate);
  if (candidates.length === 0) return [];
  const texts = [...new Set(candidates.map(({ text }) => text.trim()))];
  const letterCounts = texts.map((text) => countRandomLetters(text));
  const count = letterCounts.filter((letters) => letters >= MIN_LETTERS).length;
  const total = letterCounts.reduce((sum, letters) => sum + letters, 0);
  const reason = 'random letters instead of words';
  // People's user names have odd capitals too.
  if (candidates.some((field) => !field.isNameField && isSurelyRandom(field.text.trim())))
    return [{ weight: SPAM_THRESHOLD, reason }];
  if (total < 7) return [];
  const isInName = candidates.some(({ isNameField, text }) => isNameField && countRandomLetters(text) >= MIN_LETTERS);
  if (count >= 2 && total >= (isInName ? 10 : 14))
    return [{ weight: SPAM_THRESHOLD, reason: `random letters in ${count} fields` }];
  return [{ weight: total >= 14 ? 80 : 40, reason }];
}

/** Returns whether a text is one to three words, one of them in random case. */
function isSurelyRandom(text: string): boolean {
  const words = text.split(/\s+/);
  return words.length <= 3 && words.some((word) => word.length >= SURELY_RANDOM && isRandomCase(word));
}

/** Excludes keys, addresses and code, which look random by nature. */
function isCandidate({ text }: FieldText): boolean {
  return text.length <= MAX_LENGTH && !/[@/_={}()<>:`]/.test(text) && GIBBERISH_HINT.test(text);
}

/** Returns the number of letters in gibberish words; 0 unless they are more than half of all letters. */
function countRandomLetters(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const tokens = text.split(/[^\p{L}\p{N}]+/u).filter((token) => /^\p{L}{3,40}$/u.test(token));
  const random = tokens.filter((token) => isRandomCase(token) || isKeyboardMash(token)).join('').length;
  return random > letters / 2 ? random : 0;
}

/**
 * Returns whether a token changes twice from a small letter to a capital, and is no joined words such as `OpenStreetMap`.
 * Of random letters, nearly all change twice within seven.
 */
function isRandomCase(token: string): boolean {
  if (token.length < 7 || !/^[A-Za-z]+$/.test(token) || JOINED_WORDS.test(token)) return false;
  return (token.match(/[a-z][A-Z]/g)?.length ?? 0) >= 2;
}

function isKeyboardMash(token: string): boolean {
  const strange = (token.match(KEYBOARD)?.length ?? 0) * 2 + (token.match(IMPOSSIBLE)?.length ?? 0);
  return strange >= (token.length > 12 ? 3 : 2) || (VOWELLESS.test(token) && token !== token.toUpperCase());
}

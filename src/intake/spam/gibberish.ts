import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import type { FieldText, SubmittedText } from './text.ts';

/** Pairs that no language in Latin letters has, but for a stray name. */
const IMPOSSIBLE =
  /q[bcdfghjklmnpqrstvwxyz]|[jkvwzxghfbdpmt]q|[jzvkwghdfb]x|x[jkzqgvdr]|z[jxqfr]|v[jxqwfkbmp]|[wfpb]j(?!o)|j[bcdfghklmpqrstvwxz]|jj|hhh|vvv|[dfgkp]w[dfgkp]|[cdfg]v[cbn]|[sf]d[fs]|k[jhl][ksdl]|h[kgj][ja]/gi;
/** Hands on the middle of a keyboard. */
const KEYBOARD =
  /asdf|sdfg|sdfs|dfgd|dfgh|fghj|ghjk|hjkl|lkjh|lkj|kjhg|jhgf|gfds|zxc|xcv|cvbn|vbnm|qwert|wertyu|poiuy|asdas|djks|skjd|kjdh|jkdh|hkjh|dkjf|jkhg|qweqw|asdk|йцук|цукен|фыва|ывап|вапр|пролд|ячсм|смить|ждло|лорп/gi;
/** What random letters have somewhere: looked for first, as hardly any text has it. */
const STRANGE = new RegExp(`${KEYBOARD.source}|${IMPOSSIBLE.source}|[bcdfghjklmnpqrstvwxz]{6}|[a-z][A-Z]`);
const VOWELLESS = /^[bcdfghjklmnpqrstvwxz]{6,40}$/i;
/** Of a field. */
const MIN_LETTERS = 5;
/** More of it is a text. */
const MAX_LENGTH = 300;

/** Random letters where words are asked for: one such field may be a code, two are a machine. */
export function gibberishSignals({ fields }: SubmittedText): Signal[] {
  const strange = fields.filter(mayBeWords);
  if (strange.length === 0) return [];
  const texts = [...new Set(strange.map(({ text }) => text.trim()))];
  const random = texts.map((text) => randomLetters(text));
  const count = random.filter((letters) => letters >= MIN_LETTERS).length;
  const total = random.reduce((sum, letters) => sum + letters, 0);
  if (total < 7) return [];
  if (count >= 2 && total >= 14) return [{ weight: SPAM_THRESHOLD, reason: `random letters in ${count} fields` }];
  return [{ weight: total >= 14 ? 80 : 40, reason: 'random letters in place of words' }];
}

/** Keys, addresses and code are random by nature. */
function mayBeWords({ text }: FieldText): boolean {
  return text.length <= MAX_LENGTH && !/[@/_={}()<>:`]/.test(text) && STRANGE.test(text);
}

/** How many letters stand in words that no one would write; none unless they are more than half. */
function randomLetters(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const tokens = text.split(/[^\p{L}\p{N}]+/u).filter((token) => /^\p{L}{3,40}$/u.test(token));
  const random = tokens.filter((token) => isRandomCase(token) || isMash(token)).join('').length;
  return random > letters / 2 ? random : 0;
}

/** Capitals in the midst, closer together than in any name of a program. */
function isRandomCase(token: string): boolean {
  if (token.length < 7 || !/^[A-Za-z]+$/.test(token)) return false;
  const humps = token.match(/[A-Z]?[a-z]+|[A-Z]/g) ?? [];
  const changes = token.match(/[a-z][A-Z]/g)?.length ?? 0;
  const isMixed = changes >= 3 && token.length / humps.length < 2.8;
  return isMixed || (changes >= 1 && token.length / humps.length < 3 && /[A-Z]{3}/.test(token) && isMash(token));
}

function isMash(token: string): boolean {
  const strange = (token.match(KEYBOARD)?.length ?? 0) * 2 + (token.match(IMPOSSIBLE)?.length ?? 0);
  return strange >= (token.length > 12 ? 3 : 2) || (VOWELLESS.test(token) && token !== token.toUpperCase());
}

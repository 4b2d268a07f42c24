import type { Evidence } from './evidence.ts';
import type { SubmittedText } from './text.ts';

const TOKEN = /[A-Za-z]{7,40}/g;
/** Pairs that no language in Latin letters has, but for a stray name. */
const IMPOSSIBLE =
  /q[bcdfghjklmnpqrstvwxyz]|[jkvwzxghfbdpmt]q|[jzvkwgh]x|x[jkzqgvd]|z[jxqf]|v[jxqwfk]|[wfpb]j(?!o)|jj|ww(?!w)|kkk|hhh|vvv/gi;
/** Hands on the middle of a keyboard. */
const KEYBOARD =
  /asdf|sdfg|dfgh|fghj|ghjk|hjkl|lkjh|kjhg|jhgf|gfds|zxcv|xcvb|cvbn|vbnm|qwertyu|poiuy|asdas|djks|skjd|kjdh|jkdh|hkjh|dkjf|jkhg/i;

/** Random letters where words are asked for: one such field may be a code, two are a machine. */
export function gibberishEvidence({ fields }: SubmittedText): Evidence[] {
  const found = fields.filter(({ text }) => isGibberish(text)).map(({ name }) => name);
  if (found.length === 0) return [];
  const weight = found.length === 1 ? 60 : 100;
  return [{ weight, reason: `random letters in ${found.length === 1 ? 'a field' : `${found.length} fields`}` }];
}

/** Whether more than half of the letters of a short text stand in words that no one would write. */
function isGibberish(text: string): boolean {
  if (text.length > 300 || /[\d@/_={}()<>]/.test(text)) return false;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const random = (text.match(TOKEN) ?? []).filter((token) => isRandomCase(token) || isMash(token));
  return random.length > 0 && random.join('').length > letters / 2;
}

/** Capitals in the midst, closer together than in any name of a program. */
function isRandomCase(token: string): boolean {
  const humps = token.match(/[A-Z]?[a-z]+|[A-Z]/g) ?? [];
  const changes = token.match(/[a-z][A-Z]/g)?.length ?? 0;
  return changes >= 3 && token.length / humps.length < 2.8;
}

function isMash(token: string): boolean {
  return KEYBOARD.test(token) || (token.match(IMPOSSIBLE)?.length ?? 0) >= 2;
}

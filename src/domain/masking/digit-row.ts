import { BREAK, kindOf } from './characters.ts';

/** The joint of two digits of one group: nothing visible is between them. */
export const DIRECT = 0;

const WIDEST_GAP = 3;

/**
 * The digits of a text in a row. Each hangs on the one before it by a joint: `DIRECT`, the kinds of separators between,
 * or `BREAK`, which also stands before the first digit and after the last. Digits with direct joints are a group.
 */
export class DigitRow {
  readonly count: number;
  private readonly digits: Uint8Array;
  private readonly joints: Uint16Array;
  private readonly starts: Uint32Array;

  constructor(readonly text: string) {
    const { length } = text;
    this.digits = new Uint8Array(length);
    this.joints = new Uint16Array(length);
    this.starts = new Uint32Array(length);
    let count = 0;
    let gap = BREAK;
    let gapWidth = 0;
    for (let at = 0; at < length; at++) {
      const code = codeAt(text, at);
      const kind = kindOf(code);
      if (kind < 10) {
        this.digits[count] = kind;
        this.joints[count] = gap & BREAK || gapWidth > WIDEST_GAP ? BREAK : gap;
        this.starts[count++] = at;
        gap = DIRECT;
        gapWidth = 0;
      } else {
        gap |= kind & ~0xf;
        gapWidth++;
      }
      if (code > 0xffff) at++;
    }
    this.joints.fill(BREAK, count);
    this.count = count;
  }

  /** The value of a digit, 0 to 9; 0 where there is none. */
  digit(at: number): number {
    return this.digits[at] ?? 0;
  }

  /** How a digit hangs on the one before it. */
  joint(at: number): number {
    return this.joints[at] ?? BREAK;
  }

  /** Where in the text a digit begins. */
  start(at: number): number {
    return this.starts[at] ?? 0;
  }

  /** Where in the text a digit ends: those of some scripts are two units long. */
  end(at: number): number {
    const start = this.start(at);
    return start + ((this.text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
  }

  /** The digits from `from` to before `to`, read as one number. */
  number(from: number, to: number): number {
    let number = 0;
    for (let at = from; at < to; at++) number = number * 10 + this.digit(at);
    return number;
  }

  /** The first digit of the group that this one is in. */
  groupStart(at: number): number {
    let start = at;
    while (this.joints[start] === DIRECT) start--;
    return start;
  }

  /** The first digit after the group that this one is in, which may be `count`. */
  groupEnd(at: number): number {
    let end = at + 1;
    while (this.joints[end] === DIRECT) end++;
    return end;
  }

  /** Whether the groups from `from`, which begins one, to `to` have these sizes. */
  isGrouped(from: number, to: number, sizes: readonly number[]): boolean {
    let at = from;
    for (const size of sizes) {
      if (this.groupEnd(at) !== at + size) return false;
      at += size;
    }
    return at === to;
  }
}

/** Like `codePointAt`, which is slow, and made for characters of one unit. */
function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff ? (text.codePointAt(at) ?? code) : code;
}

/** Whether a text has so many digits at all, told without making a row of them. */
export function hasDigits(text: string, wanted: number): boolean {
  let missing = wanted;
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at);
    if (kindOf(code) < 10 && --missing === 0) return true;
    if (code > 0xffff) at++;
  }
  return false;
}

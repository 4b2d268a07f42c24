import { BREAK, kindOf } from './characters.ts';

const WIDEST_GAP = 3;

/**
 * The digits of a text in groups: nothing visible is between those of one. Each group hangs on the one before it by a
 * joint: the kinds of separators between, or `BREAK`, which also stands before the first group and after the last.
 * One object may read many texts, each in place of the one before.
 */
export class DigitGroups {
  text = '';
  /** How many groups there are. Behind the last, `first` and `joint` tell where the digits end. */
  count = 0;
  private kinds = new Uint16Array();
  private digits = new Uint8Array();
  private firsts = new Uint32Array();
  private joints = new Uint16Array();
  private starts = new Uint32Array();
  private ends = new Uint32Array();

  read(text: string): void {
    this.makeRoom(text.length);
    const { kinds, digits, firsts, joints, starts, ends } = this;
    let digit = 0;
    let group = -1;
    let gap = BREAK;
    let gapWidth = 0;
    for (let at = 0, units = 1; at < text.length; at += units) {
      const code = codeAt(text, at);
      const kind = kindOf(code);
      units = code > 0xffff ? 2 : 1;
      kinds[at] = kind;
      if (units === 2) kinds.fill(kind < 10 ? BREAK : kind, at, at + 2);
      if (kind < 10) {
        if (gap !== 0) {
          group++;
          firsts[group] = digit;
          joints[group] = gap & BREAK ? BREAK : gap;
          starts[group] = at;
        }
        ends[group] = at + units;
        digits[digit++] = kind;
        gap = 0;
        gapWidth = 0;
      } else {
        gap |= ++gapWidth > WIDEST_GAP ? BREAK : kind & ~0xf;
      }
    }
    this.text = text;
    this.count = group + 1;
    kinds[text.length] = BREAK;
    firsts[this.count] = digit;
    joints[this.count] = BREAK;
  }

  private makeRoom(length: number): void {
    if (length <= this.digits.length) return;
    this.kinds = new Uint16Array(length + 1);
    this.digits = new Uint8Array(length);
    this.firsts = new Uint32Array(length + 1);
    this.joints = new Uint16Array(length + 1);
    this.starts = new Uint32Array(length);
    this.ends = new Uint32Array(length);
  }

  /** What is at a place in the text, see `kindOf`; `BREAK` before it, where it ends and in a digit two units long. */
  kindAt(at: number): number {
    return this.kinds[at] ?? BREAK;
  }

  /** The place of a group's first digit among all digits. */
  first(group: number): number {
    return this.firsts[group] ?? 0;
  }

  /** How many digits are in the groups from `group` to before `end`. */
  size(group: number, end = group + 1): number {
    return this.first(end) - this.first(group);
  }

  /** How a group hangs on the one before it. */
  joint(group: number): number {
    return this.joints[group] ?? BREAK;
  }

  /** Where in the text a group begins. */
  start(group: number): number {
    return this.starts[group] ?? 0;
  }

  /** Where in the text a group ends. */
  end(group: number): number {
    return this.ends[group] ?? 0;
  }

  /** The value of a digit, 0 to 9, by its place among all digits. */
  digit(at: number): number {
    return this.digits[at] ?? 0;
  }

  /** So many digits from a place among all digits, read as one number. */
  number(from: number, length: number): number {
    let number = 0;
    for (let at = from; at < from + length; at++) number = number * 10 + this.digit(at);
    return number;
  }

  /** Whether the groups from `group` to before `end` have these sizes. */
  haveSizes(group: number, end: number, sizes: readonly number[]): boolean {
    return end - group === sizes.length && sizes.every((size, at) => this.size(group + at) === size);
  }
}

/** Like `codePointAt`, which is slow, and made for characters of one unit. */
function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff ? (text.codePointAt(at) ?? code) : code;
}

/** Whether a text has so many digits at all, told without taking them apart. */
export function hasDigits(text: string, wanted: number): boolean {
  let missing = wanted;
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at);
    if (kindOf(code) < 10 && --missing === 0) return true;
    if (code > 0xffff) at++;
  }
  return false;
}

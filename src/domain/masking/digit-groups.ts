import { BREAK, getKind } from './characters.ts';

const MAX_GAP = 3;

/**
 * The digits of a text in groups without visible separators. A group's joint is the set of separators between it and
 * the previous group, or `BREAK`, as before the first and after the last group. An instance can be reused for many
 * texts.
 */
export class DigitGroups {
  text = '';
  /** Number of groups. `first` and `joint` have one more entry, which marks the end. */
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
      const kind = getKind(code);
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
        gap |= ++gapWidth > MAX_GAP ? BREAK : kind & ~0xf;
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

  /** Returns the kind (see `getKind`) at a text offset; `BREAK` outside the text and within a two-unit digit. */
  kindAt(at: number): number {
    return this.kinds[at] ?? BREAK;
  }

  /** Returns the index of a group's first digit among all digits. */
  first(group: number): number {
    return this.firsts[group] ?? 0;
  }

  /** Returns the number of digits in the groups from `group` up to, not including, `end`. */
  size(group: number, end = group + 1): number {
    return this.first(end) - this.first(group);
  }

  /** Returns the joint between a group and the previous one. */
  joint(group: number): number {
    return this.joints[group] ?? BREAK;
  }

  /** Returns the text offset of a group's start. */
  start(group: number): number {
    return this.starts[group] ?? 0;
  }

  /** Returns the text offset of a group's end. */
  end(group: number): number {
    return this.ends[group] ?? 0;
  }

  /** Returns the value of a digit, 0 to 9, by its index among all digits. */
  digit(at: number): number {
    return this.digits[at] ?? 0;
  }

  /** Returns `length` digits from index `from` as one number. */
  number(from: number, length: number): number {
    let number = 0;
    for (let at = from; at < from + length; at++) number = number * 10 + this.digit(at);
    return number;
  }

  /** Reports whether the groups from `group` up to, not including, `end` have these sizes. */
  haveSizes(group: number, end: number, sizes: readonly number[]): boolean {
    return end - group === sizes.length && sizes.every((size, at) => this.size(group + at) === size);
  }
}

/** Returns the code point at an offset; faster than `codePointAt` for characters of one unit. */
function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff ? (text.codePointAt(at) ?? code) : code;
}

/** Reports whether the text has at least `count` digits, without grouping them. */
export function hasDigits(text: string, count: number): boolean {
  let missing = count;
  for (let at = 0; at < text.length; at++) {
    const code = codeAt(text, at);
    if (getKind(code) < 10 && --missing === 0) return true;
    if (code > 0xffff) at++;
  }
  return false;
}

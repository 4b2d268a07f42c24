/** A phrase as it begins: a word or a stem, and the word behind it if that is a whole one. */
type Beginning = ReadonlyArray<Readonly<{ kind: string; text: string }>>;

const SIZE = 2 ** 18;
const STEM_LENGTH = 3;
const STEM_MARK = 0x2a;

/**
 * Which words phrases begin with, as bits under hashes: it may say yes by mistake, never no. A text is gone through by its
 * characters once.
 */
export class Beginnings {
  readonly #bits = new Uint8Array(SIZE);

  note([first, second]: Beginning): void {
    if (first?.kind === 'word') {
      const word = hashOf(first.text);
      this.#bits[(second?.kind === 'word' ? pairOf(word, hashOf(second.text)) : word) % SIZE] = 1;
    } else if (first?.kind === 'stem') {
      this.#bits[step(hashOf(first.text.slice(0, STEM_LENGTH)), STEM_MARK) % SIZE] = 1;
    }
  }

  /**
   * At which words of a text of small ASCII letters phrases may begin. Words are runs of letters and digits, and the signs
   * `%` and `$`. A number may begin any.
   */
  startsIn(text: string): number[] {
    const starts: number[] = [];
    const note = (index: number) => {
      if (starts.at(-1) !== index) starts.push(index);
    };
    let index = 0;
    let before = 0;
    let word = START;
    let length = 0;
    for (let at = 0; at <= text.length; at++) {
      const code = at < text.length ? text.charCodeAt(at) : 0x20;
      const isLetter = code >= 0x61 && code <= 0x7a;
      if (isLetter || (code >= 0x30 && code <= 0x39)) {
        word = step(word, code);
        length++;
        if (length === 1 && !isLetter) note(index);
        else if (length === STEM_LENGTH && this.#has(step(word, STEM_MARK))) note(index);
        continue;
      }
      if (length > 0) {
        if (this.#has(pairOf(before, word))) starts.push(index - 1);
        if (this.#has(word)) note(index);
        before = word;
        word = START;
        length = 0;
        index++;
      }
      if (code === 0x25 || code === 0x24) {
        before = hashOf(text.charAt(at));
        index++;
      }
    }
    return [...new Set(starts)].sort((a, b) => a - b);
  }

  #has(hash: number): boolean {
    return this.#bits[hash % SIZE] === 1;
  }
}

/** FNV-1a, 32 bits. */
const START = 0x811c9dc5;

function step(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193) >>> 0;
}

function hashOf(text: string): number {
  let hash = START;
  for (let at = 0; at < text.length; at++) hash = step(hash, text.charCodeAt(at));
  return hash;
}

function pairOf(first: number, second: number): number {
  return (Math.imul(first, 31) ^ second) >>> 0;
}

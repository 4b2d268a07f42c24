/** Numbers of things in the submission, from which its shape is derived. */
export const totals = {
  words: 0,
  links: 0,
  addresses: 0,
  tags: 0,
  symbols: 0,
  letters: 0,
  capitals: 0,
  digits: 0,
  foreign: 0,
  units: 0,
  marks: 0,
  /** Changes from a small letter to a capital within words. */
  jumps: 0,
  /** Words of 7 to 40 letters with two jumps or more. */
  jumpWords: 0,
  /** Words with letters of two alphabets. */
  mixed: 0,
  /** Invisible characters within and between words. */
  hidden: 0,
  /** Characters of code, markup and templates. */
  code: 0,
};

/** Numbers of things in the last submission. */
export type Totals = Readonly<typeof totals>;

export function clearTotals(): void {
  totals.words = 0;
  totals.links = 0;
  totals.addresses = 0;
  totals.tags = 0;
  totals.symbols = 0;
  totals.letters = 0;
  totals.capitals = 0;
  totals.digits = 0;
  totals.foreign = 0;
  totals.units = 0;
  totals.marks = 0;
  totals.jumps = 0;
  totals.jumpWords = 0;
  totals.mixed = 0;
  totals.hidden = 0;
  totals.code = 0;
}

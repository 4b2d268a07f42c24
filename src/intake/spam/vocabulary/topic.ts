/**
 * What is offered unasked, and how those speak who offer it: phrases that tell (a customer would not say them) and words
 * that only hint (a customer may). A phrase is of whole words; `*` ends a stem, `…` stands for up to three words and `#`
 * for a number. Accents and case do not matter. Scripts without spaces, and those that join words, are found anywhere.
 */
export type Topic = Readonly<{ name: string; telling: readonly string[]; hinting: readonly string[] }>;

/** One topic; its phrases stand between bars. */
export function topic(name: string, telling: string, hinting = ''): Topic {
  return { name, telling: phrases(telling), hinting: phrases(hinting) };
}

/** The phrases of a text in which they stand between bars or on lines of their own. */
export function phrases(text: string): readonly string[] {
  return text
    .split(/[|\n]/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '');
}

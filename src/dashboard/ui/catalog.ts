export type Language = 'en' | 'de';

/** The texts of a feature by language. English declares their type, and the compiler asks for the same in each language. */
export function catalog<Texts>(
  texts: Readonly<{ en: Texts } & { [Other in Exclude<Language, 'en'>]: NoInfer<Texts> }>,
): Readonly<Record<Language, Texts>> {
  return texts;
}

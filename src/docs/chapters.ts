import { CHAPTERS, type ChapterSource, GERMAN_CHAPTERS, GERMAN_START, START } from '../manual/index.ts';
import { type Heading, plainText, renderMarkdown } from './markdown.ts';

export type Language = 'en' | 'de';

/** A rendered chapter. In `markup` and `lead`, `EXAMPLE_ADDRESS` still takes the place of the instance's address. */
export type Chapter = Readonly<{
  slug: string;
  path: string;
  language: Language;
  title: string;
  /** The first paragraph, as plain text. */
  lead: string;
  headings: readonly Heading[];
  markup: string;
}>;

/** A section of a page in the search index. */
export type Section = Readonly<{
  path: string;
  /** The chapter's title. */
  chapter: string;
  title: string;
  text: string;
  /** The text without tables and code; absent if it is the same. */
  prose?: string;
}>;

/** The address in the chapters that is replaced by the instance's own. */
export const EXAMPLE_ADDRESS = 'http://127.0.0.1:3000';

/** The name of each group in the navigation, by its first chapter. */
const GROUP_TITLES: Readonly<Record<string, string>> = {
  'quick-start': 'Get started',
  submissions: 'Submissions',
  'management-api': 'Data and API',
  configuration: 'Operations',
  design: 'Background',
};

const slugs = new Set(CHAPTERS.map(({ slug }) => slug));

const isChapter = (slug: string): boolean => slugs.has(slug);

/** The first pages of the editions below their titles. */
export const STARTS: Readonly<Record<Language, string>> = {
  en: renderMarkdown(START, isChapter).markup,
  de: renderMarkdown(GERMAN_START, isChapter).markup,
};

/** Paths of the English chapters that correspond to German ones. */
export const COUNTERPARTS: Readonly<Record<string, string>> = {
  '/docs/de': '/docs',
  '/docs/de/erste-schritte': '/docs/for-clients',
  '/docs/de/einsendungen': '/docs/submissions',
  '/docs/de/formulare': '/docs/connect-forms',
  '/docs/de/e-mail': '/docs/mail',
  '/docs/de/export-und-loeschen': '/docs/exports-and-erasure',
  '/docs/de/spam': '/docs/spam',
};

const toChapter =
  (folder: string, language: Language) =>
  ({ slug, text }: ChapterSource): Chapter => {
    const rendered = renderMarkdown(text, isChapter);
    const [, lead = ''] = /^\s*<p>([\s\S]*?)<\/p>/.exec(rendered.markup) ?? [];
    return { slug, path: `${folder}/${slug}`, language, lead: plainText(lead), ...rendered };
  };

export const chapters: readonly Chapter[] = CHAPTERS.map(toChapter('/docs', 'en'));
export const germanChapters: readonly Chapter[] = GERMAN_CHAPTERS.map(toChapter('/docs/de', 'de'));

/** The chapters in the groups of the navigation. */
export const groups: Array<Readonly<{ title: string; chapters: Chapter[] }>> = [];
for (const chapter of chapters) {
  const title = GROUP_TITLES[chapter.slug];
  if (title !== undefined || groups.length === 0) groups.push({ title: title ?? '', chapters: [] });
  groups.at(-1)?.chapters.push(chapter);
}

/** Returns the parts of a chapter: the text above its first heading, then one part for each heading. */
export function getSections({ path, title, headings, markup }: Chapter): readonly Section[] {
  const [opening = '', ...parts] = markup.split(/<div class="heading"><h[2-6] id="[^"]*">/);
  const rest = parts.map((part, index) => {
    const { id, title: own } = headings[index] ?? { id: '', title };
    return { path: `${path}#${id}`, chapter: title, title: own, ...getTexts(part.replace(/^[\s\S]*?<\/div>/, '')) };
  });
  return [{ path, chapter: title, title, ...getTexts(opening) }, ...rest];
}

const getTexts = (markup: string) => ({
  text: plainText(markup.replace(/<\/t[dh]><t[dh]/g, ' · $&')),
  prose: plainText(markup.replace(/<(table|pre)[\s\S]*?<\/\1>/g, '')),
});

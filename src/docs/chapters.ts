import { CHAPTERS } from '../manual/index.ts';
import { type Heading, plainText, renderMarkdown } from './markdown.ts';

/** A rendered chapter. In `markup` and `lead`, `EXAMPLE_ADDRESS` still takes the place of the instance's address. */
export type Chapter = Readonly<{
  slug: string;
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

export const chapters: readonly Chapter[] = CHAPTERS.map(({ slug, text }) => {
  const rendered = renderMarkdown(text, (name) => slugs.has(name));
  const [, lead = ''] = /^\s*<p>([\s\S]*?)<\/p>/.exec(rendered.markup) ?? [];
  return { slug, lead: plainText(lead), ...rendered };
});

/** The chapters in the groups of the navigation. */
export const groups: ReadonlyArray<Readonly<{ title: string; chapters: readonly Chapter[] }>> = groupChapters();

function groupChapters() {
  const groups: Array<{ title: string; chapters: Chapter[] }> = [];
  for (const chapter of chapters) {
    const title = GROUP_TITLES[chapter.slug];
    if (title !== undefined || groups.length === 0) groups.push({ title: title ?? '', chapters: [] });
    groups.at(-1)?.chapters.push(chapter);
  }
  return groups;
}

/** Returns the parts of a chapter: the text above its first heading, then one part for each heading. */
export function getSections({ slug, title, headings, markup }: Chapter): readonly Section[] {
  const [opening = '', ...parts] = markup.split(/<div class="heading"><h[2-6] id="[^"]*">/);
  const own = { path: `/docs/${slug}`, chapter: title, title, text: plainText(opening) };
  return [
    own,
    ...parts.map((part, index): Section => {
      const heading = headings[index];
      return {
        path: `/docs/${slug}#${heading?.id ?? ''}`,
        chapter: title,
        title: heading?.title ?? title,
        text: plainText(part.replace(/^[\s\S]*?<\/div>/, '')),
      };
    }),
  ];
}

import { type CodeLanguage, highlight } from '../lib/highlight.ts';

/** A section of a page: its anchor, its heading as plain text, its level, and the method of an operation. */
export type Heading = Readonly<{ id: string; title: string; level: number; method?: string }>;

export type Rendered = Readonly<{
  /** The level 1 heading as plain text. */
  title: string;
  headings: readonly Heading[];
  markup: string;
}>;

/**
 * Renders a chapter's Markdown. Every piece of text is escaped, raw HTML included; HTML comments are left out, and images
 * are replaced by their description. `isChapter` decides which relative links lead to other chapters.
 */
export function renderMarkdown(source: string, isChapter: (slug: string) => boolean): Rendered {
  let title = '';
  const headings: Heading[] = [];
  const used = new Map<string, number>();
  const wrap = (tag: string) => (children: string) => `<${tag}>${children}</${tag}>`;
  const block = (tag: string) => (children: string) => `<${tag}>${children}</${tag}>\n`;

  const markup = Bun.markdown.render(source, {
    text: (text) => Bun.escapeHTML(text.replace(/(?<=\p{L})'(?=\p{L}|\s|$)/gu, '’')),
    heading: (children, { level }) => {
      const text = plainText(children);
      if (level === 1) {
        title = text;
        return '';
      }
      const id = uniqueSlug(text, used);
      headings.push({ id, title: text, level });
      return headingMarkup(level, id, text, children);
    },
    paragraph: block('p'),
    blockquote: block('blockquote'),
    code: (children, meta) => codeMarkup(decode(children), meta?.language),
    list: (children, { ordered, start = 1 }) =>
      ordered ? `<ol${start === 1 ? '' : ` start="${start}"`}>\n${children}</ol>\n` : `<ul>\n${children}</ul>\n`,
    listItem: (children) => `<li>${children.trimEnd()}</li>\n`,
    table: (children) => `<div class="scroll" tabindex="0"><table>\n${children}</table></div>\n`,
    thead: wrap('thead'),
    tbody: wrap('tbody'),
    tr: block('tr'),
    th: wrap('th'),
    td: wrap('td'),
    html: (children) => (children.startsWith('&lt;!--') ? '' : children),
    strong: wrap('strong'),
    emphasis: wrap('em'),
    codespan: wrap('code'),
    link: (children, { href }) => linkMarkup(children, href, isChapter),
    image: (children) => children,
  });
  return { title, headings, markup };
}

/** Returns a heading followed by a link to itself. */
export function headingMarkup(level: number, id: string, text: string, children: string): string {
  const label = Bun.escapeHTML(`Link to “${text}”`);
  const anchor = `<a class="anchor" href="#${id}" aria-label="${label}">#</a>`;
  return `<div class="heading"><h${level} id="${id}">${children}</h${level}>${anchor}</div>\n`;
}

/** Returns a code block in the colors of its language, below a bar to which a script adds the copy button. */
export function codeMarkup(code: string, language = ''): string {
  const text = code.trimEnd();
  const colored = language === '' ? Bun.escapeHTML(text) : highlight(text, LANGUAGES[language] ?? 'other');
  const name = LANGUAGE_NAMES[language] ?? Bun.escapeHTML(language.toUpperCase());
  const label = name === '' ? '' : ` data-language="${name}"`;
  return `<div class="code"><div class="bar"${label}></div><pre tabindex="0"><code>${colored}</code></pre></div>\n`;
}

const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  ...{ sh: 'Shell', js: 'JavaScript', ts: 'TypeScript', jsx: 'React', vue: 'Vue', svelte: 'Svelte', astro: 'Astro' },
  ...{ curl: '', javascript: '', python: '', text: '' },
};

const LANGUAGES: Readonly<Record<string, CodeLanguage>> = {
  ...{ html: 'markup', vue: 'markup', svelte: 'markup', astro: 'markup' },
  ...{ js: 'script', jsx: 'script', ts: 'script', tsx: 'script', javascript: 'script' },
};

/** Returns the text of markup this module made, without tags and permalinks, on one line. */
export function plainText(markup: string): string {
  return decode(
    markup
      .replace(/<a class="anchor"[^>]*>#<\/a>/g, '')
      .replace(/<\/?(?:a|code|em|strong|span)\b[^>]*>/g, '')
      .replace(/<[^>]*>/g, ' '),
  )
    .replace(/\s+/g, ' ')
    .trim();
}

function decode(markup: string): string {
  return markup.replace(/&(lt|gt|quot|#x27|amp);/g, (_, name: string) => CHARACTERS[name] ?? '');
}

const CHARACTERS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#x27': "'", amp: '&' };

/** Returns the anchor that GitHub gives this heading, so that links work there too. */
function uniqueSlug(text: string, used: Map<string, number>): string {
  const slug = text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
  const count = used.get(slug) ?? 0;
  used.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/**
 * Returns a link: `spam.md#challenges` leads to the chapter's page; anchors, paths of this instance and addresses stay. Any
 * other target, such as a file of the repository, cannot be shown here, so only the text remains.
 */
function linkMarkup(children: string, href: string, isChapter: (slug: string) => boolean): string {
  const [, slug = '', anchor = ''] = /^(?:\.\/)?([a-z0-9-]+)\.md(#.*)?$/.exec(href) ?? [];
  const target = isChapter(slug) ? `/docs/${slug}${anchor}` : /^(?:#|\/(?!\/)|https?:\/\/)/.test(href) ? href : null;
  return target === null ? children : `<a href="${Bun.escapeHTML(target)}">${children}</a>`;
}

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import { type Chapter, chapters, EXAMPLE_ADDRESS, type Section } from './chapters.ts';
import { Contents, type Page } from './layout.tsx';
import { getExcerpt, type SectionIndex } from './search.ts';

/** Returns the first page of the manual. */
export function contentsPage(version: string): Page {
  return {
    title: 'Formstead manual',
    path: '/docs',
    headings: [],
    body: (
      <>
        <h1>Formstead manual</h1>
        <p class="lead">
          How to connect forms, work with submissions and run an instance. This server runs version {version}; this is
          its manual.
        </p>
        <Contents />
      </>
    ),
  };
}

/** Returns the page of the chapter at an index. */
export function chapterPage({ slug, title, headings, markup }: Chapter, index: number): Page {
  return {
    title,
    path: `/docs/${slug}`,
    headings,
    body: (
      <>
        <article>
          <h1>{title}</h1>
          {raw(markup)}
        </article>
        <TurnLinks before={chapters[index - 1]} after={chapters[index + 1]} />
      </>
    ),
  };
}

/** Returns the page for an unknown address. */
export function unknownPage(): Page {
  return {
    title: 'Page not found',
    path: null,
    headings: [],
    body: (
      <>
        <h1>Page not found</h1>
        <p class="lead">The manual has no page at this address. Search for it, or choose a chapter.</p>
        <Contents />
      </>
    ),
  };
}

function TurnLinks({ before, after }: Readonly<Record<'before' | 'after', Chapter | undefined>>) {
  return (
    <nav class="turn" aria-label="Previous and next chapter">
      {before && (
        <a class="before" rel="prev" href={`/docs/${before.slug}`}>
          <small>Previous</small> {before.title}
        </a>
      )}
      {after && (
        <a class="after" rel="next" href={`/docs/${after.slug}`}>
          <small>Next</small> {after.title}
        </a>
      )}
    </nav>
  );
}

/** Returns the page of a search. `address` replaces the example address in excerpts. */
export function searchPage(index: SectionIndex, query: string, address: string): Page {
  const { results, total } = index.find(query);
  return {
    title: query === '' ? 'Search' : `Search: ${query}`,
    path: null,
    headings: [],
    query,
    body: (
      <>
        <h1>Search</h1>
        <p class="lead">{getSummary(query, results.length, total)}</p>
        {results.length === 0 ? (
          <Contents />
        ) : (
          <ol class="results">
            {results.map(({ section, words }) => (
              <Result section={section} words={words} address={address} />
            ))}
          </ol>
        )}
      </>
    ),
  };
}

function getSummary(query: string, shown: number, total: number): string {
  if (query === '') return 'Ask in your own words, or type a few that matter.';
  if (total === 0) return `Nothing found for “${query}”. Try other words, or choose a chapter.`;
  const count = total === 1 ? '1 section' : `${total} sections`;
  return `${count} for “${query}”${shown < total ? `; the best ${shown} are shown` : ''}.`;
}

function Result({
  section: { path, chapter, title, text },
  words,
  address,
}: Readonly<{ section: Section; words: readonly string[]; address: string }>) {
  const excerpt = getExcerpt(text, words);
  const shown = excerpt.text.replaceAll(EXAMPLE_ADDRESS, () => address);
  return (
    <li>
      <a href={path}>
        <Marked text={title} words={words} />
      </a>
      {title !== chapter && (
        <>
          {' '}
          <span class="soft">{chapter}</span>
        </>
      )}
      <p>
        {excerpt.isStart || '… '}
        <Marked text={shown} words={words} />
        {excerpt.isEnd || ' …'}
      </p>
    </li>
  );
}

/** Text with every word marked, longer words first. */
function Marked({ text, words }: Readonly<{ text: string; words: readonly string[] }>) {
  const pattern = new RegExp(
    `(${[...words]
      .sort((a, b) => b.length - a.length)
      .map((word) => `\\b${RegExp.escape(word)}[\\p{L}\\d]*`)
      .join('|')})`,
    'giu',
  );
  // A split by a group leaves the matches at the odd places.
  return <>{text.split(pattern).map((piece, index) => (index % 2 === 1 ? <mark>{piece}</mark> : piece))}</>;
}

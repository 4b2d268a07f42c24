/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { EXAMPLE_ADDRESS, type Section } from './chapters.ts';
import { Contents, type Page } from './layout.tsx';
import { findSections, getExcerpt } from './search.ts';

/** Returns the page of a search. `address` replaces the example address in excerpts. */
export function searchPage(sections: readonly Section[], query: string, address: string): Page {
  const { results, words, total } = findSections(sections, query);
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
            {results.map((section) => (
              <Result section={section} words={words} address={address} />
            ))}
          </ol>
        )}
      </>
    ),
  };
}

function getSummary(query: string, shown: number, total: number): string {
  if (query === '') return 'Type one or more words. Sections that contain all of them are listed.';
  if (total === 0) return `No section contains all words of “${query}”. Try fewer words, or choose a chapter.`;
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

/** Text with every word marked. */
function Marked({ text, words }: Readonly<{ text: string; words: readonly string[] }>) {
  const pattern = new RegExp(`(${words.map((word) => RegExp.escape(word)).join('|')})`, 'gi');
  // A split by a group leaves the matches at the odd places.
  return <>{text.split(pattern).map((piece, index) => (index % 2 === 1 ? <mark>{piece}</mark> : piece))}</>;
}

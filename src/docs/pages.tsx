/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import { type Chapter, EXAMPLE_ADDRESS, type Language, type Section } from './chapters.ts';
import { Contents, type Page, TEXTS } from './layout.tsx';
import { getExcerpt, type SectionIndex } from './search.ts';

/** Returns the first page of the manual. */
export function contentsPage(version: string, language: Language): Page {
  const { title, home, lead } = TEXTS[language];
  return listPage(language, home, title, lead(version));
}

/** Returns the page for an unknown address. */
export function unknownPage(language: Language): Page {
  const { unknown, unknownLead } = TEXTS[language];
  return listPage(language, null, unknown, unknownLead);
}

/** Returns a page with the list of all chapters. */
function listPage(language: Language, path: string | null, title: string, lead: string): Page {
  const body = (
    <>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      <Contents language={language} />
    </>
  );
  return { title, path, language, headings: [], body };
}

/** Returns the page of a chapter, with links to its neighbors. */
export function chapterPage(chapter: Chapter, before: Chapter | undefined, after: Chapter | undefined): Page {
  const { path, language, title, headings, markup } = chapter;
  const texts = TEXTS[language];
  const body = (
    <>
      <article>
        <h1>{title}</h1>
        {raw(markup)}
      </article>
      <nav class="turn" aria-label={texts.turn}>
        {before && (
          <a class="before" rel="prev" href={before.path}>
            <small>{texts.before}</small> {before.title}
          </a>
        )}
        {after && (
          <a class="after" rel="next" href={after.path}>
            <small>{texts.after}</small> {after.title}
          </a>
        )}
      </nav>
    </>
  );
  return { title, path, language, headings, body };
}

/** Returns the page of a search. `address` replaces the example address in excerpts. */
export function searchPage(index: SectionIndex, query: string, address: string, language: Language): Page {
  const { results, total } = index.find(query);
  const texts = TEXTS[language];
  return {
    title: query === '' ? texts.searchTitle : `${texts.searchTitle}: ${query}`,
    path: null,
    language,
    headings: [],
    query,
    body: (
      <>
        <h1>{texts.searchTitle}</h1>
        <p class="lead">{query === '' ? texts.ask : texts.found(query, total, results.length)}</p>
        {results.length === 0 ? (
          <Contents language={language} />
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
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const choices = longestFirst.map((word) => `\\b${RegExp.escape(word)}[\\p{L}\\d]*`);
  const pattern = new RegExp(`(${choices.join('|')})`, 'giu');
  // A split by a group leaves the matches at the odd places.
  return <>{text.split(pattern).map((piece, index) => (index % 2 === 1 ? <mark>{piece}</mark> : piece))}</>;
}

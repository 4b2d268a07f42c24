/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import { type Chapter, EXAMPLE_ADDRESS, type Language, type Section } from './chapters.ts';
import { Contents, type Page, TEXTS } from './layout.tsx';
import { getExcerpt, type SectionIndex } from './search.ts';

/** Returns the first page of the manual. */
export function contentsPage(version: string, language: Language): Page {
  const texts = TEXTS[language];
  return {
    title: texts.title,
    path: texts.home,
    language,
    headings: [],
    body: (
      <>
        <h1>{texts.title}</h1>
        <p class="lead">{texts.lead(version)}</p>
        <Contents language={language} />
      </>
    ),
  };
}

/** Returns the page of a chapter, with links to its neighbors. */
export function chapterPage(
  { path, language, title, headings, markup }: Chapter,
  before: Chapter | undefined,
  after: Chapter | undefined,
): Page {
  return {
    title,
    path,
    language,
    headings,
    body: (
      <>
        <article>
          <h1>{title}</h1>
          {raw(markup)}
        </article>
        <TurnLinks before={before} after={after} texts={TEXTS[language]} />
      </>
    ),
  };
}

/** Returns the page for an unknown address. */
export function unknownPage(language: Language): Page {
  const texts = TEXTS[language];
  return {
    title: texts.unknown,
    path: null,
    language,
    headings: [],
    body: (
      <>
        <h1>{texts.unknown}</h1>
        <p class="lead">{texts.unknownLead}</p>
        <Contents language={language} />
      </>
    ),
  };
}

type Neighbors = Readonly<Record<'before' | 'after', Chapter | undefined>>;

function TurnLinks({ before, after, texts }: Neighbors & Readonly<{ texts: (typeof TEXTS)[Language] }>) {
  return (
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
  );
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

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import { type Chapter, EXAMPLE_ADDRESS, type Language, type Section, STARTS } from './chapters.ts';
import { type Page, TEXTS } from './layout.tsx';
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

/** Returns a page with chapters to start with. */
function listPage(language: Language, path: string | null, title: string, lead: string): Page {
  const body = (
    <>
      <h1>{title}</h1>
      <p class="lead">{lead}</p>
      <Starts language={language} />
    </>
  );
  return { title, path, language, headings: [], body };
}

/** A few chapters to start with, each with a line about it. */
const Starts = ({ language }: Readonly<{ language: Language }>) => <div class="contents">{raw(STARTS[language])}</div>;

/** A chapter with more headings lists its main sections only, and sets short texts close. */
const MAX_HEADINGS = 40;

/** Returns the page of a chapter, with links to its neighbors. */
export function chapterPage(chapter: Chapter, before: Chapter | undefined, after: Chapter | undefined): Page {
  const { path, language, title, headings, markup } = chapter;
  const texts = TEXTS[language];
  const isDense = headings.length > MAX_HEADINGS;
  const body = (
    <>
      <article class={isDense ? 'dense' : undefined}>
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
  const listed = isDense ? headings.filter(({ level }) => level === 2) : headings;
  return { title, path, language, headings: listed, body };
}

/** Returns the page of a search. `address` replaces the example address in excerpts. */
export function searchPage(index: SectionIndex, query: string, address: string, language: Language): Page {
  const results = index.find(query);
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
        <p class="lead">{query === '' ? texts.ask : texts.found(query, results.length)}</p>
        {results.length === 0 ? (
          <Starts language={language} />
        ) : (
          <ol class="results">
            {results.map(({ section, words }) => (
              <Result section={section} words={words} address={address} manual={texts.manual} />
            ))}
          </ol>
        )}
      </>
    ),
  };
}

type ResultProps = Readonly<{ section: Section; words: readonly string[]; address: string; manual: string }>;

function Result({ section, words, address, manual }: ResultProps) {
  const { path, chapter, title } = section;
  const excerpt = getExcerpt(section, words);
  const shown = excerpt.text.replaceAll(EXAMPLE_ADDRESS, () => address);
  return (
    <li>
      <small>{title === chapter ? manual : chapter}</small>
      <a href={path}>{title}</a>
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
  const choices = words.toSorted((a, b) => b.length - a.length).map((word) => `\\b${RegExp.escape(word)}[\\p{L}\\d]*`);
  const pattern = new RegExp(`(${choices.join('|')})`, 'giu');
  // A split by a group leaves the matches at the odd places.
  return <>{text.split(pattern).map((piece, index) => (index % 2 === 1 ? <mark>{piece}</mark> : piece))}</>;
}

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import { type Chapter, chapters } from './chapters.ts';
import { Contents, type Page } from './layout.tsx';

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

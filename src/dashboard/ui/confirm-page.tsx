/** @jsxRuntime automatic @jsxImportSource hono/jsx */

import type { Markup } from '../../lib/markup.ts';
import type { Page } from '../page.ts';
import type { Viewer } from '../viewer.ts';
import { SubmitRow } from './elements.tsx';
import type { Section } from './header.tsx';

type Question = Readonly<{
  title: string;
  /** The object of the action, above the text. */
  about?: Markup;
  text: string;
  action: string;
  button: string;
  /** True if the action can be undone. */
  isSafe?: boolean;
  /** Hidden inputs. */
  fields?: Markup;
  /** The path to return to. */
  cancel: string;
}>;

/** Returns a page that asks before an action. */
export function confirmPage(viewer: Viewer, section: Section, question: Question): Page {
  const { title, about, text, action, button, isSafe = false, fields, cancel } = question;
  return {
    title,
    section,
    body: (
      <>
        <h1>{title}</h1>
        <form method="post" action={action} class="card narrow">
          {about}
          <p>{text}</p>
          {fields}
          <SubmitRow viewer={viewer} text={button} cancel={cancel} isDanger={!isSafe} />
        </form>
      </>
    ),
  };
}

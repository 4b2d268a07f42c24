/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import { hostedPagePath, hostedPageProblem } from '../../../domain/forms/hosted-page.ts';
import { Card, LinkLine } from '../../ui/elements.tsx';
import type { Viewer } from '../../viewer.ts';
import { Code } from './code.tsx';
import { attribute } from './escape.ts';

type Props = Readonly<{ viewer: Viewer; form: Form; origin: string }>;

/** The address of the form's hosted page and the code that embeds it, or how to get one. */
export function HostedSection({ viewer, form, origin }: Props) {
  const { hosted: t } = viewer.texts;
  const problem = hostedPageProblem(form);
  const url = `${origin}${hostedPagePath(form)}`;
  return (
    <Card id="hosted-title" title={t.title}>
      <p class="soft">{t.text}</p>
      {problem === null ? (
        <>
          <LinkLine href={url} text={url} />
          <p class="soft small">{t.embed}</p>
          <Code viewer={viewer} id="embed" code={embedSnippet(url, form.publicName ?? t.frameTitle)} />
          {form.allowedOrigins.length > 0 && <p class="note">{t.origins}</p>}
        </>
      ) : (
        <p class={problem === 'off' ? undefined : 'note'}>
          {t.problems[problem]}{' '}
          {viewer.can('edit') && <a href={`/dashboard/forms/${form.id}/settings`}>{t.settings}</a>}
        </p>
      )}
    </Card>
  );
}

function embedSnippet(url: string, title: string): string {
  const attributes = `src=${attribute(url)} title=${attribute(title)} width="100%" height="700" loading="lazy"`;
  return `<iframe ${attributes} style="border: 0"></iframe>`;
}

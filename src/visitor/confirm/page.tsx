/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import { Brand, respond, State } from '../frame.tsx';
import { getLanguage, textsIn } from '../i18n/index.ts';
import type { Look } from '../look.ts';

// The address is the secret of the link.
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** Returns the page that asks the visitor to confirm their address, or what became of it. */
export function confirmPage(request: Request, form: Form | null, state: 'ask' | 'done' | 'gone', look: Look): Response {
  const language = getLanguage(request, form);
  const { confirm: t, thanks, failed } = textsIn(language);
  const [title, text] = { ask: [t.ask, t.text], done: [t.done, thanks.text], gone: [failed, t.gone] }[state];
  const content = (
    <main>
      <Brand look={look} />
      {state !== 'ask' && <State kind={state === 'done' ? 'done' : 'failed'} />}
      <h1>{title}</h1>
      <p>{text}</p>
      {state === 'ask' && (
        <form method="post">
          <button type="submit">{t.button}</button>
        </form>
      )}
    </main>
  );
  const directives = { 'form-action': "'self'", 'frame-ancestors': "'none'" };
  const status = state === 'gone' ? 404 : 200;
  return respond({ status, language, title: title ?? '', content, headers: HEADERS, look, directives });
}

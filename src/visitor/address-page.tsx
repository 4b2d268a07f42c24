/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../domain/forms/form.ts';
import { respond } from './frame.tsx';
import { getLanguage, textsIn } from './i18n/index.ts';

/** Renders the 401 page for a browser that opens the address of a form. It shows nothing but that address. */
export function addressPage(request: Request, form: Form, origin: string): Response {
  const language = getLanguage(request, form);
  const { address: t } = textsIn(language);
  const content = (
    <main>
      <h1>{t.title}</h1>
      <p>{t.text}</p>
      <p>{t.use}</p>
      <pre>
        {`<form action="${origin}/v1/forms/${form.shortId}/submissions" method="post">
  <input name="email" type="email" required> <button>Send</button>
</form>`}
      </pre>
      <p class="back">
        <a href="/docs/connect-forms" hreflang="en">
          {t.manual}
        </a>
      </p>
    </main>
  );
  const headers = { 'Cache-Control': 'no-store', 'WWW-Authenticate': 'Bearer' };
  return respond({ status: 401, language, title: t.title, content, headers });
}

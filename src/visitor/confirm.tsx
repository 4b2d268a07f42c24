/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { Elysia } from 'elysia';
import type { Context } from '../context/context.ts';
import type { Form } from '../domain/forms/form.ts';
import type { Peers } from '../http/client-address.ts';
import { requestLimit } from '../http/request-limit.ts';
import { confirmSubmission, findConfirmable } from '../services/submissions/confirm-submission.ts';
import { Brand, respond, STATES } from './frame.tsx';
import { getLanguage, textsIn } from './i18n/index.ts';
import { getLook, type Look, PLAIN } from './look.ts';

const PATH = '/confirm/:submissionId/:token';
const REQUESTS_PER_MINUTE = 60;

// The address is the secret of the link.
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

type Params = Readonly<{ submissionId: string; token: string }>;

/** Registers the link of confirmation mails. Scanners of mails open links, so that only a post confirms. */
export function confirmRoutes(context: Context) {
  const countRequest = requestLimit(context, REQUESTS_PER_MINUTE, 'requests');

  const answer = async (request: Request, server: Peers | null, { submissionId, token }: Params) => {
    countRequest(request, server);
    const found = await findConfirmable(context, submissionId, token);
    if (found === null) return confirmPage(request, null, 'gone', PLAIN);
    const { form, submission } = found;
    const isConfirmed =
      request.method === 'POST'
        ? await confirmSubmission(context, found, getLanguage(request, form))
        : submission.confirmedAt !== null;
    const state = isConfirmed ? 'done' : request.method === 'POST' ? 'gone' : 'ask';
    return confirmPage(request, form, state, await getLook(context.store, form, false));
  };

  return new Elysia()
    .get(PATH, ({ request, server, params }) => answer(request, server, params))
    .post(PATH, ({ request, server, params }) => answer(request, server, params), { parse: 'none' });
}

/** Returns the page that asks the visitor to confirm their address, or what became of it. */
function confirmPage(request: Request, form: Form | null, state: 'ask' | 'done' | 'gone', look: Look): Response {
  const language = getLanguage(request, form);
  const { confirm: t, thanks } = textsIn(language);
  const [title, text] = { ask: [t.ask, t.text], done: [t.done, thanks.text], gone: [t.gone, t.again] }[state];
  const content = (
    <main>
      <Brand look={look} />
      {state !== 'ask' && STATES[state === 'done' ? 'done' : 'failed']}
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

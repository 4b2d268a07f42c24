/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { Elysia } from 'elysia';
import type { Context } from '../context/context.ts';
import { notFound } from '../domain/errors.ts';
import { type Peers, shortAddress } from '../http/client-address.ts';
import { requestLimit } from '../http/request-limit.ts';
import { shortHeader } from '../http/short-header.ts';
import { recipientIdIn, unsubscribe } from '../services/mail/unsubscribe.ts';
import { respond } from './frame.tsx';
import { CATALOG } from './unsubscribe-texts.ts';

const PATH = '/unsubscribe/:formId/:token';
/** Mail providers unsubscribe from few addresses. */
const REQUESTS_PER_MINUTE = 60;

type Params = Readonly<{ formId: string; token: string }>;

/**
 * Registers the address in List-Unsubscribe (RFC 8058). It needs no session: the token proves the recipient. The answer
 * is the same whether or not they are still one. The body of a post is not read, since no field of it matters.
 */
export function unsubscribeRoutes(context: Context) {
  const countRequest = requestLimit(context, REQUESTS_PER_MINUTE, 'requests');

  /** Returns the recipient's id and the client's address. */
  const check = (request: Request, server: Peers | null, { formId, token }: Params) => {
    const address = countRequest(request, server);
    const id = recipientIdIn(context.vault, formId, token);
    if (id === null) throw notFound('There is nothing at this address.');
    return { id, address: address === null ? null : shortAddress(address) };
  };
  const post = async ({
    request,
    server,
    params,
  }: Readonly<{ request: Request; server: Peers | null; params: Params }>) => {
    const { id, address } = check(request, server, params);
    await unsubscribe(context, params.formId, id, address);
    return unsubscribePage(request, true);
  };

  return new Elysia()
    .get(PATH, ({ request, server, params }) => {
      check(request, server, params);
      return unsubscribePage(request, false);
    })
    .post(PATH, post, { parse: 'none' });
}

/** Returns the page that asks before it unsubscribes, or the confirmation afterwards. */
function unsubscribePage(request: Request, isDone: boolean): Response {
  const language = CATALOG.negotiate(shortHeader(request, 'accept-language'));
  const t = CATALOG.textsIn(language);
  const title = isDone ? t.done : t.ask;
  const content = (
    <main>
      <h1>{title}</h1>
      <p>{isDone ? t.doneText : t.text}</p>
      {!isDone && (
        <form method="post">
          <button>{t.button}</button>
        </form>
      )}
    </main>
  );
  const directives = { 'form-action': "'self'" };
  return respond({ status: 200, language, title, content, headers: { 'Cache-Control': 'no-store' }, directives });
}

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { Elysia } from 'elysia';
import type { Context } from '../context/context.ts';
import { type Peers, shortAddress } from '../http/client-address.ts';
import { requestLimit } from '../http/request-limit.ts';
import { shortHeader } from '../http/short-header.ts';
import { recipientIdIn, unsubscribe } from '../services/mail/unsubscribe.ts';
import { respond, STATES } from './frame.tsx';
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

  /** Returns the recipient's id (null for a wrong token) and the client's address. */
  const check = (request: Request, server: Peers | null, { formId, token }: Params) => {
    const address = countRequest(request, server);
    const id = recipientIdIn(context.vault, formId, token);
    return { id, address: address === null ? null : shortAddress(address) };
  };
  const post = async ({
    request,
    server,
    params,
  }: Readonly<{ request: Request; server: Peers | null; params: Params }>) => {
    const { id, address } = check(request, server, params);
    if (id !== null) await unsubscribe(context, params.formId, id, address);
    return unsubscribePage(request, id === null ? 'gone' : 'done');
  };

  return new Elysia()
    .get(PATH, ({ request, server, params }) => {
      const { id } = check(request, server, params);
      return unsubscribePage(request, id === null ? 'gone' : 'ask');
    })
    .post(PATH, post, { parse: 'none' });
}

/** Returns the page that asks before it unsubscribes, the confirmation afterwards, or the page for a wrong link. */
function unsubscribePage(request: Request, state: 'ask' | 'done' | 'gone'): Response {
  const language = CATALOG.negotiate(shortHeader(request, 'accept-language'));
  const t = CATALOG.textsIn(language);
  const content = (
    <main>
      {state !== 'ask' && STATES[state === 'done' ? 'done' : 'failed']}
      <h1>{t[state]}</h1>
      <p>{t[`${state}Text`]}</p>
      {state === 'ask' && (
        <form method="post">
          <button>{t.button}</button>
        </form>
      )}
    </main>
  );
  const directives = { 'form-action': "'self'" };
  const headers = { 'Cache-Control': 'no-store' };
  return respond({ status: state === 'gone' ? 404 : 200, language, title: t[state], content, headers, directives });
}

import { Elysia } from 'elysia';
import type { Context } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { ClientAddress, rateName } from '../http/client-address.ts';
import { toRefusal } from '../http/failure.ts';
import { submitOperation } from '../http/openapi/public-operations.ts';
import { PublicFormParams } from '../http/params.ts';
import { requestId } from '../http/request-id.ts';
import { refusalPage, thanksPage, wantsPage } from '../http/visitor-page.ts';
import { acceptPayload, formPaused } from '../intake/accept.ts';
import { decodeBody, tooLarge } from '../intake/decode/body.ts';
import { oncePerTurn } from '../lib/once-per-turn.ts';
import { SlidingWindow } from '../lib/sliding-window.ts';

const SUBMIT_PATH = '/v1/forms/:formId/submissions';

/** Any page may post here and read the answer, but never with the cookies of this address. */
const CORS = { 'Access-Control-Allow-Origin': '*' };

const JSON_ANSWER = { ...CORS, 'Content-Type': 'application/json' };

const REFUSAL = { ...CORS, 'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id' };

const THANKS = 'Thank you, your submission was received.';

const PREFLIGHT = {
  ...CORS,
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Max-Age': '7200',
};

type Server = NonNullable<Elysia['server']>;

/** The public endpoint: takes what a form sends, and says yes only to what is on the disk. */
export function submitRoutes(context: Context) {
  const { config, store, log, monotonic } = context;
  const largest = Math.max(config.maxBodyBytes, config.maxUploadBytes);
  const addresses = new ClientAddress(config.trustedProxies);
  const findForm = oncePerTurn(store.findPublicForm);
  const posts = new SlidingWindow(config.postsPerMinute);

  const refuseLargeOrFrequent = (request: Request, server: Server | null) => {
    if (Number(request.headers.get('content-length')) > largest) throw tooLarge(largest);
    if (config.postsPerMinute === 0) return;
    const peer = server?.requestIP(request)?.address;
    if (peer === undefined) return;
    const client = rateName(addresses.of(peer, request.headers.get('x-forwarded-for')));
    const { allowed, resetSeconds } = posts.take(client, monotonic());
    if (allowed) return;
    throw new AppError('rate_limited', `Too many submissions from your address. Try again in ${resetSeconds} s.`, {
      headers: { 'Retry-After': String(resetSeconds) },
    });
  };

  return new Elysia()
    .post(
      SUBMIT_PATH,
      async ({ request, params, server }) => {
        try {
          refuseLargeOrFrequent(request, server);
          const form = await findForm(params.formId);
          if (!form) throw new AppError('form_not_found', 'There is no form at this address.');
          if (!form.isActive) throw formPaused();
          await acceptPayload(context, form, await decodeBody(request, config.maxBodyBytes));
          return thank(request, form.redirectUrl);
        } catch (error) {
          return refuse(toRefusal(error, request, SUBMIT_PATH, log), request);
        }
      },
      // The framework's own parser loses fields; intake/decode reads the body.
      { parse: 'none', params: PublicFormParams, detail: submitOperation },
    )
    .options(SUBMIT_PATH, () => new Response(null, { status: 204, headers: PREFLIGHT }));
}

/** Where the owner wants the visitor to go next; a script that asked for JSON is told, because it cannot follow. */
function thank(request: Request, redirectUrl: string | null): Response {
  if (redirectUrl === null) {
    return wantsPage(request) ? thanksPage(request, CORS) : new Response(THANKS_JSON, { headers: JSON_ANSWER });
  }
  if (!wantsJsonOnly(request.headers.get('accept') ?? '')) {
    return new Response(null, {
      status: 303,
      headers: { ...CORS, Location: redirectUrl },
    });
  }
  const body = { success: true, message: THANKS, redirect_url: redirectUrl };
  return new Response(JSON.stringify(body), { headers: JSON_ANSWER });
}

const THANKS_JSON = JSON.stringify({ success: true, message: THANKS });

function wantsJsonOnly(accept: string): boolean {
  const types = accept.split(',').map((range) => range.split(';', 1)[0]?.trim().toLowerCase());
  return types.includes('application/json') && !types.includes('text/html') && !types.includes('*/*');
}

function refuse({ message, code, status, errors, headers }: AppError, request: Request): Response {
  const facts = { ...REFUSAL, 'X-Request-Id': requestId(request), ...headers };
  if (wantsPage(request)) return refusalPage(request, code, status, facts);
  const body = { success: false, message, code, ...(errors.length > 0 && { errors }) };
  return new Response(JSON.stringify(body), { status, headers: { ...facts, 'Content-Type': 'application/json' } });
}

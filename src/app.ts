import { type AnyElysia, Elysia } from 'elysia';
import { type Draining, healthRoutes } from './api/health.ts';
import { API, OPERATIONS } from './api/index.ts';
import { mcpRoutes } from './api/mcp/routes.ts';
import { metricsRoutes } from './api/metrics.ts';
import { mountOperations, OperationRunner } from './api/runner.ts';
import type { Context } from './context/context.ts';
import { toServerContext } from './context/server-context.ts';
import { demoGuard } from './dashboard/demo/guard.ts';
import { docsRoutes } from './docs/index.ts';
import { AppError, type ErrorCode, invalidInput, notFound } from './domain/errors.ts';
import { allowedMethods, getPath } from './http/allowed-methods.ts';
import { baseHeaders } from './http/base-headers.ts';
import { refusal } from './http/envelope.ts';
import { toRefusal } from './http/failure.ts';
import { redirectTo } from './http/redirect-to.ts';
import { RequestCounts } from './http/request-counts.ts';
import { requestId } from './http/request-id.ts';
import { once } from './lib/once.ts';
import { challengeRoutes } from './visitor/challenge.ts';
import { confirmRoutes } from './visitor/confirm.tsx';
import { addressPages, hostedRoutes } from './visitor/hosted.ts';
import { wantsPage } from './visitor/page.tsx';
import { newReceiver } from './visitor/receiver.ts';
import { submitRoutes } from './visitor/routes.ts';
import { scriptRoutes } from './visitor/scripts.ts';
import { unsubscribeRoutes } from './visitor/unsubscribe.tsx';

/** Errors before any route that a browser gets as a page. */
const HAS_PAGE: ReadonlySet<ErrorCode> = new Set(['not_found', 'demo_read_only', 'rate_limited']);

const invalidHost = () => invalidInput('The Host header is invalid. Send the host of this address.');

const NOT_DRAINING: Draining = { isDraining: false };

/**
 * Builds the application with all routes, without listening. While it is draining, it isn't ready and closes each
 * connection after the response.
 */
export function createApp(opened: Context, draining = NOT_DRAINING) {
  const context = toServerContext(opened);
  const api = new OperationRunner(context);
  const requests = new RequestCounts();
  const receiver = newReceiver(context);
  const guardDemo = context.demo && demoGuard(context, context.demo);
  const addressPage = addressPages(context, receiver);
  const whileServing = baseHeaders(context.config);
  const whileDraining = { ...whileServing, Connection: 'close' };
  const headers = () => (draining.isDraining ? whileDraining : whileServing);
  /** Returns an application without routes that answers errors. */
  const newPart = (): AnyElysia => {
    // A Host header may have fewer letters than the framework expects.
    const part: AnyElysia = new Elysia({ normalize: false, handler: { standardHostname: false } });
    return part.onError(async ({ code, error, params, request, route, server, set }) => {
      const cause = code === 'NOT_FOUND' ? unknownRoute(part, request) : error;
      if (cause instanceof AppError && cause.code === 'invalid_key') {
        const page = await addressPage(request, route, params);
        if (page) {
          // Otherwise the framework replaces the status by that of the error.
          set.status = page.status;
          return page;
        }
      }
      const failure = toRefusal(cause, request, route || 'none', context.log);
      await api.release(request, failure);
      const isPage = HAS_PAGE.has(failure.code) && (code === 'NOT_FOUND' || context.demo) && wantsPage(request);
      context.refusedClients.note(request, server, failure.code);
      if (code === 'NOT_FOUND' && part === app) requests.count(request.method, '', failure.status);
      if (isPage) {
        set.status = failure.status;
        return (await import('./dashboard/ui/layout.tsx')).outsidePage(request, failure);
      }
      const responseHeaders = {
        ...headers(),
        ...(set.headers as Record<string, string>),
        'X-Request-Id': requestId(request),
      };
      return refusal(failure, responseHeaders);
    });
  };
  /** Responses to HEAD with their bodies. The framework would read a whole export to count it; the server cancels it. */
  const uncounted = new WeakMap<Request, Response>();
  /** Loads the dashboard with the first request to it: a third of the code, which no post needs. */
  const loadDashboard = once(async () => {
    const { dashboardRoutes } = await import('./dashboard/index.ts');
    const part = newPart().mapResponse(({ request, responseValue }) => {
      if (request.method !== 'HEAD' || !(responseValue instanceof Response)) return;
      uncounted.set(request, responseValue);
      return new Response(null);
    });
    return Object.assign(part.use(dashboardRoutes(context)), { server: app.server });
  });
  const toDashboard = async ({ request }: Readonly<{ request: Request }>) => {
    if (!URL.canParse(request.url)) throw invalidHost();
    const dashboard = await loadDashboard();
    const response = await dashboard.handle(request);
    return uncounted.get(request) ?? response;
  };
  const app: AnyElysia = newPart()
    .onRequest(({ request }) => requireOneHost(request))
    .onRequest(({ request, server }) => guardDemo?.(request, server))
    .onRequest(({ request, server }) => {
      if (context.config.authHeader === null || !getPath(request.url).startsWith('/dashboard')) return;
      context.trustedHeader.refuseForged(request, server?.requestIP(request)?.address);
    })
    // Not called for unknown routes; `onError` counts those.
    .mapResponse(({ request, route, responseValue, set }) => {
      const isResponse = responseValue instanceof Response;
      requests.count(request.method, route, isResponse ? responseValue.status : Number(set.status ?? 200));
      if (isResponse) addHeaders(responseValue.headers, headers());
      else Object.assign(set.headers, { ...headers(), ...set.headers });
    })
    .use(healthRoutes(context, draining))
    .use(metricsRoutes(context, requests))
    .use(docsRoutes(context, API))
    .use(scriptRoutes())
    .use(challengeRoutes(context))
    .use(submitRoutes(context, receiver))
    .use(hostedRoutes(context, receiver))
    .use(unsubscribeRoutes(context))
    .use(confirmRoutes(context))
    .use(mountOperations(api, OPERATIONS))
    .use(context.config.mcp === 'on' ? mcpRoutes(context, api) : new Elysia())
    .get('/', () => redirectTo('/dashboard'))
    .use(new Elysia().get('/dashboard', toDashboard).all('/dashboard/*', toDashboard));

  return app;
}

/** Returns the refusal of a request to none of the routes. */
function unknownRoute({ routes }: AnyElysia, request: Request): AppError {
  if (!URL.canParse(request.url)) return invalidHost();
  const allowed = allowedMethods(routes, getPath(request.url));
  if (allowed.length === 0) return notFound('There is nothing at this address.');
  return new AppError('method_not_allowed', `This address accepts only ${allowed.join(', ')}.`, {
    headers: { Allow: allowed.join(', ') },
  });
}

/** Adds headers that the response lacks. Edits it in place: the framework would rebuild it with a streamed body. */
function addHeaders(present: Headers, added: Readonly<Record<string, string>>): void {
  for (const name in added) if (!present.has(name)) present.set(name, added[name] ?? '');
}

/** Throws `AppError` if the request has several Host headers, which the server joins with a comma. */
function requireOneHost({ headers }: Request): void {
  if (!headers.get('host')?.includes(',')) return;
  throw invalidInput('The request has more than one Host header. Send one.');
}

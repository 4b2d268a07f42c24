import { bearer } from '@elysiajs/bearer';
import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { allowsForm, hashSecret, isValidAt, isWellFormedSecret } from '../../domain/api-key.ts';
import type { AuditAction } from '../../domain/audit.ts';
import { AppError } from '../../domain/errors.ts';
import { planNamed } from '../../domain/plan.ts';
import { isNotModified } from '../../http/cached.ts';
import { noteCaller } from '../../http/caller.ts';
import { JsonText } from '../../http/envelope.ts';
import { type Allowance, SlidingWindow } from '../../lib/sliding-window.ts';
import { auditActionOf, Notes, pathIds, recordAction } from '../../services/audit.ts';
import { IdempotentRequests } from '../../services/idempotent-requests.ts';
import type { ApiKeyWithPlan } from '../../storage/records.ts';
import { parsedBody } from './json-input.ts';
import { isOpenToLimitedKeys, requireAllowedPath } from './limited-key.ts';

/** POST routes that only read: they count as reads, and a key with the scope `read` may call them. */
const READING_POSTS: readonly string[] = ['/mcp'];

/** Routes with a lower rate limit in addition: they read all submissions of a form. */
const EXPORTS: readonly string[] = ['/v1/forms/:formId/export'];

type Kind = 'read' | 'write' | 'export';

/** The headers of the response. */
type Headers = Record<string, string | number>;

const BEARER = /^Bearer +(?=\S+$)/i;

/**
 * Normalizes the Authorization scheme to `Bearer`, because schemes are case-insensitive (RFC 9110, section 11.1) but
 * the plugin compares exactly. Removes a header of any other scheme or form.
 */
const normalizeScheme = new Elysia({ name: 'normalize-scheme' }).derive({ as: 'global' }, ({ headers }) => {
  const { authorization = '' } = headers;
  headers.authorization = BEARER.test(authorization) ? authorization.replace(BEARER, 'Bearer ') : undefined;
});

/** Returns the record of requests with an Idempotency-Key, which the guard and the error handler of the app share. */
export function idempotentRequests(context: Context): IdempotentRequests {
  return new IdempotentRequests(context);
}

export type KeyGuard = ReturnType<typeof keyGuard>;

/**
 * Returns a plugin that checks the API key before any input: 401 key, 403 plan, 403 scope, 429 rate. All route groups
 * share one instance, because a key has one bucket for its reads and one for its writes. Handlers get the key's
 * `teamId` and `allowsForm`, which lists must ask; paths with an id are checked here. Writes are recorded in the audit log, with the details that a handler adds with `note`.
 */
export function keyGuard(
  { config, store, clock, monotonic, log, keyUse, clientAddress }: Context,
  idempotent: IdempotentRequests,
) {
  const buckets = {
    read: new SlidingWindow(config.readsPerMinute),
    write: new SlidingWindow(config.writesPerMinute),
    // By default the same number as for a session of the dashboard.
    export: new SlidingWindow(Math.ceil(config.readsPerMinute / 20)),
  };

  const report = (headers: Headers, kind: Kind, { remaining, resetSeconds }: Allowance) => {
    const { limit } = buckets[kind];
    if (limit === 0) return;
    headers['RateLimit-Policy'] = `"${kind}";q=${limit};w=60`;
    headers.RateLimit = `"${kind}";r=${remaining};t=${resetSeconds}`;
  };

  /** Counts a request and sets the headers of its limit. Throws `rate_limited`. */
  const takeRate = (headers: Headers, kind: Kind, keyId: string) => {
    const bucket = buckets[kind];
    if (bucket.limit === 0) return;
    const allowance = bucket.take(keyId, monotonic());
    report(headers, kind, allowance);
    if (allowance.allowed) return;
    const message = `Too many requests: this key has a limit of ${bucket.limit} ${kind}s per 60 seconds.`;
    throw new AppError('rate_limited', message, { headers: { 'Retry-After': String(allowance.resetSeconds) } });
  };

  const requireKey = async (secret: string | undefined, request: Request): Promise<ApiKeyWithPlan> => {
    const key = secret && isWellFormedSecret(secret) ? await store.keys.find(hashSecret(secret)) : null;
    if (key) noteCaller(request, { key: key.id });
    if (key && isValidAt(key, clock())) return key;
    throw new AppError(
      'invalid_key',
      'The key is missing, unknown, revoked or expired. Send Authorization: Bearer fs_live_…',
      { headers: { 'WWW-Authenticate': 'Bearer' } },
    );
  };

  /** Returns the action to record: the handler's, else that of the route. */
  const actionOf = ({ method }: Request, route: string, { context }: Notes): AuditAction | null => {
    if (context.action !== undefined) return context.action;
    return isReading(method, route) ? null : auditActionOf(log, `${method} ${route}`);
  };

  return (
    new Elysia()
      .use(normalizeScheme)
      .use(bearer())
      .derive({ as: 'scoped' }, async ({ bearer, headers, request, route, set }) => {
        set.headers['Cache-Control'] = 'no-store';
        // The plugin also reads `?access_token`. Keys are accepted in the header only, since URLs end up in logs.
        const secret = headers.authorization === undefined ? undefined : bearer;
        const key = await requireKey(secret, request);
        const kind = isReading(request.method, route) ? 'read' : 'write';
        report(set.headers, kind, buckets[kind].peek(key.id, monotonic()));
        if (!planNamed(config.plans, key.plan).api_access) {
          throw new AppError(
            'plan_without_api',
            Object.hasOwn(config.plans, key.plan)
              ? `The plan "${key.plan}" of this team has no API access.`
              : `The plan "${key.plan}" of this team is not configured; PLANS must define it.`,
          );
        }
        if (kind === 'write' && key.scope === 'read') {
          throw new AppError('read_only_key', 'This key is read-only. Create a key with the scope read_write.');
        }
        if (key.formIds && !isOpenToLimitedKeys(request.method, route)) {
          throw new AppError(
            'limited_key',
            'This key is limited to forms and has no access to this operation. Use a key for the whole team.',
          );
        }
        takeRate(set.headers, kind, key.id);
        if (EXPORTS.includes(route)) takeRate(set.headers, 'export', key.id);
        keyUse.note(key.id, clock());
        const notes = new Notes();
        /** Throws if the key has been revoked or has expired since. Call it after waiting for a body, and during downloads. */
        const requireValidKey = () => requireKey(secret, request);
        return {
          teamId: key.teamId,
          plan: key.plan,
          key,
          allowsForm: (formId: string) => allowsForm(key, formId),
          notes,
          note: notes.note,
          requireValidKey,
        };
      })
      // After validation, because 400 comes before 404.
      .onBeforeHandle({ as: 'scoped' }, async ({ request, route, params, key, note }) => {
        const isWrite = !isReading(request.method, route);
        const replay = isWrite && (await idempotent.begin(request, key.id, parsedBody(request)));
        if (replay) {
          note({}, { action: null });
          const headers = { 'Content-Type': 'application/json', 'Idempotent-Replayed': 'true' };
          return new Response(replay.text, { status: replay.status, headers });
        }
        if (key.formIds) await requireAllowedPath(store, key, params);
      })
      .onAfterHandle({ as: 'scoped' }, async ({ request, server, route, params, key, notes, responseValue, set }) => {
        if (request.method === 'POST') await idempotent.finish(request, Number(set.status ?? 200), responseValue);
        const action = actionOf(request, route, notes);
        if (action) {
          const address = clientAddress.shortOf(request, server);
          const actor = { kind: 'key' as const, id: key.id, name: key.name, address };
          const details = { ...pathIds(params), ...notes.details };
          await recordAction({ store, clock, log }, { teamIds: [key.teamId], actor, action, details });
        }
        if (isSafe(request.method)) return withTag(request, responseValue, set.headers);
      })
  );
}

function isReading(method: string, route: string): boolean {
  return isSafe(method) || READING_POSTS.includes(route);
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/**
 * Returns the JSON of a GET response with its ETag, or 304 if the client has it. Streams stay as they are. The hash is
 * SHA-256, because visitors write most of what it covers.
 */
function withTag(request: Request, value: unknown, headers: Headers): Response | string | undefined {
  if (value instanceof Response) return;
  const text = value instanceof JsonText ? value.text : JSON.stringify(value);
  const tag = `"${Bun.CryptoHasher.hash('sha256', text, 'base64url')}"`;
  headers.ETag = tag;
  if (isNotModified(request, tag)) return new Response(null, { status: 304 });
  // A string is sent as it is, which is faster than a response whose headers would be merged.
  headers['Content-Type'] = 'application/json';
  return text;
}

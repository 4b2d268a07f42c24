import { bearer } from '@elysiajs/bearer';
import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { allowsForm, hashSecret, isValidAt, isWellFormedSecret } from '../../domain/api-key.ts';
import { AppError } from '../../domain/errors.ts';
import { planNamed } from '../../domain/plan.ts';
import { noteCaller } from '../../http/caller.ts';
import { ClientAddress } from '../../http/client-address.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { auditActionOf, Notes, pathIds, recordAction } from '../../services/audit.ts';
import type { ApiKeyWithPlan } from '../../storage/store.ts';
import { isOpenToLimitedKeys, requireAllowedPath } from './limited-key.ts';

/** POST routes that only read: they count as reads, and a key with the scope `read` may call them. */
const READING_POSTS: readonly string[] = ['/mcp'];

const BEARER = /^Bearer +(?=\S+$)/i;

/**
 * Normalizes the Authorization scheme to `Bearer`, because schemes are case-insensitive (RFC 9110, section 11.1) but
 * the plugin compares exactly. Removes a header of any other scheme or form.
 */
const normalizeScheme = new Elysia({ name: 'normalize-scheme' }).derive({ as: 'global' }, ({ headers }) => {
  const { authorization = '' } = headers;
  headers.authorization = BEARER.test(authorization) ? authorization.replace(BEARER, 'Bearer ') : undefined;
});

export type KeyGuard = ReturnType<typeof keyGuard>;

/**
 * Returns a plugin that checks the API key before any input: 401 key, 403 plan, 403 scope, 429 rate. All route groups
 * share one instance, because a key has one bucket for its reads and one for its writes. Handlers get the key's
 * `teamId` and `allowsForm`, which lists must ask; paths with an id are checked here. Writes are recorded in the audit log, with the details that a handler adds with `note`.
 */
export function keyGuard({ config, store, clock, monotonic, log, keyUse }: Context) {
  const addresses = new ClientAddress(config.trustedProxies);
  const buckets = {
    read: new SlidingWindow(config.readsPerMinute),
    write: new SlidingWindow(config.writesPerMinute),
  };

  const requireKey = async (secret: string | undefined, request: Request): Promise<ApiKeyWithPlan> => {
    const key = secret && isWellFormedSecret(secret) ? await store.findKey(hashSecret(secret)) : null;
    if (key) noteCaller(request, { key: key.id });
    if (key && isValidAt(key, clock())) return key;
    throw new AppError(
      'invalid_key',
      'The key is missing, unknown, revoked or expired. Send Authorization: Bearer fs_live_…',
      { headers: { 'WWW-Authenticate': 'Bearer' } },
    );
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
        const now = monotonic();
        const kind = isReading(request.method, route) ? 'read' : 'write';
        const bucket = buckets[kind];
        const report = ({ remaining, resetSeconds }: { remaining: number; resetSeconds: number }) => {
          if (bucket.limit === 0) return;
          set.headers['RateLimit-Policy'] = `"${kind}";q=${bucket.limit};w=60`;
          set.headers.RateLimit = `"${kind}";r=${remaining};t=${resetSeconds}`;
        };
        report(bucket.peek(key.id, now));
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
        if (bucket.limit > 0) {
          const allowance = bucket.take(key.id, now);
          report(allowance);
          if (!allowance.allowed) {
            const message = `Too many requests: this key has a limit of ${bucket.limit} ${kind}s per 60 seconds.`;
            throw new AppError('rate_limited', message, {
              headers: { 'Retry-After': String(allowance.resetSeconds) },
            });
          }
        }
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
      .onBeforeHandle({ as: 'scoped' }, async ({ key, params }) => {
        if (key.formIds) await requireAllowedPath(store, key, params);
      })
      .onAfterHandle({ as: 'scoped' }, async ({ request, server, route, params, key, notes }) => {
        if (isReading(request.method, route)) return;
        const action = auditActionOf(log, `${request.method} ${route}`);
        if (!action) return;
        const address = addresses.shortOf(request, server);
        const actor = { kind: 'key' as const, id: key.id, name: key.name, address };
        const details = { ...pathIds(params), ...notes.details };
        await recordAction({ store, clock, log }, { teamIds: [key.teamId], actor, action, details });
      })
  );
}

function isReading(method: string, route: string): boolean {
  return method === 'GET' || method === 'HEAD' || READING_POSTS.includes(route);
}

import { bearer } from '@elysiajs/bearer';
import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { hashSecret, isValidAt, isWellFormedSecret } from '../../domain/api-key.ts';
import { AppError } from '../../domain/errors.ts';
import { planNamed } from '../../domain/plan.ts';
import { noteCaller } from '../../http/caller.ts';
import { ClientAddress } from '../../http/client-address.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { auditActionOf, Notes, pathIds, recordAction } from '../../services/audit.ts';
import type { KeyInUse } from '../../storage/store.ts';

/** No query can have this name: keys come in the header alone, since addresses end up in logs. */
const NEVER = Symbol('no query parameter') as unknown as string;

const BEARER = /^Bearer +(?=\S+$)/i;

/** The scheme is written in any case (RFC 9110, section 11.1); the plugin that comes after this knows one. */
const anyCaseOfBearer = new Elysia({ name: 'any-case-of-bearer' }).derive(
  { as: 'global' },
  ({ headers: { authorization = '' }, headers }) => {
    headers.authorization = BEARER.test(authorization) ? authorization.replace(BEARER, 'Bearer ') : undefined;
  },
);

export type KeyGuard = ReturnType<typeof keyGuard>;

/**
 * Guards the routes of whoever uses it: 401 key, 403 plan, 403 scope, 429 rate, all before the request's input is
 * looked at. All groups of routes share one guard, because a key has one bucket for all of its reads. The handler finds
 * the team whose data the key reaches as `teamId`. What a write has done is recorded; a handler may `note` more of it.
 */
export function keyGuard({ config, store, clock, monotonic, log, keyUse }: Context) {
  const addresses = new ClientAddress(config.trustedProxies);
  const buckets = {
    read: new SlidingWindow(config.readsPerMinute),
    write: new SlidingWindow(config.writesPerMinute),
  };

  const requireKey = async (secret: string | undefined, request: Request): Promise<KeyInUse> => {
    const key = secret && isWellFormedSecret(secret) ? await store.findKey(hashSecret(secret)) : null;
    if (key) noteCaller(request, { key: key.id });
    if (key && isValidAt(key, clock())) return key;
    throw new AppError(
      'invalid_key',
      'The key is missing, unknown, revoked or expired. Send Authorization: Bearer fs_live_…',
      {
        headers: { 'WWW-Authenticate': 'Bearer' },
      },
    );
  };

  return new Elysia()
    .use(anyCaseOfBearer)
    .use(bearer({ extract: { header: 'Bearer', query: NEVER, body: NEVER } }))
    .derive({ as: 'scoped' }, async ({ bearer, request, set }) => {
      set.headers['Cache-Control'] = 'no-store';
      const key = await requireKey(bearer, request);
      const now = monotonic();
      const kind = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
      const bucket = buckets[kind];
      const report = ({ remaining, resetSeconds }: { remaining: number; resetSeconds: number }) => {
        if (bucket.limit === 0) return;
        set.headers['RateLimit-Policy'] = `"${kind}";q=${bucket.limit};w=60`;
        set.headers.RateLimit = `"${kind}";r=${remaining};t=${resetSeconds}`;
      };
      report(bucket.look(key.id, now));
      if (!planNamed(config.plans, key.plan).api_access) {
        throw new AppError(
          'plan_without_api',
          Object.hasOwn(config.plans, key.plan)
            ? `The plan "${key.plan}" of this team has no API access.`
            : `The plan "${key.plan}" of this team is not configured; PLANS must define it.`,
        );
      }
      if (kind === 'write' && key.scope === 'read') {
        throw new AppError('read_only_key', 'This key may only read. Create one with the scope read_write.');
      }
      if (bucket.limit > 0) {
        const allowance = bucket.take(key.id, now);
        report(allowance);
        if (!allowance.allowed) {
          throw new AppError('rate_limited', `More than ${bucket.limit} ${kind}s in 60 seconds with this key.`, {
            headers: { 'Retry-After': String(allowance.resetSeconds) },
          });
        }
      }
      keyUse.note(key.id, clock());
      const notes = new Notes();
      /** For who has waited for a body since: throws if the key was revoked meanwhile, or has expired. */
      const requireStill = () => requireKey(bearer, request);
      return { teamId: key.teamId, plan: key.plan, key, notes, note: notes.note, requireStill };
    })
    .onAfterHandle({ as: 'scoped' }, async ({ request, server, route, params, key, notes }) => {
      if (request.method === 'GET' || request.method === 'HEAD') return;
      const action = auditActionOf(log, `${request.method} ${route}`);
      if (!action) return;
      const address = addresses.shortOf(request, server);
      const actor = { kind: 'key' as const, id: key.id, name: key.name, address };
      const details = { ...pathIds(params), ...notes.details };
      await recordAction({ store, clock, log }, { teamIds: [key.teamId], actor, action, details });
    });
}

import type { Context } from '../context/context.ts';
import { type ApiKey, allowsForm, hashSecret, isValidAt, isWellFormedSecret, type Scope } from '../domain/api-key.ts';
import { AppError } from '../domain/errors.ts';
import { planNamed } from '../domain/teams/plan.ts';
import { noteCaller } from '../http/caller.ts';
import { type Allowance, SlidingWindow } from '../lib/sliding-window.ts';
import type { ApiKeyWithPlan } from '../storage/records.ts';

/** The access that a route needs. `rate` is a limit in addition to that of reads or writes. */
export type Access = Readonly<{ scope: Scope; isOpenToLimitedKeys: boolean; rate?: 'export' | undefined }>;

/** A key that has passed all checks. */
export type Caller = Readonly<{
  key: ApiKeyWithPlan;
  teamId: string;
  plan: string;
  /** Reports whether the key may see a form. Lists must ask it. */
  allowsForm: (formId: string) => boolean;
  /** Throws if the key has been revoked or has expired since. Call it after waiting for a body, and during downloads. */
  requireValidKey: () => Promise<unknown>;
}>;

type Kind = 'read' | 'write' | 'export';

/** The headers of the response. */
type Headers = Record<string, string | number>;

/** A request with the `bearer` of the plugin. */
type Incoming = Readonly<{ request: Request; bearer: string | undefined; set: { headers: Headers } }>;

/** Checks API keys: 401 key, 403 plan, 403 scope, 429 rate. One instance holds the rates of all routes. */
export class KeyGuard {
  readonly #buckets: Readonly<Record<Kind, SlidingWindow>>;

  constructor(private readonly context: Context) {
    const { readsPerMinute, writesPerMinute } = context.config;
    this.#buckets = {
      read: new SlidingWindow(readsPerMinute),
      write: new SlidingWindow(writesPerMinute),
      // By default the same number as for a session of the dashboard.
      export: new SlidingWindow(Math.ceil(readsPerMinute / 20)),
    };
  }

  /** Returns the caller of a request and sets its rate-limit headers. Throws before any input is read. */
  async admit(access: Access, { request, bearer, set: { headers } }: Incoming): Promise<Caller> {
    const { config, clock, monotonic, keyUse } = this.context;
    headers['Cache-Control'] = 'no-store';
    const secret = getSecret(request, bearer);
    const key = await this.#requireKey(secret, request);
    const kind = access.scope === 'read' ? 'read' : 'write';
    this.#report(headers, kind, this.#buckets[kind].peek(key.id, monotonic()));
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
    requireOpen(access, key);
    this.#take(headers, kind, key.id);
    if (access.rate) this.#take(headers, access.rate, key.id);
    keyUse.note(key.id, clock());
    return {
      key,
      teamId: key.teamId,
      plan: key.plan,
      allowsForm: (formId) => allowsForm(key, formId),
      requireValidKey: () => this.#requireKey(secret, request),
    };
  }

  async #requireKey(secret: string | undefined, request: Request): Promise<ApiKeyWithPlan> {
    const { store, clock } = this.context;
    const key = secret && isWellFormedSecret(secret) ? await store.keys.find(hashSecret(secret)) : null;
    if (key) noteCaller(request, { key: key.id });
    if (key && isValidAt(key, clock())) return key;
    throw new AppError(
      'invalid_key',
      'The key is missing, unknown, revoked or expired. Send Authorization: Bearer fs_live_…',
      { headers: { 'WWW-Authenticate': 'Bearer' } },
    );
  }

  /** Counts a request and sets the headers of its limit. Throws `rate_limited`. */
  #take(headers: Headers, kind: Kind, keyId: string): void {
    const bucket = this.#buckets[kind];
    if (bucket.limit === 0) return;
    const allowance = bucket.take(keyId, this.context.monotonic());
    this.#report(headers, kind, allowance);
    if (allowance.allowed) return;
    const message = `Too many requests: this key has a limit of ${bucket.limit} ${kind}s per 60 seconds.`;
    throw new AppError('rate_limited', message, { headers: { 'Retry-After': String(allowance.resetSeconds) } });
  }

  #report(headers: Headers, kind: Kind, { remaining, resetSeconds }: Allowance): void {
    const { limit } = this.#buckets[kind];
    if (limit === 0) return;
    headers['RateLimit-Policy'] = `"${kind}";q=${limit};w=60`;
    headers.RateLimit = `"${kind}";r=${remaining};t=${resetSeconds}`;
  }
}

/** Throws `limited_key` if a key is limited to forms and the operation is closed to such keys. */
export function requireOpen({ isOpenToLimitedKeys }: Access, { formIds }: ApiKey): void {
  if (formIds === null || isOpenToLimitedKeys) return;
  throw new AppError(
    'limited_key',
    'This key is limited to forms and has no access to this operation. Use a key for the whole team.',
  );
}

/**
 * Returns the secret in the Authorization header. The plugin's `bearer` may also be from `?access_token`, which is
 * ignored because URLs end up in logs, and knows one spelling of the scheme, which is case-insensitive (RFC 9110).
 */
function getSecret({ headers }: Request, bearer: string | undefined): string | undefined {
  const authorization = headers.get('authorization') ?? '';
  return authorization.startsWith('Bearer ') ? bearer?.trimStart() : /^bearer +(\S+)$/i.exec(authorization)?.[1];
}

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Provider } from 'oidc-provider';

/** Claims of the person who signs in, and how: `amr` and `acr` as in RFC 8176 and OpenID Connect. */
type Person = Readonly<{
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
  xms_edov?: unknown;
  amr?: string[];
  acr?: string;
}>;

/** A part of the provider that can be away or answer wrongly. */
type Step = 'discovery' | 'token' | 'jwks' | 'userinfo';

type Body = Record<string, unknown>;

/** An OpenID Connect provider on this machine, `oidc-provider`, that signs in whoever `person` is and can misbehave. */
export type TestProvider = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Settings that use it. */
  env: Record<string, string>;
  /** The person who signs in next. */
  setPerson: (person: Person) => void;
  /** Answers 503 to a step; null for none. */
  setAway: (step: Step | null) => void;
  /** Replaces answers of a step; null for its own. */
  setAnswer: (step: Step, replace: ((body: Body) => Body) | null) => void;
  /** Returns an ID token with changed claims, under the provider's key or another. */
  resign: (idToken: unknown, change: Body, options?: Readonly<{ key?: KeyObject; alg?: string }>) => string;
  /** Requests that reached a step. */
  count: (step: Step) => number;
  /** Takes a browser from the start of a sign-in through the provider's pages, to the address of the callback. */
  approve: (start: string) => Promise<URL>;
  stop: () => Promise<void>;
}>;

const CLIENT = { id: 'formstead', secret: 'secret-of-the-client' } as const;

/** Starts the provider. It redirects to `redirectUris` alone. */
export async function startProvider(
  redirectUris: string[],
  { isPublic = false }: Readonly<{ isPublic?: boolean }> = {},
): Promise<TestProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const counts = new Map<Step, number>();
  const replaced = new Map<Step, (body: Body) => Body>();
  let person: Person = { sub: 'ada' };
  let away: Step | null = null;

  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const auth = isPublic ? { token_endpoint_auth_method: 'none' as const } : { client_secret: CLIENT.secret };
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, redirect_uris: redirectUris, ...auth }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'own' } as never] },
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'], profile: ['name'] },
    cookies: { keys: ['any'] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({ accountId, claims: () => claimsOf(accountId) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: CLIENT.id, accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const claimsOf = (sub: string) => {
    const { amr: _, acr: __, ...claims } = person;
    return { ...claims, sub };
  };
  provider.use(async (ctx, next) => {
    const step = stepOf(ctx.path);
    if (step) counts.set(step, (counts.get(step) ?? 0) + 1);
    if (step !== null && step === away) {
      ctx.status = 503;
      ctx.body = 'away';
      return;
    }
    await next();
    const replace = step && replaced.get(step);
    if (replace && ctx.status === 200) ctx.body = replace(ctx.body as Body);
  });
  const handle = provider.callback();
  const listen = (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return handle(request, response);
    const { sub: accountId, amr, acr } = person;
    return provider.interactionFinished(request, response, {
      login: { accountId, remember: false, ...(amr && { amr }), ...(acr !== undefined && { acr }) },
    });
  };
  server.on('request', (request, response) => void listen(request, response));

  const resign: TestProvider['resign'] = (idToken, change, { key = privateKey, alg = 'RS256' } = {}) => {
    const [, payload = ''] = String(idToken).split('.');
    const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...change };
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const content = `${encode({ alg, typ: 'JWT', ...(alg !== 'none' && { kid: 'own' }) })}.${encode(claims)}`;
    return `${content}.${alg === 'none' ? '' : sign('sha256', Buffer.from(content), key).toString('base64url')}`;
  };

  const approve = async (start: string): Promise<URL> => {
    const cookies = new Map<string, string>();
    let url = new URL(start);
    for (let hops = 0; hops < 10; hops++) {
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, { redirect: 'manual', headers: { Cookie: cookie } });
      for (const set of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`);
      url = new URL(location, url);
      if (url.origin !== issuer) return url;
    }
    throw new Error('the provider redirects in a circle');
  };

  return {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      ...(!isPublic && { OIDC_CLIENT_SECRET: CLIENT.secret }),
      OIDC_NAME: 'Test login',
    },
    setPerson: (next) => {
      person = next;
    },
    setAway: (step) => {
      away = step;
    },
    setAnswer: (step, replace) => {
      if (replace) replaced.set(step, replace);
      else replaced.delete(step);
    },
    resign,
    count: (step) => counts.get(step) ?? 0,
    approve,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function stepOf(path: string): Step | null {
  if (path.startsWith('/.well-known/')) return 'discovery';
  const steps: Readonly<Record<string, Step>> = { '/token': 'token', '/jwks': 'jwks', '/me': 'userinfo' };
  return steps[path] ?? null;
}

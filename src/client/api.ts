import type * as operations from './api-types.ts';

export type * from './api-types.ts';

export interface ApiClientOptions {
  /** The address of the instance, such as `https://forms.example.com`. */
  url: string;
  /** An API key, which begins with `fs_live_`. */
  key: string;
}

export interface CallOptions {
  /** Aborts the request, its retries included. */
  signal?: AbortSignal;
}

export interface PostCallOptions extends CallOptions {
  /** The Idempotency-Key of the request. Default: a random one. */
  idempotencyKey?: string;
}

type Input<Operation, Call> = Omit<Operation, 'data'> & Call;

/** The options of a call, required if the operation requires one of them. */
type Options<Operation, Call = CallOptions> =
  Record<never, never> extends Omit<Operation, 'data'>
    ? [options?: Input<Operation, Call>]
    : [options: Input<Operation, Call>];

/** A method for operations by path. Resolves to their data, or to the response of those without. */
type Method<Operations, Call = CallOptions> = <Path extends keyof Operations>(
  path: Path,
  ...options: Options<Operations[Path], Call>
) => Promise<Operations[Path] extends { data: infer Data } ? Data : Response>;

/** The paths of operations that return pages. */
export type PagedPath = {
  [Path in keyof operations.GetOperations]: operations.GetOperations[Path]['data'] extends {
    items: unknown[];
    next_cursor: string | null;
  }
    ? Path
    : never;
}[keyof operations.GetOperations];

/** A client of the management API. Its methods resolve to the data of the response and throw `ApiError`. */
export interface ApiClient {
  get: Method<operations.GetOperations>;
  /** Sends a POST with an Idempotency-Key, which makes retries safe. */
  post: Method<operations.PostOperations, PostCallOptions>;
  patch: Method<operations.PatchOperations>;
  delete: Method<operations.DeleteOperations>;
  /** Sends a GET for a file or an export. Resolves to the response with its unread body. */
  download: Method<operations.DownloadOperations>;
  /** Iterates over the items of all pages, newest first, and requests each page when it is needed. */
  iterate<Path extends PagedPath>(
    path: Path,
    ...options: Options<operations.GetOperations[Path]>
  ): AsyncGenerator<operations.GetOperations[Path]['data']['items'][number], void, undefined>;
}

/** An error response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The ID of the request in the server log. Null if the response is not from Formstead. */
  readonly requestId: string | null;
  /** Seconds to wait before retrying. Null if the server did not say. */
  readonly retryAfter: number | null;

  constructor(message: string, { status, headers }: Response) {
    super(message);
    this.status = status;
    this.requestId = headers.get('X-Request-Id');
    this.retryAfter = retryAfterOf(headers);
  }
}

/** The parts of any operation. */
type Call = PostCallOptions & {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
};
type Init = { method: string; headers: Headers; body: string | null; redirect: 'manual'; signal: AbortSignal | null };
type Body = Record<string, unknown>;
/** Reads a success response, and may throw the error that `unexpected` makes of its body. */
type Read<Result> = (response: Response, unexpected: (body: Body | null) => ApiError) => Promise<Result>;
const ATTEMPTS = 3;
const FIRST_DELAY_SECONDS = 0.5;
/** The longest `Retry-After` that is waited for, which is the window of the rate limits. */
const MAX_DELAY_SECONDS = 60;
const MAX_PAGE_SIZE = 100;

/** Returns a client of the management API for an instance and an API key. Keep keys on servers. */
export function createClient({ url, key }: ApiClientOptions): ApiClient {
  const base = new URL(url).href.replace(/\/+$/, '');

  const send = async <Result>(method: string, path: string, call: Call, read: Read<Result>): Promise<Result> => {
    const { path: parameters = {}, query = {}, body, idempotencyKey, signal = null } = call;
    const target = new URL(base + fillIn(path, parameters));
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.set(name, String(value));
    }
    const headers = new Headers({ Authorization: `Bearer ${key}` });
    if (method === 'POST') headers.set('Idempotency-Key', idempotencyKey ?? crypto.randomUUID());
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const text = body === undefined ? null : JSON.stringify(body);
    return await sendWithRetries(target, { method, headers, body: text, redirect: 'manual', signal }, read);
  };

  const json =
    (method: string) =>
    (path: string, call: Call = {}) =>
      send(method, path, call, readData);
  const get = json('GET');

  async function* iterate(path: string, call: Call = {}): AsyncGenerator<unknown, void, undefined> {
    let before = call.query?.before;
    do {
      const query = { limit: MAX_PAGE_SIZE, ...call.query, before };
      const page = (await get(path, { ...call, query })) as { items: unknown[]; next_cursor: string | null };
      yield* page.items;
      before = page.next_cursor ?? undefined;
    } while (before !== undefined);
  }

  const download = (path: string, call: Call = {}) => send('GET', path, call, readNothing);
  return { get, post: json('POST'), patch: json('PATCH'), delete: json('DELETE'), download, iterate } as ApiClient;
}

/** Replaces the parameters of a path. Throws if one is missing or would change the path. */
function fillIn(path: string, parameters: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (!value || value === '.' || value === '..') {
      throw new TypeError(`Could not request ${path}: ${name} is ${JSON.stringify(value)}. Pass an ID.`);
    }
    return encodeURIComponent(value);
  });
}

/** Sends a request until it succeeds, its error is final, or all attempts have failed. */
async function sendWithRetries<Result>(target: URL, init: Init, read: Read<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(target, init);
      if (!response.ok) throw errorOf(target, init, response, parse(await response.text()));
      return await read(response, (body) => errorOf(target, init, response, body));
    } catch (error) {
      init.signal?.throwIfAborted();
      const delay = attempt === ATTEMPTS ? null : retryDelay(init.method, error, attempt);
      if (delay === null) throw error;
      await wait(delay, init.signal);
    }
  }
}

/** Returns the seconds until the next attempt, or null if a retry is not safe or would fail again. */
function retryDelay(method: string, error: unknown, attempt: number): number | null {
  const { status = null, retryAfter = null } = error instanceof ApiError ? error : {};
  // With Retry-After, the server has changed nothing.
  if (retryAfter !== null) return retryAfter <= MAX_DELAY_SECONDS ? retryAfter : null;
  const isRepeatable = method === 'GET' || method === 'POST';
  const isTransient = status === null || status === 429 || (status >= 502 && status <= 504);
  return isRepeatable && isTransient ? FIRST_DELAY_SECONDS * 2 ** (attempt - 1) * (1 + Math.random()) : null;
}

function wait(seconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Returns the data of a success response. */
const readData: Read<unknown> = async (response, unexpected) => {
  const body = parse(await response.text());
  if (!body || !('data' in body)) throw unexpected(body);
  return body.data;
};

const readNothing: Read<Response> = async (response) => response;

/** Returns the error of a response, also of one that is not from Formstead. */
function errorOf({ origin, pathname }: URL, { method }: Init, response: Response, body: Body | null): ApiError {
  if (typeof body?.error === 'string') return new ApiError(body.error, response);
  const location = response.headers.get('Location');
  const result =
    location === null ? `status ${response.status} without an answer from Formstead` : `a redirect to ${location}`;
  const message = `${method} ${origin}${pathname} returned ${result}. Check the url of the client: it must be the address of the instance.`;
  return new ApiError(message, response);
}

function parse(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? (value as Body) : null;
  } catch {
    return null;
  }
}

function retryAfterOf(headers: Headers): number | null {
  const text = headers.get('Retry-After');
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

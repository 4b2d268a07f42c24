import { AppError } from '../../domain/errors.ts';
import type { S3Credentials, S3Location } from '../../domain/instance/s3-location.ts';
import { BucketError, filesUnavailable, type StoredBlob } from '../blobs.ts';

/** Time without progress after which a request is aborted, in milliseconds. */
const IDLE_MS = 10_000;
/** Time in which a failed request is repeated, and the pause before that, in milliseconds. */
const RETRY_MS = 2_000;
const RETRY_PAUSE_MS = 250;
/** Validity of a signed URL in seconds. The store checks it when a request begins. */
const URL_SECONDS = 300;

type Operation = 'GET' | 'HEAD' | 'PUT' | 'DELETE' | 'LIST';
/** The content of a new object. `open` is called for each attempt; its stream calls `onProgress` for each chunk. */
export type ObjectContent = Readonly<{
  size: number;
  /** MD5 in base64. The store compares it with the bytes that it received. */
  md5: string;
  open: (onProgress: () => void) => Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;
}>;

/** An object in a listing; `modifiedAt` is in milliseconds since 1970. */
export type ListedObject = Readonly<{ name: string; size: number; modifiedAt: number }>;

/**
 * Requests to one bucket. Bun's client signs their URLs, but `fetch` sends them: the client cannot abort a request.
 * Methods throw `AppError('storage_unavailable')` with a `BucketError` as its cause.
 */
export class S3Bucket {
  readonly #client: Bun.S3Client;
  readonly #prefix: string;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(
    { bucket, prefix, endpoint, region, forcePathStyle }: S3Location,
    { accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
    private readonly idleMs = IDLE_MS,
  ) {
    this.#prefix = prefix;
    this.#client = new Bun.S3Client({
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== null && { sessionToken }),
      region,
      bucket,
      endpoint: forcePathStyle ? endpoint : endpoint.replace('://', `://${bucket}.`),
      virtualHostedStyle: !forcePathStyle,
    });
  }

  /** Milliseconds since the last request without an answer; infinite if there was none. */
  get sinceFailure(): number {
    return performance.now() - this.#failedAt;
  }

  /** Stores an object by one request, so that it exists as a whole or not at all. */
  async put(name: string, { size, md5, open }: ObjectContent): Promise<void> {
    const headers = { 'Content-Length': String(size), 'Content-MD5': md5, 'Content-Type': 'application/octet-stream' };
    await this.#send('PUT', name, (idle) => ({ headers, body: open(() => idle.restart()) }));
  }

  /** Returns null if the object does not exist. Its bytes are requested with the first chunk. */
  async read(name: string): Promise<StoredBlob | null> {
    const response = await this.#send('HEAD', name);
    if (response) return { size: Number(response.headers.get('content-length')), bytes: this.#bytes(name) };
    // An answer to HEAD has no code that tells a missing object from a missing bucket.
    await this.#send('GET', name);
    return null;
  }

  /** Deletes an object. A missing one is ignored. */
  async delete(name: string): Promise<void> {
    await this.#send('DELETE', name);
  }

  /** Lists the objects whose names begin with `start`, page by page. */
  async *list(start: string): AsyncGenerator<ListedObject> {
    const prefix = `${this.#prefix}${start}`;
    for (let continuationToken: string | undefined; ; ) {
      const options = { prefix, ...(continuationToken !== undefined && { continuationToken }) };
      const page = await this.#attempt('LIST', (idle) => untilAborted(this.#client.list(options), idle.signal));
      for (const { key, size = 0, lastModified } of page.contents ?? []) {
        yield { name: key.slice(this.#prefix.length), size, modifiedAt: Date.parse(String(lastModified)) };
      }
      continuationToken = page.nextContinuationToken;
      if (!page.isTruncated || continuationToken === undefined) return;
    }
  }

  async *#bytes(name: string): AsyncGenerator<Uint8Array> {
    const idle = new IdleTimeout(this.idleMs);
    const init = { headers: { 'Accept-Encoding': 'identity' } };
    let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
    try {
      const response = await this.#attempt('GET', () => this.#fetch('GET', name, idle, init), idle);
      reader = (response?.body as ReadableStream<Uint8Array> | undefined)?.getReader() as typeof reader;
      for (;;) {
        idle.restart();
        const chunk = await reader?.read();
        // A slow reader is no failure of the store.
        idle.stop();
        if (!chunk || chunk.done) return;
        yield chunk.value;
      }
    } catch (error) {
      throw this.#unavailable('GET', error);
    } finally {
      idle.stop();
      await reader?.cancel().catch(() => {});
    }
  }

  /** Sends a request and reads its whole answer. Returns null if the object does not exist. */
  #send(operation: Exclude<Operation, 'LIST'>, name: string, init: (idle: IdleTimeout) => RequestInit = () => ({})) {
    return this.#attempt(operation, async (idle) => {
      const response = await this.#fetch(operation, name, idle, init(idle));
      await response?.arrayBuffer();
      return response;
    });
  }

  async #fetch(method: Exclude<Operation, 'LIST'>, name: string, idle: IdleTimeout, init: RequestInit) {
    const url = this.#client.presign(`${this.#prefix}${name}`, { method, expiresIn: URL_SECONDS });
    const response = await fetch(url, { ...init, method, signal: idle.signal, redirect: 'manual' });
    if (response.ok) return response;
    const code = /<Code>([A-Za-z.]{1,80})<\/Code>/.exec(await response.text())?.[1] ?? '';
    if (response.status === 404 && method !== 'PUT' && code !== 'NoSuchBucket') return null;
    const isTransient = response.status >= 500 || response.status === 429;
    throw new BucketError(method, [response.status, code].filter(Boolean).join(' '), isTransient);
  }

  /** Runs a request, and again if it failed early for a reason that may have passed. */
  async #attempt<T>(
    operation: Operation,
    request: (idle: IdleTimeout) => Promise<T>,
    idle = new IdleTimeout(this.idleMs),
  ): Promise<T> {
    const startedAt = performance.now();
    try {
      for (;;) {
        idle.restart();
        try {
          return await request(idle);
        } catch (error) {
          const failure = toBucketError(operation, error);
          const isEarly = performance.now() - startedAt < RETRY_MS;
          if (!failure.isTransient || !isEarly || idle.signal.aborted) throw this.#unavailable(operation, failure);
          await Bun.sleep(RETRY_PAUSE_MS);
        }
      }
    } finally {
      idle.stop();
    }
  }

  #unavailable(operation: Operation, error: unknown): AppError {
    if (error instanceof AppError) return error;
    const cause = toBucketError(operation, error);
    if (cause.isTransient) this.#failedAt = performance.now();
    return filesUnavailable(cause);
  }
}

/** Keeps only the code of an error: its message and properties may contain the signed URL. */
function toBucketError(operation: Operation, error: unknown): BucketError {
  if (error instanceof BucketError) return error;
  const isTimeout = error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
  if (isTimeout) return new BucketError(operation, 'TIMEOUT', true);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
  // Bun's client reports the code of an answer with status 403 or 404 like one of the network.
  const isRefusal = /^(?:AccessDenied|NoSuchBucket|InvalidAccessKeyId|SignatureDoesNotMatch|RequestTimeTooSkewed)$/;
  return new BucketError(operation, code, !isRefusal.test(code));
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason));
  return Promise.race([work, promise]);
}

/** Aborts a request after a time without progress. */
export class IdleTimeout {
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly milliseconds: number) {
    this.restart();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts counting anew. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), this.milliseconds);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

import { AppError } from '../domain/errors.ts';
import type { Payload, PayloadValue } from '../domain/submissions/submission.ts';
import { type FileLimits, Upload } from '../intake/upload.ts';
import { sanitizeFileName } from '../lib/file-name.ts';
import { type GuardedNetwork, guardedFetch } from '../lib/guarded-fetch.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { ReadyRow } from './read-row.ts';

const CONCURRENT_ROWS = 4;
const ATTEMPTS = 3;
const RETRY_MS = 1_000;
const TIMEOUT_MS = 60_000;
const MAX_REDIRECTS = 5;

/** A file that could not be fetched. Its URL stays in the submission. */
export type FailedFile = Readonly<{ row: number; field: string; host: string; reason: string }>;

/** The files of a row, and its payload without their URLs. The caller must release or discard the uploads. */
export type FetchedFiles = Readonly<{ uploads: readonly Upload[]; payload: Payload; failed: readonly FailedFile[] }>;

/** A failure that another attempt would not change. */
class FinalError extends Error {}

/** Fetches the files whose URLs are in the fields `fields`, through the SSRF guard and within the limits of the form. */
export class FileFetcher {
  readonly #rows = new Semaphore(CONCURRENT_ROWS);

  constructor(
    private readonly deps: Readonly<{ network: GuardedNetwork; blobs: Blobs; limits: FileLimits; retryMs?: number }>,
    private readonly fields: ReadonlySet<string>,
  ) {}

  /** Returns the files of each row; null for a row without URLs. */
  fetchAll(rows: readonly ReadyRow[]): Promise<Array<FetchedFiles | null>> {
    return Promise.all(rows.map((row) => this.#rows.run(() => this.#fetchRow(row))));
  }

  async #fetchRow({ number, payload }: ReadyRow): Promise<FetchedFiles | null> {
    if (!payload.some(([name, value]) => this.fields.has(name) && urlsIn(value).length > 0)) return null;
    const uploads: Upload[] = [];
    const failed: FailedFile[] = [];
    const entries: Array<Payload[number]> = [];
    for (const [field, value] of payload) {
      const urls = this.fields.has(field) ? urlsIn(value) : [];
      const left: string[] = [];
      for (const url of urls) {
        const result = await this.#fetchFile(field, url, uploads.length);
        if (typeof result !== 'string') {
          uploads.push(result);
          continue;
        }
        left.push(url.href);
        failed.push({ row: number, field, host: url.host, reason: result });
      }
      if (urls.length === 0) entries.push([field, value]);
      else if (left.length > 0) entries.push([field, left.length === 1 && left[0] ? left[0] : left]);
    }
    return { uploads, payload: entries, failed };
  }

  /** Returns the received file, or the reason for a failure. `count` is the number of files of the row so far. */
  async #fetchFile(field: string, url: URL, count: number): Promise<Upload | string> {
    const { blobs, limits, retryMs = RETRY_MS } = this.deps;
    if (count >= limits.files) return `the row has more than ${limits.files} files`;
    for (let attempt = 1; ; attempt++) {
      const upload = new Upload(blobs, limits);
      try {
        const response = await this.#download(url);
        const contentType = response.headers.get('content-type') ?? '';
        await receive(upload, { field, name: fileName(url), contentType }, response);
        return upload;
      } catch (error) {
        await upload.discard();
        const isFinal = error instanceof FinalError || error instanceof AppError || attempt === ATTEMPTS;
        if (isFinal) return error instanceof Error ? error.message : String(error);
        await Bun.sleep(retryMs * attempt);
      }
    }
  }

  /** Follows redirects, each through the guard. */
  async #download(start: URL): Promise<Response> {
    let url = start;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await guardedFetch(this.deps.network, url, { method: 'GET', body: '' }, TIMEOUT_MS);
      if (response.ok) {
        if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
          await response.body?.cancel();
          throw new FinalError('the server answered with a web page, perhaps to sign in');
        }
        return response;
      }
      await response.body?.cancel();
      const location = response.headers.get('location');
      if (response.status < 300 || response.status > 399 || location === null) {
        const message = `the server answered with status ${response.status}`;
        throw response.status >= 500 || response.status === 429 ? new Error(message) : new FinalError(message);
      }
      if (!URL.canParse(location, url.href)) throw new FinalError('the server redirects to no URL');
      url = new URL(location, url);
      if (!/^https?:$/.test(url.protocol)) throw new FinalError('the server redirects to no web address');
    }
    throw new FinalError('the server redirects too often');
  }
}

async function receive(upload: Upload, part: Parameters<Upload['start']>[0], response: Response): Promise<void> {
  await upload.start(part);
  for await (const chunk of response.body ?? []) await upload.write(chunk);
  await upload.finish();
}

/** Returns the last part of a URL's path as a file name. */
function fileName({ pathname }: URL): string {
  let name = pathname;
  try {
    name = decodeURIComponent(pathname);
  } catch {
    // Not a valid escape; keep the text.
  }
  return sanitizeFileName(name, 'file');
}

/** Returns the URLs of a value: a text of nothing but URLs, a list of them, or objects with a `url`, such as Netlify's. */
function urlsIn(value: PayloadValue): URL[] {
  if (typeof value === 'string') {
    const parts = value.split(/[\s,;|]+(?=https?:)|\s+/).filter((part) => part !== '');
    const urls = parts.filter((part) => /^https?:\/\//i.test(part) && URL.canParse(part)).map((part) => new URL(part));
    return urls.length === parts.length ? urls : [];
  }
  if (Array.isArray(value)) return value.flatMap(urlsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { url, public_url: publicUrl } = value as Record<string, PayloadValue>;
  return urlsIn(url ?? publicUrl ?? null);
}

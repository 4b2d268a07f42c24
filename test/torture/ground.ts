import { mkdtempSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { formData, noise, sha256 } from '../fast/submit/files.ts';
import { formstead, type Program, type ServerProcess } from '../support/process.ts';
import { UNTIL_MS } from '../support/speed.ts';

/** A data directory with a form, whose mails go to one address, and a key that reads and deletes. */
export type Ground = Readonly<{ dataDir: string; formId: string; secret: string }>;

/** Limit of a wait, in milliseconds: that of the test, or ten minutes in `bun run torture`. */
export const PATIENCE_MS = Bun.env.TEST_TIMEOUT_MS ? UNTIL_MS : 600_000;

/** The pause of a client before it sends a post again. */
const AGAIN_MS = 20;

/** The exit code of a process that kills itself, so that nothing is written at its end. */
export const KILLED = 128 + constants.signals.SIGKILL;

type Made = Readonly<{ id: string; secret: string }>;
/** A submission as the API shows it. */
export type Item = Readonly<{
  id: string;
  created_at: string;
  data: Readonly<{ n: string; text: string }>;
  file_metadata: Readonly<{ files: ReadonlyArray<Readonly<{ id: string }>> }> | null;
}>;
type Page = Readonly<{ data: Readonly<{ items: readonly Item[]; next_cursor: string | null }> }>;
type Server = Pick<ServerProcess, 'url'>;

const ENCODINGS = ['urlencoded', 'json', 'multipart'] as const;

/** A post with a number and a text of its own, and the sums of its files. */
export type Post = Readonly<{
  n: string;
  body: NonNullable<RequestInit['body']>;
  headers: Readonly<Record<string, string>>;
  sums: readonly string[];
}>;

/** Files of so many bytes; a post with some is multipart. */
export function newPost(n: string, encoding: (typeof ENCODINGS)[number], fileBytes: readonly number[] = []): Post {
  const fields = { n, text: textOf(n), _subject: n };
  if (encoding === 'json') {
    return { n, body: JSON.stringify(fields), headers: { 'Content-Type': 'application/json' }, sums: [] };
  }
  if (encoding === 'urlencoded') return { n, body: new URLSearchParams(fields), headers: {}, sums: [] };
  const body = formData(Object.entries(fields));
  const files = fileBytes.map((size) => noise(size));
  for (const file of files) body.append('file', new File([file], 'file.bin'));
  return { n, body, headers: {}, sums: files.map((file) => sha256(file)) };
}

/** The three encodings in turn; what is multipart has one file or two. */
export function postOf(turn: number): Post {
  const encoding = ENCODINGS[turn % 3] ?? 'json';
  const sizes = Array.from({ length: 1 + (turn % 2) }, () => Math.ceil(Math.random() ** 4 * 200_000));
  return newPost(String(turn), encoding, encoding === 'multipart' ? sizes : []);
}

/** Some hundreds of letters that only this number has. */
function textOf(n: string): string {
  const letters = sha256(Buffer.from(n)).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
  return letters.repeat(1 + (letters.charCodeAt(0) % 16));
}

/** A new directory below the system's for temporary files; the caller removes it. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'formstead-torture-'));
}

/** Makes one by commands, run by this program and with these settings if not as usual. */
export async function makeGround(dataDir: string, env?: Record<string, string>, program?: Program): Promise<Ground> {
  const make = async (...args: string[]): Promise<Made> => {
    const { code, stdout, stderr } = await formstead(dataDir, [...args, '--json'], env, program);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  const team = await make('team', 'create', '--name', 'Team');
  const workspace = await make('workspace', 'create', '--team', team.id, '--name', 'Workspace');
  const key = await make('key', 'create', '--team', team.id, '--name', 'Key', '--scope', 'read_write');
  const place = ['--workspace', workspace.id, '--notify', 'owner@shop.example'];
  const form = await make('form', 'create', '--name', 'Form', ...place);
  return { dataDir, formId: form.id, secret: key.secret };
}

/** What the visitors of a form were told. */
export class Ledger {
  /** The numbers of the posts that were answered with yes. */
  readonly acknowledged = new Set<string>();
  /** Those whose deletion was. */
  readonly deleted = new Set<string>();
  /** How often each refusal came, such as `500 storage_unavailable`, and `no answer`. */
  readonly refusals = new Map<string, number>();
  /** Answers of 500 that did not say when to come again. */
  withoutRetryAfter = 0;
  /** The sums of the files of all that was sent. */
  readonly #sums = new Map<string, readonly string[]>();
  #sent = 0;

  get refused(): number {
    return this.refusals.values().reduce((sum, count) => sum + count, 0);
  }

  /** How many files all that was sent had. */
  get files(): number {
    return this.#sums.values().reduce((sum, { length }) => sum + length, 0);
  }

  /** Posts once, with a file of so many bytes if it is more than none. Whether there was any answer. */
  async post(server: Server, formId: string, fileBytes = 0): Promise<boolean> {
    const post = newPost(String(this.#sent++), 'multipart', fileBytes > 0 ? [fileBytes] : []);
    return (await this.send(server, formId, post)) !== null;
  }

  /** Sends one post. The status of the answer, or null where none came. */
  async send(
    { url }: Server,
    formId: string,
    post: Post,
    headers: Record<string, string> = {},
  ): Promise<number | null> {
    this.#sums.set(post.n, post.sums);
    const answer = await fetch(`${url}/v1/forms/${formId}/submissions`, {
      method: 'POST',
      headers: { ...post.headers, ...headers },
      body: post.body,
    }).catch(() => null);
    if (answer?.status === 200) {
      this.acknowledged.add(post.n);
      return 200;
    }
    // Who ends may do so in the middle of an answer.
    const told = (await answer?.json().catch(() => null)) as { code?: string } | null;
    const what = answer ? `${answer.status} ${told?.code ?? 'broken off'}` : 'no answer';
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
    if (answer?.status === 500 && !answer.headers.has('retry-after')) this.withoutRetryAfter++;
    return answer?.status ?? null;
  }

  /** Sends a post under a key of its own, to whichever server is there, until it is acknowledged. */
  async insist(server: () => Server, formId: string, post: Post): Promise<void> {
    const headers = { 'Idempotency-Key': `key ${post.n}` };
    while ((await this.send(server(), formId, post, headers)) !== 200) await Bun.sleep(AGAIN_MS);
  }

  /** Posts by so many at once, every fourth with a file, until there is no answer or it is `enough`. */
  async flood(server: Server, formId: string, enough: () => boolean, fileBytes = 65_536) {
    const visitor = async (first: number) => {
      for (let turn = first; !enough(); turn++) {
        if (!(await this.post(server, formId, turn % 4 === 0 ? fileBytes : 0))) return;
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, first) => visitor(first)));
  }

  /** Deletes by the API what was acknowledged. Whether it was done; what has no answer may be there or not. */
  async delete({ url }: Server, { secret }: Ground, { id, data: { n } }: Item): Promise<boolean> {
    this.acknowledged.delete(n);
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = await fetch(`${url}/v1/submissions/${id}`, { method: 'DELETE', headers }).catch(() => null);
    if (answer?.status === 200) this.deleted.add(n);
    return answer?.status === 200;
  }

  /**
   * What a server that was started again does not have of what was acknowledged, or not as it was sent, and how many it has
   * in all.
   */
  async compare(server: Server, ground: Ground): Promise<{ missing: string[]; stored: number }> {
    const items = await listAll(server, ground);
    const found = new Set(items.map(({ data }) => data.n));
    const missing = [...this.acknowledged.difference(found)];
    if (found.size < items.length) missing.push(`${items.length - found.size} are there twice`);
    for (let at = 0; at < items.length; at += 16) {
      const wrong = await Promise.all(items.slice(at, at + 16).map((item) => this.#wrongIn(server, ground, item)));
      missing.push(...wrong.filter((what) => what !== null));
    }
    return { missing, stored: items.length };
  }

  /** Acknowledged or not: what is there is there whole. */
  async #wrongIn(server: Server, ground: Ground, item: Item): Promise<string | null> {
    const { n, text } = item.data;
    if (this.deleted.has(n)) return `${n} was deleted`;
    if (text !== textOf(n)) return `the text of ${n}`;
    const sums: string[] = [];
    for (const { id } of item.file_metadata?.files ?? []) {
      const answer = await read(server, ground, `/submissions/${item.id}/files/${id}`);
      sums.push(sha256(await answer.bytes().catch(() => new Uint8Array())));
    }
    return sums.join() === this.#sums.get(n)?.join() ? null : `a file of ${n}`;
  }
}

export function read({ url }: Server, { secret }: Ground, path: string): Promise<Response> {
  return fetch(`${url}/v1${path}`, { headers: { Authorization: `Bearer ${secret}` } });
}

/** The form's submissions, newest first; the server must not limit reads. */
export async function listAll(server: Server, ground: Ground): Promise<Item[]> {
  const items: Item[] = [];
  for (let before: string | null = ''; before !== null; ) {
    const path = `/forms/${ground.formId}/submissions?limit=100${before && `&before=${before}`}`;
    const { data } = (await (await read(server, ground, path)).json()) as Page;
    items.push(...data.items);
    before = data.next_cursor;
  }
  return items;
}

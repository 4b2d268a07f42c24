import { mkdtempSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseExposition } from '../../test/fast/instance/exposition.ts';
import { formData, noise, sha256 } from '../../test/fast/visitor/files.ts';
import { formstead, type Program, type ServerProcess } from '../../test/support/process.ts';
import { UNTIL_MS } from '../../test/support/speed.ts';

/** A data directory with a form that notifies one address, and an API key with read and write access. */
export type TestData = Readonly<{ dataDir: string; formId: string; secret: string }>;

/** The timeout of a wait in milliseconds: that of the test, or an hour in `bun run bench torture`. */
export const WAIT_TIMEOUT_MS = Bun.env.TEST_TIMEOUT_MS ? UNTIL_MS : 3_600_000;

/** The pause of a client before a retry. */
const RETRY_PAUSE_MS = 20;

/** The exit code of a server after a failed sync: it kills itself to avoid further writes. */
export const KILLED = 128 + constants.signals.SIGKILL;

type Created = Readonly<{ id: string; secret: string }>;
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

/** Creates a post with files of these sizes, which are only sent in multipart posts. */
export function newPost(n: string, encoding: (typeof ENCODINGS)[number], fileBytes: readonly number[] = []): Post {
  // Mails are found by the first word. The same text in two fields would make the filter flag one post in fifty thousand.
  const fields = { n, text: textOf(n), _subject: `${n} was posted` };
  if (encoding === 'json') {
    return { n, body: JSON.stringify(fields), headers: { 'Content-Type': 'application/json' }, sums: [] };
  }
  if (encoding === 'urlencoded') return { n, body: new URLSearchParams(fields), headers: {}, sums: [] };
  const body = formData(Object.entries(fields));
  const files = fileBytes.map((size) => noise(size));
  for (const file of files) body.append('file', new File([file], 'file.bin'));
  return { n, body, headers: {}, sums: files.map((file) => sha256(file)) };
}

/** Creates posts in the three encodings in turn. Multipart posts have one or two files. */
export function postOf(turn: number): Post {
  const encoding = ENCODINGS[turn % 3] ?? 'json';
  const sizes = Array.from({ length: 1 + (turn % 2) }, () => Math.ceil(Math.random() ** 4 * 200_000));
  return newPost(String(turn), encoding, encoding === 'multipart' ? sizes : []);
}

/** Returns up to a thousand letters that are unique to this number. */
function textOf(n: string): string {
  const letters = sha256(Buffer.from(n)).replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? '');
  return letters.repeat(1 + (letters.charCodeAt(0) % 16));
}

/** Creates a temporary directory. The caller removes it. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'formstead-torture-'));
}

/** Creates the test data by commands, optionally with these settings and this program. */
export async function createTestData(
  dataDir: string,
  env?: Record<string, string>,
  program?: Program,
): Promise<TestData> {
  const create = async (...args: string[]): Promise<Created> => {
    const { code, stdout, stderr } = await formstead(dataDir, [...args, '--json'], env, program);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  };
  await create('init');
  const team = await create('team', 'create', '--name', 'Team');
  const workspace = await create('workspace', 'create', '--team', team.id, '--name', 'Workspace');
  const key = await create('key', 'create', '--team', team.id, '--name', 'Key', '--scope', 'read_write');
  const place = ['--workspace', workspace.id, '--notify', 'owner@shop.example'];
  const form = await create('form', 'create', '--name', 'Form', ...place);
  return { dataDir, formId: form.id, secret: key.secret };
}

/** Creates an account by an invitation, as a browser does, and returns its session cookie. */
export async function signIn({ url }: Server, { dataDir }: TestData): Promise<string> {
  const { code, stdout, stderr } = await formstead(dataDir, ['user', 'create', '--json']);
  if (code !== 0) throw new Error(stderr);
  const { link } = JSON.parse(stdout) as { link: string };
  const answer = await fetch(url + new URL(link).pathname, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: url },
    body: new URLSearchParams({ email: 'ada@example.com', new_password: 'correct horse battery' }),
  });
  return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

/** Record of all posts and their responses. */
export class Ledger {
  /** The numbers of the acknowledged posts. */
  readonly acknowledged = new Set<string>();
  /** The numbers of the posts whose deletion was acknowledged. */
  readonly deleted = new Set<string>();
  /** The count of each refusal, such as `500 storage_unavailable`, and of `no answer`. */
  readonly refusals = new Map<string, number>();
  /** The number of 500 responses without Retry-After. */
  withoutRetryAfter = 0;
  /** The checksums of the files of all posts. */
  readonly #sums = new Map<string, readonly string[]>();
  #sent = 0;

  get refused(): number {
    return this.refusals.values().reduce((sum, count) => sum + count, 0);
  }

  /** The number of files of all posts. */
  get files(): number {
    return this.#sums.values().reduce((sum, { length }) => sum + length, 0);
  }

  /** Sends a new post, with a file if `fileBytes` is above 0. Returns false without a response. */
  async post(server: Server, formId: string, fileBytes = 0): Promise<boolean> {
    const post = newPost(String(this.#sent++), 'multipart', fileBytes > 0 ? [fileBytes] : []);
    return (await this.send(server, formId, post)) !== null;
  }

  /** Sends a post. Returns the status, or null without a response. */
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
    // A server may exit in the middle of a response.
    const refusal = (await answer?.json().catch(() => null)) as { code?: string } | null;
    const what = answer ? `${answer.status} ${refusal?.code ?? 'broken off'}` : 'no answer';
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
    if (answer?.status === 500 && !answer.headers.has('retry-after')) this.withoutRetryAfter++;
    return answer?.status ?? null;
  }

  /** Sends a post with its own Idempotency-Key to the current server until it is acknowledged. */
  async sendUntilAcknowledged(server: () => Server, formId: string, post: Post): Promise<void> {
    const headers = { 'Idempotency-Key': `key ${post.n}` };
    while ((await this.send(server(), formId, post, headers)) !== 200) await Bun.sleep(RETRY_PAUSE_MS);
  }

  /** Posts with 8 concurrent clients, every fourth post with a file, until `isDone` or there is no response. */
  async flood(server: Server, formId: string, isDone: () => boolean, fileBytes = 65_536) {
    const visitor = async (first: number) => {
      for (let turn = first; !isDone(); turn++) {
        if (!(await this.post(server, formId, turn % 4 === 0 ? fileBytes : 0))) return;
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, first) => visitor(first)));
  }

  /** Deletes a submission. Returns true if acknowledged; without a response, the submission may still exist. */
  async delete({ url }: Server, { secret }: TestData, { id, data: { n } }: Item): Promise<boolean> {
    this.acknowledged.delete(n);
    const headers = { Authorization: `Bearer ${secret}` };
    const answer = await fetch(`${url}/v1/submissions/${id}`, { method: 'DELETE', headers }).catch(() => null);
    if (answer?.status === 200) this.deleted.add(n);
    return answer?.status === 200;
  }

  /**
   * Returns the acknowledged posts that are missing or differ from what was sent, and the number of stored submissions.
   */
  async compare(server: Server, testData: TestData): Promise<{ missing: string[]; stored: number }> {
    const items = await listAll(server, testData);
    const found = new Set(items.map(({ data }) => data.n));
    const missing = [...this.acknowledged.difference(found)];
    if (found.size < items.length) missing.push(`${items.length - found.size} are there twice`);
    for (let at = 0; at < items.length; at += 16) {
      const wrong = await Promise.all(items.slice(at, at + 16).map((item) => this.#faultOf(server, testData, item)));
      missing.push(...wrong.filter((what) => what !== null));
    }
    return { missing, stored: items.length };
  }

  /** Checks that a stored submission is complete, acknowledged or not. Returns its fault, or null. */
  async #faultOf(server: Server, testData: TestData, item: Item): Promise<string | null> {
    const { n, text } = item.data;
    if (this.deleted.has(n)) return `${n} was deleted`;
    if (text !== textOf(n)) return `the text of ${n}`;
    const sums: string[] = [];
    for (const { id } of item.file_metadata?.files ?? []) {
      const answer = await read(server, testData, `/submissions/${item.id}/files/${id}`);
      sums.push(sha256(await answer.bytes().catch(() => new Uint8Array())));
    }
    return sums.join() === this.#sums.get(n)?.join() ? null : `a file of ${n}`;
  }
}

export function read({ url }: Server, { secret }: TestData, path: string): Promise<Response> {
  return fetch(`${url}/v1${path}`, { headers: { Authorization: `Bearer ${secret}` } });
}

/** Returns the values of `/metrics` by name and labels. */
export async function readMetrics({ url }: Server): Promise<ReadonlyMap<string, number>> {
  return parseExposition(await (await fetch(`${url}/metrics`)).text()).values;
}

/** Lists all submissions of the form, newest first. The server must not limit reads. */
export async function listAll(server: Server, testData: TestData): Promise<Item[]> {
  const items: Item[] = [];
  for (let before: string | null = ''; before !== null; ) {
    const path = `/forms/${testData.formId}/submissions?limit=100${before && `&before=${before}`}`;
    const { data } = (await (await read(server, testData, path)).json()) as Page;
    items.push(...data.items);
    before = data.next_cursor;
  }
  return items;
}

import { mkdtempSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { formstead, type ServerProcess } from '../support/process.ts';

/** A data directory with a form, whose mails go to one address, and a key that reads and deletes. */
export type Ground = Readonly<{ dataDir: string; formId: string; secret: string }>;

/** The exit code of a process that kills itself, so that nothing is written at its end. */
export const KILLED = 128 + constants.signals.SIGKILL;

type Made = Readonly<{ id: string; secret: string }>;
type Item = Readonly<{
  id: string;
  data: Readonly<{ n: string }>;
  file_metadata: Readonly<{ files: ReadonlyArray<Readonly<{ id: string }>> }> | null;
}>;
type Page = Readonly<{ data: Readonly<{ items: readonly Item[]; next_cursor: string | null }> }>;

/** A new directory below the system's for temporary files; the caller removes it. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'formstead-torture-'));
}

export async function makeGround(dataDir: string): Promise<Ground> {
  const make = async (...args: string[]): Promise<Made> => {
    const { code, stdout, stderr } = await formstead(dataDir, [...args, '--json']);
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
  /** Posts that were answered with yes, and the sum of the file that each had, if it had one. */
  readonly acknowledged = new Map<string, string | null>();
  /** How often each refusal came, such as `500 storage_unavailable`, and `no answer`. */
  readonly refusals = new Map<string, number>();
  /** Answers of 500 that did not say when to come again. */
  withoutRetryAfter = 0;
  #sent = 0;

  get refused(): number {
    return this.refusals.values().reduce((sum, count) => sum + count, 0);
  }

  /** Posts once, with a file of so many bytes if it is more than none. Whether there was any answer. */
  async post({ url }: Pick<ServerProcess, 'url'>, formId: string, fileBytes = 0): Promise<boolean> {
    const n = String(this.#sent++);
    const body = new FormData();
    body.append('n', n);
    const bytes = crypto.getRandomValues(new Uint8Array(Math.min(fileBytes, 65_536)));
    const file = new Blob(Array.from({ length: Math.ceil(fileBytes / 65_536) }, () => bytes));
    const sum = new Bun.CryptoHasher('sha256').update(await file.bytes()).digest('hex');
    if (fileBytes > 0) body.append('file', new File([file], 'file.bin'));
    const answer = await fetch(`${url}/v1/forms/${formId}/submissions`, { method: 'POST', body }).catch(() => null);
    if (answer?.status === 200) {
      this.acknowledged.set(n, fileBytes > 0 ? sum : null);
      return true;
    }
    // Who ends may do so in the middle of an answer.
    const told = (await answer?.json().catch(() => null)) as { code?: string } | null;
    const what = answer ? `${answer.status} ${told?.code ?? 'broken off'}` : 'no answer';
    this.refusals.set(what, (this.refusals.get(what) ?? 0) + 1);
    if (answer?.status === 500 && !answer.headers.has('retry-after')) this.withoutRetryAfter++;
    return answer !== null;
  }

  /** Posts by so many at once, every fourth with a file, until there is no answer or it is `enough`. */
  async flood(server: Pick<ServerProcess, 'url'>, formId: string, enough: () => boolean, fileBytes = 65_536) {
    const visitor = async (first: number) => {
      for (let turn = first; !enough(); turn++) {
        if (!(await this.post(server, formId, turn % 4 === 0 ? fileBytes : 0))) return;
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, first) => visitor(first)));
  }

  /** What a server that was started again does not have of what was acknowledged, and how many it has in all. */
  async compare(server: Pick<ServerProcess, 'url'>, ground: Ground): Promise<{ missing: string[]; stored: number }> {
    const items = await listAll(server, ground);
    const found = new Map(items.map((item) => [item.data.n, item]));
    const missing: string[] = [];
    if (found.size < items.length) missing.push(`${items.length - found.size} are there twice`);
    for (const [n, sum] of this.acknowledged) {
      const item = found.get(n);
      if (!item) missing.push(n);
      else if (sum !== null && (await sumOf(server, ground, item)) !== sum) missing.push(`the file of ${n}`);
    }
    return { missing, stored: items.length };
  }
}

function read({ url }: Pick<ServerProcess, 'url'>, { secret }: Ground, path: string): Promise<Response> {
  return fetch(`${url}/v1${path}`, { headers: { Authorization: `Bearer ${secret}` } });
}

/** The form's submissions, newest first; the server must not limit reads. */
export async function listAll(server: Pick<ServerProcess, 'url'>, ground: Ground): Promise<Item[]> {
  const items: Item[] = [];
  for (let before: string | null = ''; before !== null; ) {
    const path = `/forms/${ground.formId}/submissions?limit=100${before && `&before=${before}`}`;
    const { data } = (await (await read(server, ground, path)).json()) as Page;
    items.push(...data.items);
    before = data.next_cursor;
  }
  return items;
}

async function sumOf(server: Pick<ServerProcess, 'url'>, ground: Ground, item: Item): Promise<string | null> {
  const [file] = item.file_metadata?.files ?? [];
  if (!file) return null;
  const answer = await read(server, ground, `/submissions/${item.id}/files/${file.id}`);
  const bytes = await answer.bytes().catch(() => new Uint8Array());
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
}

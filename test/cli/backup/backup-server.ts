import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { formData, noise, type Shown as ShownSubmission, sha256 } from '../../fast/visitor/files.ts';
import { temporaryDir } from '../../support/instance.ts';
import { formstead, type ServerProcess, spawnServer } from '../../support/process.ts';
import { createTeamWithForm, json, type Resource, type TeamWithForm } from '../command-line.ts';

export type BackupResult = Readonly<{ path: string; needs_key: string; missing: number; deleted_meanwhile: number }>;

/** A running server with a form, and a folder for backups. */
export type BackupServer = TeamWithForm &
  Readonly<{ dir: string; dataDir: string; folder: string; server: ServerProcess; remove: () => Promise<void> }>;

export async function startBackupServer(): Promise<BackupServer> {
  const dir = temporaryDir();
  const dataDir = join(dir, 'data');
  const server = await spawnServer(dataDir, { READS_PER_MINUTE: '0', WRITES_PER_MINUTE: '0' });
  const remove = async () => {
    await server.end();
    rmSync(dir, { recursive: true, force: true });
  };
  return { ...(await createTeamWithForm(dataDir)), dir, dataDir, folder: join(dir, 'backups'), server, remove };
}

/** Posts a number, optionally with a file of `size` bytes. Returns the status. */
export async function postNumber(url: string, form: Resource, n: number, size: number | null): Promise<number> {
  const text: ReadonlyArray<readonly [string, string | File]> = [['n', String(n)]];
  const body = formData(size === null ? text : [...text, ['cv', new File([noise(size)], 'cv.bin')]]);
  return (await fetch(`${url}/v1/forms/${form.id}/submissions`, { method: 'POST', body })).status;
}

/** Makes a backup in a process of its own. */
export function backUp(
  { dataDir, folder }: Pick<BackupServer, 'dataDir' | 'folder'>,
  ...options: string[]
): Promise<BackupResult> {
  return json<BackupResult>(dataDir, ['backup', folder, ...options], {}, formstead);
}

type Page = Readonly<{ data: Readonly<{ items: ShownSubmission[]; next_cursor: string | null }> }>;

/** Starts a server on a data directory and returns all posted numbers. Throws if a file was changed. */
export async function numbersIn(dataDir: string, { form, key }: TeamWithForm, env = {}): Promise<Set<string>> {
  const server = await spawnServer(dataDir, { READS_PER_MINUTE: '0', ...env });
  const headers = { Authorization: `Bearer ${key.secret}` };
  const numbers = new Set<string>();
  try {
    for (let before = ''; ; ) {
      const answer = await fetch(`${server.url}/v1/forms/${form.id}/submissions?limit=100${before}`, { headers });
      const { data } = (await answer.json()) as Page;
      for (const { id, data: fields, file_metadata } of data.items) {
        numbers.add(String(fields.n));
        for (const file of file_metadata?.files ?? []) {
          const bytes = await (await fetch(`${server.url}/v1/submissions/${id}/files/${file.id}`, { headers })).bytes();
          if (sha256(bytes) !== file.sha256) throw new Error(`the file of ${fields.n} was changed`);
        }
      }
      if (data.next_cursor === null) return numbers;
      before = `&before=${data.next_cursor}`;
    }
  } finally {
    await server.end();
  }
}

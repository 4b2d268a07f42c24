import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from '../../src/storage/movable-tables.ts';
import { copyDatabase } from '../../src/storage/sqlite/copy-database.ts';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { listTables } from '../../src/storage/sqlite/movable-tables.ts';
import { parseMasterKeys } from '../../src/vault/key-ring.ts';
import { Vault } from '../../src/vault/vault.ts';
import { databaseIn } from './database-file.ts';
import { type Owner, startInstance } from './instance.ts';

/** Filler submissions: several pages of a move. */
const SUBMISSIONS = 700;

/** Text that is easily damaged on its way through SQL, and longer than a page of few bytes. */
const HARD_TEXT = `'q' "d" ü🎻 \\ {a,b} NULL\n\t`;

type Info = Readonly<{ name: string; notnull: number; pk: number }>;
type Reference = Readonly<{ table: string; from: string; to: string }>;

/**
 * Creates a stopped instance in `dataDir` with posted files of several sizes, and rows in every table. Returns its owner
 * and its encryption key.
 */
export async function createFilledInstance(dataDir: string): Promise<{ owner: Owner; key: string }> {
  const instance = await startInstance();
  const { owner } = instance;
  for (const size of [0, 100, 300_000]) {
    const body = new FormData();
    body.append('message', 'Do you repair harps?');
    body.append('photo', new File(['x'.repeat(size)], 'harp.txt', { type: 'text/plain' }));
    await instance.post(owner.form.id, body);
  }
  const key = copyStopped(instance.dataDir, dataDir);
  await instance.stop();
  const [master] = parseMasterKeys(key) ?? [];
  if (!master) throw new Error('the instance has no key');
  const database = openDatabase(databaseIn(dataDir)).$client;
  for (const table of listTables()) fill(database, new Vault(master), table);
  database.run("INSERT INTO vault_keys (id, check_value, state, created_at) VALUES (7, 'x', 'unused', 1)");
  // Numbers of deleted rows must not be used again either.
  database.run("UPDATE sqlite_sequence SET seq = 8000000000000000 WHERE name = 'submissions'");
  database.run("UPDATE sqlite_sequence SET seq = 5000 WHERE name = 'audit'");
  database.close();
  return { owner, key };
}

/** Copies a running instance to `dataDir` as if it were stopped. Returns its encryption key. */
export function copyStopped(instanceDir: string, dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  copyDatabase(databaseIn(instanceDir), databaseIn(dataDir));
  for (const name of ['encryption.key', 'files']) {
    cpSync(join(instanceDir, name), join(dataDir, name), { recursive: true });
  }
  return readFileSync(join(dataDir, 'encryption.key'), 'utf8').trim();
}

/** Adds filler rows to a table: one with every column set, the others with only the required ones. */
function fill(database: Database, vault: Vault, table: Table): void {
  if (table.name === 'vault_keys') return;
  const infos = database.query<Info, []>(`PRAGMA table_info("${table.name}")`).all();
  const references = database.query<Reference, []>(`PRAGMA foreign_key_list("${table.name}")`).all();
  const count = table.name === 'submissions' ? SUBMISSIONS : 2;
  for (let number = 1; number <= count; number++) {
    const columns = table.columns.filter(({ name }) => {
      const info = infos.find((one) => one.name === name);
      return number === 1 || info?.notnull || info?.pk;
    });
    const values = columns.map(({ name, kind }): SQLQueryBindings => {
      const owner = references.find(({ from }) => from === 'id')?.table ?? table.name;
      if (table.sealed.includes(name)) return seal(vault, table, name, number, owner);
      const reference = references.find(({ from }) => from === name);
      if (reference?.to === 'key') return 100 + Math.min(number, 2);
      if (reference) return text(`${reference.table}.${reference.to}`, Math.min(number, 2));
      if (name === 'form_id') return text('forms.id', Math.min(number, 2));
      const isKey = infos.find((one) => one.name === name)?.pk === 1;
      if (kind === 'number') return isKey ? 100 + number : 4_000_000_000_000_000 + number;
      if (kind === 'boolean') return number % 2;
      return kind === 'json' ? '{"b": [1,  "ü\\u0000"], "a":1}' : text(`${table.name}.${name}`, number);
    });
    database.run(
      `INSERT INTO "${table.name}" (${columns.map(({ name }) => `"${name}"`)}) VALUES (${columns.map(() => '?')})`,
      values,
    );
  }
}

function text(column: string, number: number): string {
  return `${column} ${number} ${HARD_TEXT}`;
}

/** Seals a filler record. `owner` is the table whose id the row has. */
function seal(
  vault: Vault,
  { name: table, form: expression }: Table,
  column: string,
  number: number,
  owner: string,
): Uint8Array {
  const ofForm = expression === 'id' ? text('forms.id', number) : text('forms.id', Math.min(number, 2));
  // An outbox row with only the required columns has no form, and no sealed record either.
  const form = expression === "''" ? '' : ofForm;
  const plaintext = column === 'files' ? '[]' : JSON.stringify({ number });
  return vault.seal(plaintext, { table, row: text(`${owner}.id`, number), form, column });
}

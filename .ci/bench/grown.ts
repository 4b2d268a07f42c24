import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { getPeriod } from '../../src/domain/usage.ts';
import { DAY, formatTime, type Micros } from '../../src/lib/clock.ts';
import { withTime } from '../../src/lib/ids.ts';
import { createForm } from '../../src/services/forms/forms.ts';
import { createKey } from '../../src/services/keys/api-keys.ts';
import { createTeam, createWorkspace } from '../../src/services/teams/teams.ts';
import { payloadAad, type Vault } from '../../src/vault/vault.ts';
import { signIn } from '../../test/fast/dashboard/signed-in.ts';

/**
 * A data directory with one form and `rows` submissions. `reads` has the arguments of `get.lua` for each kind of read.
 */
export type Grown = Readonly<{ dataDir: string; rows: number; formId: string; reads: Record<Read, readonly string[]> }>;

export type Read = 'page' | 'single' | 'usage' | 'list';

/** The number of pages and of single rows that are read, spread over the whole table. */
const PATHS = 1_000;
const PAGE = 50;
const BATCH_ROWS = 500_000;
const SPAN = 30 * DAY;

/**
 * Fills an empty data directory with rows by SQL, so that ten million take a minute. Only rows that will be read are
 * sealed with their own associated data; all others contain a copy of one record, which has the same length but does
 * not open.
 */
export async function grow(dataDir: string, rows: number): Promise<Grown> {
  process.stderr.write(`\rfilling a database with ${rows} rows…   `);
  const config = loadConfig({ DATA_DIR: dataDir });
  const secrets = loadSecrets({}, () => '');
  const context = await openContext({ config, secrets, isNew: true, writeLog: () => {}, prettyLog: false });
  const deps = { ...context, plans: config.plans };
  const team = await createTeam(deps, 'Bench', 'unlimited');
  const workspace = await createWorkspace(deps, team.id, 'Bench');
  const form = await createForm(deps, { workspaceId: workspace.id, name: 'Bench', redirectUrl: null, fields: [] });
  const { secret } = await createKey(deps, {
    teamId: team.id,
    name: 'Bench',
    scope: 'read',
    expiresAt: null,
    createdBy: null,
  });
  const { cookie } = await signIn({ url: '', context }, { teamId: team.id });
  const { vault } = context;
  await context.close();

  const firstAt = context.clock() - SPAN;
  const step = Math.floor(SPAN / (rows + 1));
  const timeOf = (row: number): Micros => firstAt + row * step;
  const sampled = Array.from({ length: Math.min(PATHS, rows - PAGE) }, (_, index) =>
    Math.floor(PAGE + (index * (rows - PAGE)) / Math.min(PATHS, rows - PAGE)),
  );
  const read = new Set([...sampled, rows - 1].flatMap((row) => Array.from({ length: PAGE }, (_, back) => row - back)));
  write(join(dataDir, 'formstead.db'), { vault, formId: form.id, teamId: team.id, rows, firstAt, step, read });

  const pathOf = (row: number) =>
    `/v1/forms/${form.id}/submissions?limit=${PAGE}&before=${formatTime(timeOf(row) + 1)}`;
  const paths: Record<Read, readonly string[]> = {
    page: sampled.map(pathOf),
    single: sampled.map((row) => `/v1/submissions/${idOf(row, timeOf(row))}`),
    usage: ['/v1/usage'],
    list: [`/dashboard/forms/${form.id}/submissions`],
  };
  const reads = { page: [], single: [], usage: [], list: [] } as Record<Read, readonly string[]>;
  for (const [kind, lines] of Object.entries(paths) as Array<[Read, readonly string[]]>) {
    const file = join(dataDir, `${kind}.txt`);
    await Bun.write(file, lines.join('\n'));
    reads[kind] = [file, ...(kind === 'list' ? ['Cookie', cookie] : ['Authorization', `Bearer ${secret}`])];
  }
  return { dataDir, rows, formId: form.id, reads };
}

type Rows = Readonly<{
  vault: Vault;
  formId: string;
  teamId: string;
  rows: number;
  firstAt: Micros;
  step: Micros;
  /** Indexes of the rows that are read. */
  read: ReadonlySet<number>;
}>;

function write(path: string, { vault, formId, teamId, rows, firstAt, step, read }: Rows): void {
  const seal = (row: number) => {
    const message = `Row ${String(row).padStart(8, '0')}: I would like to know more about the engine and its notes.`;
    const payload = [
      ['name', 'Ada Lovelace'],
      ['email', 'ada@example.com'],
      ['message', message],
    ] as const;
    return vault.sealPayload(payload, payloadAad(idOf(row, firstAt + row * step), formId));
  };
  const db = new Database(path);
  db.run('PRAGMA synchronous = OFF');
  const insert = db.query(`
    INSERT INTO submissions (created_at, id, form_key, is_spam, payload)
    WITH RECURSIVE numbers (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2)
    SELECT ?3 + n * ?4, printf('sub_%012x7%03x%016x', (?3 + n * ?4) / 1000, (?3 + n * ?4) % 1000, n), (SELECT key FROM forms WHERE id = ?5), 0, ?6 FROM numbers`);
  const placeholder = seal(0);
  for (let row = 0; row < rows; row += BATCH_ROWS) {
    insert.run(row, Math.min(rows, row + BATCH_ROWS), firstAt, step, formId, placeholder);
  }
  const replace = db.query('UPDATE submissions SET payload = ? WHERE created_at = ?');
  db.transaction(() => {
    for (const row of read) replace.run(seal(row), firstAt + row * step);
  })();
  const { start, end } = getPeriod(firstAt + rows * step);
  db.run('INSERT INTO counters (until, owner, amount) SELECT ?, ?, count(*) FROM submissions WHERE created_at >= ?', [
    end,
    teamId,
    start,
  ]);
  db.run(
    `INSERT INTO counters (until, owner, amount)
     SELECT (s.created_at / ${DAY} + 1) * ${DAY}, f.id, count(*) FROM submissions s JOIN forms f ON f.key = form_key GROUP BY 1, 2`,
  );
  // Write everything to disk before anything is measured.
  db.run('PRAGMA synchronous = FULL');
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

function idOf(row: number, at: Micros): string {
  return withTime(`sub_${row.toString(16).padStart(32, '0')}`, at);
}

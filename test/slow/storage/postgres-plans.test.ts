import { afterAll, describe, expect, test } from 'bun:test';
import { INBOX_VIEWS } from '../../../src/domain/submissions/inbox.ts';
import { LASTING } from '../../../src/storage/counters.ts';
import { connect } from '../../../src/storage/postgres/database.ts';
import { postgresStore } from '../../../src/storage/postgres/postgres-store.ts';
import { toDb } from '../../../src/storage/postgres/units.ts';
import { migratedDatabase, withClient } from '../../support/postgres.ts';

const FORMS = 20;
const ROWS = 40_000;

/** Stores submissions of several forms in all folders. The first form has half of them, `f2` only the oldest. */
const FILL = `
  INSERT INTO teams (id, name, plan, created_at) VALUES ('t', 'T', 'pro', 1);
  INSERT INTO workspaces (id, team_id, name, created_at) VALUES ('w', 't', 'W', 1);
  INSERT INTO users (id, email, password_hash, created_at) VALUES ('u', 'u@x.example', 'hash', 1);
  INSERT INTO forms (key, id, short_id, workspace_id, name, is_active, fields, created_at)
    SELECT n, 'f' || n, 's' || n, 'w', 'F', true, '[]', 1 FROM generate_series(1, ${FORMS}) AS n;
  INSERT INTO submissions (created_at, id, form_key, is_spam, is_maybe_spam, payload, read_at, is_starred, assigned_to, trashed_at,
      confirm_hash)
    SELECT n, 'sub' || n,
      CASE WHEN n < 500 THEN 2 WHEN n % 2 = 0 THEN 1 ELSE 3 + n % ${FORMS - 2} END,
      n % 7 = 0, n % 50 = 1, decode(repeat('ab', 200), 'hex'),
      CASE WHEN n % 3 = 0 THEN 1 END, n % 40 = 3, CASE WHEN n % 60 = 5 THEN 'u' END, CASE WHEN n % 30 = 7 THEN n END,
      CASE WHEN n % 90 = 11 THEN 'hash' END
    FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO counters (until, owner, amount) VALUES (${LASTING}, 'clock', ${ROWS});
  ANALYZE;`;

type Plan = Readonly<{
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: readonly Plan[];
}>;

/** Scans of the table `submissions`: their indexes, or the type of a scan without one, and the rows read. */
type Scans = Readonly<{ by: readonly string[]; rows: number }>;

describe('queries of submissions on PostgreSQL', async () => {
  const url = await migratedDatabase();
  await withClient(url, (client) => client.query(FILL));
  const { pool } = await connect(url);
  let statements: Array<readonly [text: string, values: unknown[]]> = [];
  const logger = { logQuery: (text: string, values: unknown[]) => void statements.push([text, values]) };
  const store = postgresStore({ pool, db: toDb(pool, { logger }) }, () => ROWS + 1);
  afterAll(() => store.close());

  /** Runs store methods and explains their statements. */
  const scansOf = async (run: () => Promise<unknown>): Promise<Scans> => {
    statements = [];
    await run();
    const nodes = await withClient(url, async (client) => {
      const found: Plan[] = [];
      for (const [text, values] of statements) {
        if (/^(begin|commit|set) ?/i.test(text)) continue;
        await client.query('BEGIN');
        const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
        await client.query('ROLLBACK');
        found.push(...nodesOf(JSON.parse(rows[0]['QUERY PLAN'])[0].Plan));
      }
      return found;
    });
    const scans = nodes.filter((node) => isScan(node, nodes));
    const read = scans.map(
      (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    );
    return {
      by: [...new Set(scans.map((node) => node['Index Name'] ?? node['Node Type']))].sort(),
      rows: read.reduce((sum, rows) => sum + rows, 0),
    };
  };

  const formIds = Array.from({ length: FORMS }, (_, index) => `f${index + 1}`);
  const LIMIT = 25;

  test('list and count each part of an inbox along one index, and read no more than a page of each form and folder', async () => {
    const INDEX_OF: Readonly<Record<string, string>> = {
      ...{
        starred: 'starred_of_form',
        assigned: 'assigned_submissions',
        maybe: 'maybe_spam_of_form',
        trash: 'trash_of_form',
      },
    };
    for (const part of ['all', ...INBOX_VIEWS] as const) {
      const selection = { formIds, part, from: null, until: null, userId: 'u' };
      const queries = {
        newest: () => store.inbox.listTimes(selection, { before: ROWS, limit: LIMIT }),
        oldest: () => store.inbox.listTimes(selection, { after: 0, limit: LIMIT }),
        count: () => store.inbox.count(selection, LIMIT),
      };
      for (const [name, query] of Object.entries(queries)) {
        const { by, rows } = await scansOf(query);
        expect([part, name, by]).toEqual([part, name, [INDEX_OF[part] ?? 'submissions_of_form']]);
        expect(rows).toBeLessThanOrEqual(3 * FORMS * LIMIT);
      }
      const { by } = await scansOf(() => store.inbox.findNeighbours(selection, ROWS / 2));
      expect([part, by]).toEqual([part, [INDEX_OF[part] ?? 'submissions_of_form', 'submissions_pkey'].sort()]);
    }
    expect((await scansOf(() => store.inbox.countUnread(formIds, LIMIT))).rows).toBeLessThanOrEqual(FORMS * LIMIT);
  });

  test('list the pages of a form, also of one whose submissions are all old, along one index', async () => {
    for (const id of ['f1', 'f2']) {
      const span = { formId: id, from: 0, until: ROWS } as const;
      const queries = {
        page: () => store.submissions.list('t', id, { before: null, limit: LIMIT }),
        recent: () => store.submissions.listRecent(id, { onlySpam: true, limit: LIMIT }),
        genuine: () => store.exports.listPage({ ...span, state: 'genuine' }, 0),
        trashed: () => store.exports.listPage({ ...span, state: 'trashed' }, 0),
        older: () => store.retention.countOlder(id, ROWS, LIMIT),
        delete: () => store.retention.deleteOlder(id, 200),
      };
      for (const [name, query] of Object.entries(queries)) {
        const { by, rows } = await scansOf(query);
        expect([name, by.filter((index) => !USUAL.has(index))]).toEqual([name, []]);
        expect([name, rows > 1_000]).toEqual([name, false]);
      }
    }
  });

  test('read stats from indexes', async () => {
    const { by, rows } = await scansOf(async () => {
      await store.forms.readStats('t', ROWS);
      await store.teams.listStats();
      await store.inbox.findIdsAt([1, 2, 3]);
      await store.inbox.markRead(['sub600', 'sub601'], 't', 1);
    });
    expect(by.filter((index) => !USUAL.has(index))).toEqual([]);
    expect(rows).toBeLessThanOrEqual(FORMS * (100 + 2 + 3) + 10);
  });
});

/** Indexes that name single submissions, or list those of a form in order. */
const USUAL = new Set(['submissions_of_form', 'trash_of_form', 'submissions_pkey', 'submissions_id_unique']);

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Returns true for a scan of `submissions`. That of a bitmap names only its index. */
function isScan({ 'Node Type': type, ...node }: Plan, nodes: readonly Plan[]): boolean {
  if (type === 'Bitmap Index Scan') return nodes.some((one) => one['Relation Name'] === 'submissions');
  return node['Relation Name'] === 'submissions' && type.includes('Scan') && type !== 'Bitmap Heap Scan';
}

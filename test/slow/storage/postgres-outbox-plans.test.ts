import { expect, test } from 'bun:test';
import { connect } from '../../../src/storage/postgres/database.ts';
import { postgresStore } from '../../../src/storage/postgres/postgres-store.ts';
import { toDb } from '../../../src/storage/postgres/units.ts';
import { migratedDatabase, withClient } from '../../support/postgres.ts';

const QUEUE = `INSERT INTO outbox (id, kind, form_id, webhook_id, event, message_id, state, failures, due_at, fence, created_at, settled_at)`;

/** Fills the outbox with mails of three forms and deliveries of three webhooks to send, and more that were sent. */
const FILL = `
  INSERT INTO teams (id, name, plan, created_at) VALUES ('t', 'T', 'pro', 1);
  INSERT INTO workspaces (id, team_id, name, created_at) VALUES ('w', 't', 'W', 1);
  INSERT INTO forms (id, short_id, workspace_id, name, is_active, fields, created_at)
    SELECT 'f' || n, 's' || n, 'w', 'F', true, '[]', 1 FROM generate_series(1, 30) AS n;
  INSERT INTO webhooks (id, form_id, kind, events, body, include_spam, "when", is_active, settings, created_at)
    SELECT 'h' || n, 'f' || n, 'standard', '[]', 'full', false, '[]', true, '', 1 FROM generate_series(1, 30) n;
  ${QUEUE} SELECT 'm' || n, 'notification', 'f' || 1 + n % 3, NULL, NULL, n, 'queued', 0, n, 0, n, NULL FROM generate_series(1, 30000) n;
  ${QUEUE} SELECT 's' || n, 'notification', 'f' || 1 + n % 30, NULL, NULL, n, 'sent', 0, n, 0, n, n FROM generate_series(1, 60000) n;
  ${QUEUE} SELECT 'x' || n, 'notification', 'f' || 1 + n % 30, NULL, NULL, n, 'dead', 0, n, 0, n, n FROM generate_series(1, 20000) n;
  ${QUEUE} SELECT 'd' || n, 'webhook', NULL, 'h' || 1 + n % 3, 'submission.created', n, 'queued', 0, 5, 0, n, NULL FROM generate_series(1, 30000) n;
  ${QUEUE} SELECT 'e' || n, 'webhook', NULL, 'h' || 1 + n % 30, 'submission.created', n, 'sent', 0, n, 0, n, n FROM generate_series(1, 30000) n;
  ANALYZE;`;

type Plan = Readonly<{
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: readonly Plan[];
}>;

/** Returns the number of rows of the outbox that a plan read. */
function rowsRead(plan: Plan): number {
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  const inner = (plan.Plans ?? []).map(rowsRead).reduce((sum, rows) => sum + rows, 0);
  return inner + (plan['Relation Name'] === 'outbox' ? own : 0);
}

test('claims, counts and lists of the outbox read a bounded number of its 170,000 rows', async () => {
  const url = await migratedDatabase();
  await withClient(url, (client) => client.query(FILL));
  const { pool } = await connect(url);
  let statements: Array<readonly [text: string, values: unknown[]]> = [];
  const logger = { logQuery: (text: string, values: unknown[]) => void statements.push([text, values]) };
  const store = postgresStore({ pool, db: toDb(pool, { logger }) }, () => 100_000);
  const lanes = { lanes: 8, lanesPerTeam: 8, slowLanes: 8, inFlight: [], lease: 1_000 };
  const methods: ReadonlyArray<readonly [name: string, run: () => Promise<unknown>]> = [
    ['claimMails', () => store.claims.mails(20, 1_000)],
    ['claimDeliveries', () => store.claims.deliveries(lanes)],
    ['claimMoreDeliveries', () => store.claims.moreDeliveries({ webhookId: 'h1' } as never, 20, 1_000)],
    ['listTeamMails', () => store.mails.listOfTeam('t', { state: 'dead', before: null, limit: 20 })],
    ['countFailedMails of a team', () => store.mails.failedRecipients('t', 100)],
    ['countFailedMails', () => store.mails.failedRecipients(null, 100)],
    ['countTeamMails', () => store.mails.countOfTeam('t', 'dead', 100)],
    ['readDeliveryStats', () => store.webhooks.readStats(100)],
    ['listDeliveries', () => store.deliveries.list('h1', { before: null, limit: 20 })],
    ['pruneMails', () => store.mails.prune()],
  ];
  const read: Array<readonly [name: string, rows: number]> = [];
  for (const [name, run] of methods) {
    statements = [];
    await run();
    for (const [text, values] of statements) {
      if (/^(begin|commit|set) ?/i.test(text)) continue;
      const rows = await withClient(url, async (client) => {
        await client.query('BEGIN');
        return (await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)).rows;
      });
      read.push([name, rowsRead(JSON.parse(rows[0]['QUERY PLAN'])[0].Plan)]);
    }
  }
  expect(read.filter(([, rows]) => rows > 2_000)).toEqual([]);
  await store.close();
});

import type pg from 'pg';
import type { MoveMark } from '../../domain/instance/move.ts';
import type { Table } from '../movable-tables.ts';
import { connect } from './database.ts';

// The mark is no part of the schema: a database that was never moved has nothing of it.

/** Reads the mark of a database; null without one. */
export async function readMark(client: pg.Pool | pg.ClientBase): Promise<MoveMark | null> {
  const found = await client.query<{ mark: string | null }>("SELECT to_regclass('formstead_move')::text AS mark");
  if (found.rows[0]?.mark === null) return null;
  const { rows } = await client.query<MoveMark>('SELECT id, role, other, is_done AS "isDone" FROM formstead_move');
  return rows[0] ?? null;
}

/** Reads the mark of the database at `url`. Throws `SetupError` if it cannot connect. */
export async function readMarkAt(url: string): Promise<MoveMark | null> {
  const { pool } = await connect(url);
  try {
    return await readMark(pool);
  } finally {
    await pool.end();
  }
}

/**
 * Writes or removes the mark. While a source has one, triggers refuse every change of its tables, also those of a server
 * that lost its connection and comes back.
 */
export async function writeMark(client: pg.ClientBase, tables: readonly Table[], mark: MoveMark | null): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query('DROP TABLE IF EXISTS formstead_move');
    await client.query('DROP FUNCTION IF EXISTS refuse_change CASCADE');
    if (mark) {
      await client.query(
        'CREATE TABLE formstead_move (id text NOT NULL, role text NOT NULL, other text NOT NULL, is_done boolean NOT NULL)',
      );
      const row = [mark.id, mark.role, mark.other, mark.isDone];
      await client.query('INSERT INTO formstead_move VALUES ($1, $2, $3, $4)', row);
    }
    if (mark?.role === 'source') await refuseChanges(client, tables);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function refuseChanges(client: pg.ClientBase, tables: readonly Table[]): Promise<void> {
  await client.query(`CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'this database was moved' USING ERRCODE = 'read_only_sql_transaction'; END $$`);
  for (const { name } of tables) {
    await client.query(`CREATE TRIGGER refuse_change BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON "${name}"
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`);
  }
}

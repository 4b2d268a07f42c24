import { type MessagePort, workerData } from 'node:worker_threads';
import pg from 'pg';
import type { Answer, Query } from './database-rows.ts';

/**
 * A thread that runs one statement at a time. Values are those of SQLite: booleans are 0 and 1, and JSON is its text.
 */
const { port, isAnswered } = workerData as { port: MessagePort; isAnswered: Int32Array };
const { INT8, NUMERIC, BOOL, JSON: AS_JSON } = pg.types.builtins;
for (const type of [INT8, NUMERIC]) pg.types.setTypeParser(type, Number);
pg.types.setTypeParser(BOOL, (text) => Number(text === 't'));
pg.types.setTypeParser(AS_JSON, (text) => text);

async function answer({ url, sql, values }: Query): Promise<Answer> {
  let parameter = 0;
  const text = sql
    .replaceAll('?', () => `$${++parameter}`)
    .replaceAll(/\bx'([0-9a-f]*)'/g, (_, hex: string) => `'\\x${hex}'::bytea`);
  // Not kept, because tests drop their databases.
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    // Tests damage records, which the fence of the keys would refuse.
    await client.query("SET formstead.moves_records = 'on'");
    const { rows } = await client.query(text, [...values]);
    return { rows };
  } catch (error) {
    return { error: String(error) };
  } finally {
    await client.end();
  }
}

port.on('message', async (query: Query) => {
  port.postMessage(await answer(query));
  Atomics.store(isAnswered, 0, 1);
  Atomics.notify(isAnswered, 0);
});

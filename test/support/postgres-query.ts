import pg from 'pg';

/**
 * Runs one statement and prints its rows as JSON: `bun postgres-query.ts URL SQL VALUES`. Values are those of SQLite:
 * booleans are 0 and 1, JSON is its text, and bytes are `{ "base64": "…" }`.
 */
const [url = '', sql = '', values = '[]'] = Bun.argv.slice(2);
const { INT8, NUMERIC, BOOL, JSON: AS_JSON } = pg.types.builtins;
for (const type of [INT8, NUMERIC]) pg.types.setTypeParser(type, Number);
pg.types.setTypeParser(BOOL, (text) => Number(text === 't'));
pg.types.setTypeParser(AS_JSON, (text) => text);
const client = new pg.Client({ connectionString: url });
await client.connect();
// Tests damage records, which the fence of the keys would refuse.
await client.query("SET formstead.moves_records = 'on'");
let parameter = 0;
const text = sql
  .replaceAll('?', () => `$${++parameter}`)
  .replaceAll(/\bx'([0-9a-f]*)'/g, (_, hex: string) => `'\\x${hex}'::bytea`);
const args = JSON.parse(values, (_, value) =>
  value?.base64 === undefined ? value : Buffer.from(value.base64, 'base64'),
);
const { rows } = await client.query(text, args);
const toPlain = (value: unknown) => (Buffer.isBuffer(value) ? { base64: value.toString('base64') } : value);
const plain = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toPlain(value)])));
process.stdout.write(JSON.stringify(plain));
await client.end();

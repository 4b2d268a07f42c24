import { Database } from 'bun:sqlite';
import { purge } from './purging.ts';

/** Program that purges a database, prints `purged` and waits to be killed. Arguments: the path, and a defect. */
const [path = '', defect = ''] = Bun.argv.slice(2);
// Keeps the log from being deleted when the purge closes its connections.
const open = new Database(path);
open.query('SELECT 1 FROM sqlite_schema').get();
if (!(await purge(path, defect))) throw new Error('the database is in use');
process.stdout.write('purged\n');
setInterval(() => open, 60_000);

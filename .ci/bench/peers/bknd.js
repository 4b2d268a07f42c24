import { join } from 'node:path';
import { em, entity, text } from 'bknd';
import { createHandler } from 'bknd/adapter/bun';

/** bknd on Bun and its own SQLite connection. Anyone may create submissions; all other settings are defaults. */
const schema = em({ submissions: entity('submissions', { name: text(), email: text(), message: text() }) });
const handle = createHandler({
  connection: { url: join(process.env.DATA_DIR ?? '.', 'bknd.db') },
  config: { data: schema.toJSON() },
  adminOptions: false,
});
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => handle(request) });
process.stdout.write(`http://127.0.0.1:${server.port}/api/data/entity/submissions\n`);

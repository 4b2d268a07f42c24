import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { sqliteAdapter } from '@payloadcms/db-sqlite';
import { buildConfig, getPayload, handleEndpoints } from 'payload';

/** Payload's REST API on Node, without its admin pages. Anyone may create submissions; all other settings are defaults. */
const config = await buildConfig({
  secret: 'of the benchmark',
  telemetry: false,
  db: sqliteAdapter({ client: { url: `file:${join(process.env.DATA_DIR ?? '.', 'payload.db')}` } }),
  collections: [
    {
      slug: 'submissions',
      access: { create: () => true },
      fields: [
        { name: 'name', type: 'text' },
        { name: 'email', type: 'text' },
        { name: 'message', type: 'textarea' },
      ],
    },
  ],
});
await getPayload({ config });
// The schema is made only outside production, and only inside it is nothing compiled or logged for developers.
process.env.NODE_ENV = 'production';
serve(
  { hostname: '127.0.0.1', port: 0, fetch: (request) => handleEndpoints({ config, request: request.clone() }) },
  ({ port }) => process.stdout.write(`http://127.0.0.1:${port}/api/submissions\n`),
);

import { createApp } from '../../src/app.ts';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { createFirstForm } from '../../src/services/forms/forms.ts';
import { acceptTransaction } from '../../src/storage/sqlite/accept.ts';
import { openDatabase } from '../../src/storage/sqlite/database.ts';

/** Runs the same application and storage, but with one commit per submission. */
const config = loadConfig({ ...Bun.env, PORT: '0' });
const context = await openContext({
  config,
  secrets: loadSecrets({}, () => ''),
  writeLog: () => {},
  prettyLog: false,
  isNew: true,
});
const accept = acceptTransaction(
  openDatabase(`${config.dataDir}/formstead.db`),
  context.clock,
  { submissions: () => null, storage: () => null },
  () => null,
);
const form = await createFirstForm({ ...context, plans: config.plans });
const app = createApp({
  ...context,
  store: {
    ...context.store,
    queue: {
      ...context.store.queue,
      accept: async (submission) => {
        const [acceptance] = accept([submission]);
        if (!acceptance) throw new Error('nothing was committed');
        return acceptance;
      },
    },
  },
}).listen({ hostname: '127.0.0.1', port: 0 });
process.stdout.write(`http://127.0.0.1:${app.server?.port}/v1/forms/${form?.id}/submissions\n`);

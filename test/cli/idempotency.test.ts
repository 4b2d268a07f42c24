import { expect, test } from 'bun:test';
import { spawnServer } from '../support/process.ts';
import { limit } from '../support/speed.ts';
import { createTeamWithForm, instances, read, storedNames } from './command-line.ts';

const instance = instances();

test(
  'a post that is repeated with its Idempotency-Key after a restart is stored once',
  async () => {
    const dir = instance();
    const { form, key } = await createTeamWithForm(dir);
    for (const _start of ['first', 'second']) {
      const server = await spawnServer(dir);
      const statuses: number[] = [];
      for (const name of ['Ada', 'Ada', 'Grace']) {
        const body = new URLSearchParams({ name });
        const post = { method: 'POST', headers: { 'Idempotency-Key': 'k' }, body };
        statuses.push((await fetch(`${server.url}/v1/forms/${form.id}/submissions`, post)).status);
      }
      expect(statuses).toEqual([200, 200, 422]);
      expect(await storedNames(server.url, form, key.secret)).toEqual(['Ada']);
      const usage = (await (await read(server.url, '/v1/usage', key.secret)).json()) as object;
      expect(usage).toMatchObject({ data: { submissions_used: 1 } });
      await server.end();
    }
  },
  limit(30),
);

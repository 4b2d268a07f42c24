import { afterAll, expect, test } from 'bun:test';
import { createApp } from '../../../src/app.ts';
import { startInstance } from '../../support/instance.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { context, owner } = instance;

/** What several kinds of answers say of TLS on an instance that visitors know by this address. */
async function saidOfTls(baseUrl: string): Promise<unknown> {
  const app = createApp({ ...context, config: { ...context.config, baseUrl } });
  const ask = (path: string, init = {}) => app.handle(new Request(baseUrl + path, init));
  const answers = await Promise.all([
    ask('/healthz'),
    ask('/dashboard/forms'),
    ask('/v1/forms'),
    ask('/nothing-here'),
    ask(`/v1/forms/${owner.form.id}/submissions`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) }),
  ]);
  return answers.map(({ status, headers }) => [status, headers.get('strict-transport-security')]);
}

test('where visitors come over TLS they are never to come without, whatever is answered', async () => {
  const said = [200, 303, 401, 404, 200].map((status) => [status, 'max-age=31536000; includeSubDomains']);
  expect(await saidOfTls('https://forms.example')).toEqual(said);
});

test('over plain HTTP nothing is said of TLS', async () => {
  const said = [200, 303, 401, 404, 200].map((status) => [status, null]);
  expect(await saidOfTls('http://localhost:3000')).toEqual(said);
});

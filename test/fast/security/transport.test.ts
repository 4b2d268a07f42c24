import { afterAll, expect, test } from 'bun:test';
import { createApp } from '../../../src/app.ts';
import { startInstance } from '../../support/instance.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { context, owner } = instance;

/** Returns the HSTS headers of several kinds of responses for this BASE_URL. */
async function hstsHeaders(baseUrl: string, hstsSubdomains = true): Promise<unknown> {
  const app = createApp({ ...context, config: { ...context.config, baseUrl, hstsSubdomains } });
  // The proxy that speaks TLS passes requests on over HTTP.
  const ask = (path: string, init = {}) => app.handle(new Request(`http://forms.example${path}`, init));
  const answers = await Promise.all([
    ask('/healthz'),
    ask('/dashboard/forms'),
    ask('/v1/forms'),
    ask('/nothing-here'),
    ask(`/v1/forms/${owner.form.id}/submissions`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) }),
  ]);
  return answers.map(({ status, headers }) => [status, headers.get('strict-transport-security')]);
}

test('every response has HSTS if BASE_URL is https', async () => {
  const said = [200, 303, 401, 404, 200].map((status) => [status, 'max-age=31536000; includeSubDomains']);
  expect(await hstsHeaders('https://forms.example')).toEqual(said);
});

test('HSTS leaves out subdomains with HSTS_SUBDOMAINS=no', async () => {
  const said = [200, 303, 401, 404, 200].map((status) => [status, 'max-age=31536000']);
  expect(await hstsHeaders('https://forms.example', false)).toEqual(said);
});

test('no response has HSTS if BASE_URL is http', async () => {
  const said = [200, 303, 401, 404, 200].map((status) => [status, null]);
  expect(await hstsHeaders('http://localhost:3000')).toEqual(said);
});

import { Elysia } from 'elysia';
import { openApiDocument } from '../api/openapi/document.ts';
import type { OperationGroup } from '../api/operation.ts';
import type { Context } from '../context/context.ts';
import { AppError } from '../domain/errors.ts';
import { getPath } from '../http/allowed-methods.ts';
import { requestLimit } from '../http/request-limit.ts';
import { once } from '../lib/once.ts';

/** Searches that a client may make in a minute. */
const MAX_SEARCHES = 60;

/** Registers the manual at `/docs` and the OpenAPI document at `/openapi.json`. Both are built on the first request. */
export function docsRoutes(
  context: Pick<Context, 'config' | 'monotonic' | 'clientAddress'>,
  api: readonly OperationGroup[],
) {
  const { baseUrl } = context.config;
  const countSearch = requestLimit(context, MAX_SEARCHES, 'searches');
  const document = once(() => openApiDocument(api, baseUrl));
  // Loaded on demand, to keep start-up fast.
  const loaded = once(async () => {
    const { ASSETS, Manual } = await import('./manual.ts');
    return { ASSETS, manual: new Manual(document(), baseUrl) };
  });
  const app = new Elysia();
  for (const [path, language] of [['/docs', 'en'] as const, ['/docs/de', 'de'] as const]) {
    app.get(path, async ({ request }) => (await loaded()).manual.contents(request, language));
    app.get(`${path}/search`, async ({ request, server }) => {
      countSearch(request, server);
      return (await loaded()).manual.search(request, language);
    });
  }
  return app
    .get('/openapi.json', ({ set }) => {
      // Lets tools on other sites read it; the document contains no secrets.
      set.headers['access-control-allow-origin'] = '*';
      return document();
    })
    .get('/docs/api', async ({ request }) => (await loaded()).manual.reference(request))
    .get('/llms.txt', async ({ request }) => (await loaded()).manual.overview(request))
    .get('/docs/de/:chapter', async ({ request, params: { chapter } }) =>
      (await loaded()).manual.chapter(request, chapter, 'de'),
    )
    .get('/docs/forms.schema.json', async () => {
      const { setupFileJsonSchema } = await import('../services/setup/setup-file.ts');
      return setupFileJsonSchema();
    })
    .get('/docs/:chapter', async ({ request, params: { chapter } }) => {
      const { manual } = await loaded();
      return chapter.endsWith('.md')
        ? manual.markdown(request, chapter.slice(0, -3))
        : manual.chapter(request, chapter);
    })
    .get('/docs/assets/:hash/:name', async ({ request }) => {
      const asset = (await loaded()).ASSETS[getPath(request.url)];
      if (!asset) throw new AppError('not_found', 'There is nothing at this address.');
      return asset({ request });
    });
}

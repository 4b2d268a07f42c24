import { Elysia } from 'elysia';
import { AppError } from '../../domain/errors.ts';
import { pathOf } from '../../http/allowed-methods';
import { type OpenApiDocument, openApiDocument } from '../api/openapi/document.ts';

type Routes = Parameters<typeof openApiDocument>[0];

/** Serves the manual at `/docs`, and the interface as OpenAPI at `/openapi.json`. Both are made on the first request. */
export function docsRoutes(routes: () => Routes, baseUrl: string | null) {
  let made: OpenApiDocument | null = null;
  const document = () => {
    made ??= openApiDocument(routes(), baseUrl);
    return made;
  };
  let loading: ReturnType<typeof load> | null = null;
  // Chapters, style and renderer are loaded on demand: starting does not wait for them.
  const load = async () => {
    const { ASSETS, Manual } = await import('./manual.ts');
    return { ASSETS, manual: new Manual(document(), baseUrl) };
  };
  const loaded = () => {
    loading ??= load();
    return loading;
  };
  return new Elysia()
    .get('/openapi.json', ({ set }) => {
      // A document without secrets, for tools that run on other pages.
      set.headers['access-control-allow-origin'] = '*';
      return document();
    })
    .get('/docs', async ({ request }) => (await loaded()).manual.contents(request))
    .get('/docs/api', async ({ request }) => (await loaded()).manual.reference(request))
    .get('/docs/search', async ({ request }) => (await loaded()).manual.search(request))
    .get('/docs/:chapter', async ({ request, params }) => (await loaded()).manual.chapter(request, params.chapter))
    .get('/docs/assets/:hash/:name', async ({ request }) => {
      const asset = (await loaded()).ASSETS[pathOf(request.url)];
      if (!asset) throw new AppError('not_found', 'There is nothing at this address.');
      return asset({ request });
    });
}

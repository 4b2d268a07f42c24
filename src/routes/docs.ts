import { Elysia } from 'elysia';
import { type OpenApiDocument, openApiDocument } from '../http/openapi/document.ts';
import { REFERENCE_HEADERS, referencePage } from '../http/openapi/reference-page.ts';

type Routes = Parameters<typeof openApiDocument>[0];

/**
 * The interface as OpenAPI at `/openapi.json` and as a page at `/docs`, made of the routes once, when first asked for.
 */
export function docsRoutes(routes: () => Routes, baseUrl: string | null) {
  let made: Readonly<{ document: OpenApiDocument; page: string }> | null = null;
  const make = () => {
    if (!made) {
      const document = openApiDocument(routes(), baseUrl);
      made = { document, page: referencePage(document) };
    }
    return made;
  };
  return new Elysia()
    .get('/openapi.json', ({ set }) => {
      // A document without secrets, for tools that run on other pages.
      set.headers['access-control-allow-origin'] = '*';
      return make().document;
    })
    .get('/docs', () => new Response(make().page, { headers: REFERENCE_HEADERS }));
}

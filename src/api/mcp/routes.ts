import { bearer } from '@elysiajs/bearer';
import { Elysia } from 'elysia';
import type { ServerContext } from '../../context/server-context.ts';
import { AppError, invalidInput } from '../../domain/errors.ts';
import { toRefusal } from '../../http/failure.ts';
import { readJson } from '../../http/json-body.ts';
import { refuseForeignPage } from '../../http/same-origin.ts';
import { once } from '../../lib/once.ts';
import { recordAction } from '../../services/audit/audit.ts';
import type { OperationRunner } from '../runner.ts';
import type { Caller } from './tool.ts';

const PATH = '/mcp';

/** A POST that only reads. The tools ask `allowsForm`. */
const ACCESS = { scope: 'read', isOpenToLimitedKeys: true } as const;

/** Registers the MCP server at `/mcp`, which takes one message per POST and keeps no session. */
export function mcpRoutes(context: ServerContext, api: OperationRunner) {
  const { config, log, clientAddress, bodies } = context;
  // Loaded on demand, to keep start-up fast.
  const loaded = once(async () => {
    const [{ mcpHandler }, { allTools }] = await Promise.all([import('./server.ts'), import('./tools.ts')]);
    return mcpHandler(allTools(context, api));
  });

  return new Elysia().use(bearer()).post(
    PATH,
    async ({ request, server, bearer, set }) => {
      refuseForeignPage(request, config);
      const caller = await api.guard.admit(ACCESS, { request, bearer, set });
      const { key, requireValidKey } = caller;
      const body = await bodies.lend(key.id, (reserve) => readJson(request, reserve));
      await requireValidKey();
      // A batch would count as one request of the key.
      if (Array.isArray(body)) throw invalidInput('Batches are not supported. Send one message per request.');
      const address = clientAddress.shortOf(request, server);
      const actor = { kind: 'key' as const, id: key.id, name: key.name, address };
      const record: Caller['record'] = (action, details) =>
        recordAction(context, { teamIds: [key.teamId], actor, action, details });
      const explain = (error: unknown) => toRefusal(error, request, PATH, log).message;
      const refuse = (cause: Error) =>
        void explain(new AppError('invalid_input', 'The message is not valid MCP.', { cause }));
      const answer = await loaded();
      const response = await answer({ request, body }, { ...caller, record }, { explain, refuse });
      // Streams of the SDK have `no-cache`.
      response.headers.set('Cache-Control', 'no-store');
      return response;
    },
    { parse: 'none' },
  );
}

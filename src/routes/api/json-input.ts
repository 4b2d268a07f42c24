import type { BodyMemory } from '../../http/body-memory.ts';
import { readJson, requireJsonType } from '../../http/json-body.ts';

type Guarded = {
  readonly request: Request;
  readonly key: Readonly<{ id: string }>;
  readonly requireValidKey: () => Promise<unknown>;
  body: unknown;
};

const bodyOf = new WeakMap<Request, unknown>();

/**
 * Returns the hooks of a route with a JSON body. The framework parses before the key is checked, so the body is read in
 * `transform`, after the guard.
 */
export function jsonInput(bodies: BodyMemory) {
  return {
    parse: () => null,
    transform: async (guarded: Guarded) => {
      if (guarded.request.method === 'PATCH') requireJsonType(guarded.request);
      guarded.body = await bodies.lend(guarded.key.id, (reserve) => readJson(guarded.request, reserve));
      bodyOf.set(guarded.request, guarded.body);
      await guarded.requireValidKey();
    },
  };
}

/**
 * Returns the body that `jsonInput` has read. For hooks of all routes: one that names the framework's `body` would make it
 * parse bodies before the key is checked.
 */
export function parsedBody(request: Request): unknown {
  return bodyOf.get(request);
}

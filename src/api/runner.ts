import { bearer } from '@elysiajs/bearer';
import { Elysia } from 'elysia';
import type { ServerContext } from '../context/server-context.ts';
import type { AppError } from '../domain/errors.ts';
import { entityTag, isNotModified, requireMatch } from '../http/cached.ts';
import type { Peers } from '../http/client-address.ts';
import { JsonText, success } from '../http/envelope.ts';
import { readJson, requireJsonType } from '../http/json-body.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { Notes, pathIds, recordAction } from '../services/audit/audit.ts';
import { IdempotentRequests } from '../services/keys/idempotent-requests.ts';
import { requireValid } from './input.ts';
import { type Caller, KeyGuard, requireOpen } from './key-guard.ts';
import { isCheckedPath, requireAllowedPath } from './limited-key.ts';
import type { Call, Operation, Turns } from './operation.ts';

type Incoming = Readonly<{
  request: Request;
  server: Peers | null;
  bearer: string | undefined;
  params: Record<string, string> | undefined;
  query: Record<string, string>;
  set: { headers: Record<string, string | number>; status?: number | string };
}>;

/** Mounts operations. The framework's parser is off, because it would read a body before the key is checked. */
export function mountOperations(runner: OperationRunner, operations: readonly Operation[]) {
  const app = new Elysia().use(bearer());
  for (const operation of operations) {
    app.route(
      operation.method,
      operation.path,
      ({ bearer, params, query, request, server, set }) =>
        runner.answer(operation, { bearer, params, query, request, server, set } as Incoming),
      { parse: 'none' },
    );
  }
  return app;
}

/** Runs operations. Its checks are in this order: 401 key, 403 plan, 403 scope, 429 rate, 400 input, 404 resource. */
export class OperationRunner {
  readonly #idempotent: IdempotentRequests;
  readonly #turns: Turns = {
    pages: new Semaphore(1),
    searches: new Semaphore(1),
    searchSteps: new Semaphore(1),
    exports: new Semaphore(1),
  };

  readonly guard: KeyGuard;

  constructor(private readonly context: ServerContext) {
    this.guard = new KeyGuard(context);
    this.#idempotent = new IdempotentRequests(context);
  }

  /** Returns the answer to a request after all checks, and records a change in the audit log. */
  async answer(operation: Operation, incoming: Incoming): Promise<unknown> {
    const { request, params = {}, query, server, set } = incoming;
    const caller = await this.guard.admit(getAccess(operation), incoming);
    const { key } = caller;
    const body = operation.body ? await this.#readBody(request, caller) : null;
    requireValid(operation.query, query);
    requireValid(operation.body, body);
    const replay = await this.#idempotent.begin(request, key.id, body);
    if (replay) {
      const headers = { 'Content-Type': 'application/json', 'Idempotent-Replayed': 'true' };
      return new Response(replay.text, { status: replay.status, headers });
    }
    const notes = new Notes();
    const requireUnchanged = (data: unknown) => requireMatch(request, entityTag(JSON.stringify(success(data))));
    const data = await this.#run(operation, caller, { params, query, body, note: notes.note, requireUnchanged });
    const answer = data instanceof Response || data instanceof JsonText ? data : success(data);
    if (operation.creates) set.status = 201;
    if (operation.method === 'POST') await this.#idempotent.finish(request, operation.creates ? 201 : 200, answer);
    const action = notes.context.action === undefined ? operation.audit : notes.context.action;
    if (action) {
      const address = this.context.clientAddress.shortOf(request, server);
      const actor = { kind: 'key', id: key.id, name: key.name, address } as const;
      const details = { ...pathIds(params), ...notes.details };
      await recordAction(this.context, { teamIds: [key.teamId], actor, action, details });
    }
    if (operation.ifMatch) set.headers.ETag = entityTag(JSON.stringify(answer));
    return operation.method === 'GET' ? withTag(request, answer, set.headers) : answer;
  }

  /** Forgets the Idempotency-Key of a refused request, so that it can be repeated. */
  release(request: Request, error: AppError): Promise<void> {
    return this.#idempotent.release(request, error);
  }

  /** Returns the data of a GET for a caller that was admitted to another route. `values` are parameters by name. */
  async read(operation: Operation, caller: Caller, values: Readonly<Record<string, string>>): Promise<unknown> {
    requireOpen(getAccess(operation), caller.key);
    requireValid(operation.query, values);
    const input = { params: values, query: values, body: null, note: () => {}, requireUnchanged: () => {} };
    return this.#run(operation, caller, input);
  }

  async #run(
    operation: Operation,
    caller: Caller,
    input: Pick<Call<Record<string, string>>, 'params' | 'query' | 'body' | 'note' | 'requireUnchanged'>,
  ): Promise<unknown> {
    const { context } = this;
    if (caller.key.formIds) await requireAllowedPath(context.store, caller.key, input.params);
    const call: Call = { ...caller, ...input, context, turns: this.#turns };
    return operation.run(call as never);
  }

  async #readBody(request: Request, { key, requireValidKey }: Caller): Promise<unknown> {
    if (request.method === 'PATCH') requireJsonType(request);
    const body = await this.context.bodies.lend(key.id, (reserve) => readJson(request, reserve));
    await requireValidKey();
    return body;
  }
}

/** Returns what a key needs for an operation. */
function getAccess({ method, path, limitedKeys, rate }: Operation) {
  const isOpenToLimitedKeys = limitedKeys === 'open' || isCheckedPath(path);
  return { scope: method === 'GET' ? 'read' : 'read_write', isOpenToLimitedKeys, rate } as const;
}

/** Returns the JSON of a GET response with its ETag, or 304 if the client has it. Streams stay as they are. */
function withTag(request: Request, answer: unknown, headers: Record<string, string | number>): Response | string {
  if (answer instanceof Response) return answer;
  const text = answer instanceof JsonText ? answer.text : JSON.stringify(answer);
  const tag = entityTag(text);
  headers.ETag = tag;
  if (isNotModified(request, tag)) return new Response(null, { status: 304 });
  // A string is sent as it is, which is faster than a response whose headers would be merged.
  headers['Content-Type'] = 'application/json';
  return text;
}

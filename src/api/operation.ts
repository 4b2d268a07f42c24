import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { ServerContext } from '../context/server-context.ts';
import type { AuditAction } from '../domain/audit.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { JsonText } from '../http/envelope.ts';
import type { Semaphore } from '../lib/semaphore.ts';
import type { Note } from '../services/audit/audit.ts';
import type { Caller } from './key-guard.ts';

/** A file as response, with the schema of each content type. */
export type FileOutput = Readonly<{ description: string; content: Readonly<Record<string, { schema: object }>> }>;

/** The parameters in a path such as `/v1/forms/:formId`. */
type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [Key in Name]: string } & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? { readonly [Key in Name]: string }
    : unknown;

/** Tasks that run one at a time, because they keep much in memory. */
export type Turns = Readonly<Record<'pages' | 'searches' | 'searchSteps' | 'exports', Semaphore>>;

/** A checked request for a handler. */
export type Call<Params = unknown, Query = unknown, Body = unknown> = Caller &
  Readonly<{
    context: ServerContext;
    turns: Turns;
    params: Params;
    query: Query;
    body: Body;
    /** Adds details to the audit entry of this request. */
    note: Note;
    /** Throws `precondition_failed` if the request has an If-Match that is not the ETag of this data. */
    requireUnchanged: (data: unknown) => void;
  }>;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

type Declaration<Output, Query, Body, Run> = Readonly<{
  /** The `operationId`, which is stable for generated clients. */
  id: string;
  summary: string;
  description: string;
  /**
   * Opens an operation to keys that are limited to forms. If it lists or changes what belongs to forms, its handler asks
   * `allowsForm`. Without it, only an operation with the id of a form, submission or webhook in its path is open, and the
   * id is checked.
   */
  limitedKeys?: 'open';
  /** The action of a change, which all but a GET must have. */
  audit?: AuditAction;
  /** A lower rate limit in addition to that of reads or writes. */
  rate?: 'export';
  /** Answers with 201 instead of 200. */
  creates?: true;
  query?: Query;
  body?: Body;
  output: Output;
  /** Properties of the response's example that differ from those of the output. */
  example?: object;
  /** Honors If-Match: the handler calls `requireUnchanged`. */
  ifMatch?: true;
  /** Errors besides those of the key, the path, the query and the body. */
  errors?: readonly ErrorCode[];
  /** Offers a GET as a tool of the MCP server, with path and query parameters as input. */
  mcp?: Readonly<{ name: string; title: string; description: string }>;
  run: Run;
}>;

/** An operation of the management API. `operation()` makes it. */
export type Operation = Declaration<
  TSchema | FileOutput,
  TObject,
  TObject,
  (call: Call<never, never, never>) => unknown
> &
  Readonly<{ method: Method; path: string }>;

/** The data of a response, or a response that is already text. */
type Answer<Output> = Output extends TSchema ? Static<Output> | JsonText : Response;

/**
 * Declares an operation where its handler is. The route, its checks, the OpenAPI document, the typed client and the tools
 * of the MCP server come from it. A GET needs a key with the scope `read`, other methods `read_write`.
 */
export function operation<
  const Path extends string,
  Output extends TSchema | FileOutput,
  Query extends TObject = TObject,
  Body extends TObject = TObject,
>(
  method: Method,
  path: Path,
  declared: Declaration<
    Output,
    Query,
    Body,
    (call: Call<PathParams<Path>, Static<Query>, Static<Body>>) => Promise<Answer<Output>>
  >,
): Operation {
  return { method, path, ...declared };
}

/** Operations of one tag of the OpenAPI document. */
export type OperationGroup = Readonly<{ name: string; description: string; operations: readonly Operation[] }>;

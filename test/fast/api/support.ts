import { expect } from 'bun:test';
import { OPERATIONS } from '../../../src/api/index.ts';
import { createApp } from '../../../src/app.ts';
import type { PayloadValue } from '../../../src/domain/submissions/submission.ts';
import { newId } from '../../../src/lib/ids.ts';
import { getExample } from '../../../src/lib/schema.ts';
import { payloadAad } from '../../../src/vault/vault.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import type { Instance, Owner } from '../../support/instance.ts';

export const JSON_TYPE = /^application\/json\b/;

/** `2026-11-21T08:00:00.000123Z`. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

export type ShownForm = { id: string; name: string; short_id: string; created_at: string };

export type Submission = {
  id: string;
  created_at: string;
  is_spam: boolean;
  data: Record<string, unknown> | null;
  file_metadata: null;
};

export type Page = { items: Submission[]; next_cursor: string | null };

/** Returns the data of a success response after checking its envelope. */
export async function dataOf<Data = Record<string, unknown>>(answer: Promise<Response>, status = 200): Promise<Data> {
  const response = await answer;
  const body = (await response.json()) as { success: true; data: Data };
  expect([response.status, body.success]).toEqual([status, true]);
  expect(Object.keys(body)).toEqual(['success', 'data']);
  expect(response.headers.get('Content-Type')).toMatch(JSON_TYPE);
  return body.data;
}

/** Returns the message and headers of an error response after checking its envelope. */
export async function refused(
  answer: Promise<Response>,
  status: number,
): Promise<Readonly<{ error: string; headers: Headers }>> {
  const response = await answer;
  const body = (await response.json()) as { success: false; error: string; statusCode: number };
  expect([response.status, body.statusCode, body.success]).toEqual([status, status, false]);
  expect(Object.keys(body)).toEqual(['success', 'error', 'statusCode']);
  expect(body.error).toMatch(/\S/);
  expect(response.headers.get('Content-Type')).toMatch(JSON_TYPE);
  expect(response.headers.get('X-Request-Id')).toMatch(/\S/);
  return { error: body.error, headers: response.headers };
}

/** Queries the database over a separate connection. */
export function rows<Row = Record<string, unknown>>({ dataDir }: Instance, sql: string, ...values: string[]): Row[] {
  return queryDatabase<Row>(dataDir, sql, values);
}

/** Changes the database over a separate connection. */
export function tamper({ dataDir }: Instance, sql: string, ...values: Array<string | Uint8Array>): void {
  queryDatabase(dataDir, sql, values);
}

type KeepOptions = Readonly<{ formId?: string; isSpam?: boolean; fileBytes?: number }>;

/** Defaults for optional columns. */
const PLAIN = {
  files: null,
  blobs: [],
  spamReasons: null,
  idempotency: null,
  challenge: null,
  mails: [],
  deliveries: [],
};

/** Stores a submission as the public endpoint does and returns its id. */
export async function keep(
  { context }: Instance,
  { form }: Owner,
  data: Record<string, PayloadValue> = { note: 'hello' },
  { formId = form.id, isSpam = false, fileBytes = 0 }: KeepOptions = {},
): Promise<string> {
  const id = newId('sub');
  const payload = context.vault.sealPayload(Object.entries(data), payloadAad(id, formId));
  const result = await context.store.queue.accept({ id, formId, isSpam, payload, fileBytes, ...PLAIN });
  if (result.outcome !== 'stored') throw new Error(result.outcome);
  return result.id;
}

const PUBLIC = [
  'POST /v1/forms/:formId/submissions',
  'OPTIONS /v1/forms/:formId/submissions',
  'GET /v1/forms/:formId/challenge',
  'GET /v1/forms/:formId/stamp',
];

/** Returns every route under /v1 of the application except the public ones. */
export function managementRoutes({
  context,
}: Instance): Array<Readonly<{ name: string; method: string; path: string }>> {
  return createApp(context)
    .routes.map(({ method, path }) => ({ name: `${method} ${path}`, method, path }))
    .filter(({ name, path }) => path.startsWith('/v1/') && !PUBLIC.includes(name));
}

/** Ids of a team's resources. */
type Ids = Readonly<{
  formId: string;
  submissionId: string;
  workspaceId?: string;
  webhookId?: string;
  fileId?: string;
}>;

/** Replaces the parameters of a path by ids; an unknown parameter gets an unknown id. */
export function addressOf(path: string, ids: Ids): string {
  return path.replace(/:(\w+)/g, (_, name: string) => ids[name as keyof Ids] ?? 'id_unknown');
}

/** Returns the query that a route requires. */
export function queryOf(route: string): string {
  return route === 'GET /v1/forms/:formId/export' ? '?format=csv' : '';
}

/** Returns a valid body of a route: the example of its schema with these ids; undefined for routes without one. */
export function bodyOf(
  route: string,
  workspaceId: string,
  submissionId = 'sub_x',
): Readonly<Record<string, unknown>> | undefined {
  const body = OPERATIONS.find(({ method, path }) => `${method} ${path}` === route)?.body;
  // The form of the example is paused, and nothing must be delivered to its address.
  const values = { workspace_id: workspaceId, ids: [submissionId], isActive: true, url: 'http://127.0.0.1:1/' };
  const example = Object.entries((body && getExample(body)) ?? {});
  return body && Object.fromEntries(example.map(([name, value]) => [name, { [name]: value, ...values }[name]]));
}

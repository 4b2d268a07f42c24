import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../src/api/openapi/document.ts';
import { type Config, loadConfig, loadSecrets } from '../../src/config/config.ts';
import { type Context, openContext } from '../../src/context/context.ts';
import type { Scope } from '../../src/domain/api-key.ts';
import type { ChallengeInput } from '../../src/domain/forms/challenge.ts';
import type { Form, FormSettings } from '../../src/domain/forms/form.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { serve } from '../../src/serve.ts';
import { createForm } from '../../src/services/forms/forms.ts';
import { createKey } from '../../src/services/keys/api-keys.ts';
import { createTeam, createWorkspace } from '../../src/services/teams/teams.ts';
import { Conformance } from './conformance.ts';
import { fastestDir } from './fastest-dir.ts';
import { dropDatabase, migratedDatabase } from './postgres.ts';
import { FROM_SOURCE } from './process.ts';

type Options = Readonly<{
  env?: Record<string, string>;
  /** Replaces values that `env` gives, such as `bodySeconds` by a fraction of a second. */
  config?: Partial<Config>;
  clock?: Clock;
  /** The clock of rate limits. */
  monotonic?: Clock;
  /** Timeout of a challenge verification in milliseconds. */
  challengeMs?: number;
  /** Timeout of a delivery to a webhook in milliseconds. */
  webhookMs?: number;
  /** Timeout of a request to the bucket in milliseconds. */
  s3Ms?: number;
  dataDir?: string;
}>;

type PostBody = NonNullable<RequestInit['body']>;

/** A team with a workspace, a form and one API key per scope. */
export type Owner = Readonly<{ teamId: string; workspaceId: string; form: Form; readKey: string; writeKey: string }>;

type ApiOptions = Readonly<{ key?: string | undefined; body?: unknown; headers?: Record<string, string> }>;

export type Instance = Readonly<{
  url: string;
  dataDir: string;
  context: Context;
  /** All log lines, oldest first. */
  logs: string[];
  owner: Owner;
  makeOwner: (plan?: string) => Promise<Owner>;
  makeForm: (
    owner: Owner,
    settings?: Partial<FormSettings & Pick<Form, 'name'>>,
    challenge?: ChallengeInput,
  ) => Promise<Form>;
  makeKey: (
    owner: Owner,
    scope?: Scope,
    expiresAt?: number | null,
    forms?: readonly string[],
  ) => Promise<{ id: string; secret: string }>;
  /** Posts to the public endpoint, plain objects as JSON. */
  post: (
    formId: string,
    body: PostBody | Record<string, unknown> | null,
    headers?: Record<string, string>,
  ) => Promise<Response>;
  /** Calls the management API. */
  api: (method: string, path: string, options?: ApiOptions) => Promise<Response>;
  /** Returns a form's stored payloads from the API, newest first. */
  stored: (owner: Owner, form?: Form) => Promise<Array<{ id: string; data: Record<string, unknown> }>>;
  stop: () => Promise<void>;
}>;

/** The OpenAPI document, loaded once per worker because it is the same for every instance. */
let conformance: Promise<Conformance> | undefined;

/** Creates a temporary directory that the caller removes. */
export function temporaryDir(parent = tmpdir()): string {
  return mkdtempSync(join(parent, 'formstead-test-'));
}

/** The databases of data directories with `TEST_DATABASE=postgres`, so that an instance finds its own at a restart. */
const databases = new Map<string, string>();

/** Returns the PostgreSQL database of a data directory; undefined with SQLite. */
export function databaseOf(dataDir: string): string | undefined {
  return databases.get(dataDir);
}

/** Returns the settings that lead a command to the database of a data directory. */
export function databaseSettings(dataDir: string): Record<string, string> {
  const url = databases.get(dataDir);
  return url ? { DATABASE_URL: url, ENCRYPTION_KEY } : {};
}

/** Any key: PostgreSQL needs one in the settings. */
const ENCRYPTION_KEY = '5f'.repeat(32);

/** Adds a database of its own to the settings of an instance if `TEST_DATABASE=postgres` is set. */
async function withDatabase(env: Record<string, string>, dataDir: string): Promise<Record<string, string>> {
  if (Bun.env.TEST_DATABASE !== 'postgres' || env.DATABASE_URL) return env;
  const url = databases.get(dataDir) ?? (await migratedDatabase());
  databases.set(dataDir, url);
  return { DATABASE_URL: url, ...(!env.ENCRYPTION_KEY_FILE && { ENCRYPTION_KEY }), ...env };
}

async function dropDatabaseOf(dataDir: string): Promise<void> {
  const url = databases.get(dataDir);
  databases.delete(dataDir);
  if (url) await dropDatabase(url);
}

function listeningAddress(logs: readonly string[]): string {
  const line = logs.map((text) => JSON.parse(text)).find(({ message }) => message === 'listening');
  return `http://127.0.0.1:${line?.port}`;
}

/**
 * Starts Formstead in this process on a real socket with its own data directory, in memory if possible (other suites
 * cover kills and power failures). By default, rate limits are off and challenge services at 127.0.0.1 are allowed.
 */
export async function startInstance({
  env = {},
  config = {},
  clock,
  monotonic,
  challengeMs,
  webhookMs,
  s3Ms,
  dataDir = temporaryDir(fastestDir()),
}: Options = {}): Promise<Instance> {
  const logs: string[] = [];
  const names = ['POSTS', 'UPLOAD_BYTES', 'READS', 'WRITES', 'PAGES'];
  const off = Object.fromEntries(names.map((name) => [`${name}_PER_MINUTE`, '0']));
  const fromEnv = loadConfig({ PORT: '0', DATA_DIR: dataDir, ALLOWED_PRIVATE_HOSTS: '127.0.0.1', ...off, ...env });
  const opened = await openContext({
    config: { ...fromEnv, ...config },
    secrets: loadSecrets(await withDatabase(env, dataDir), () => ''),
    writeLog: (line) => logs.push(line),
    prettyLog: false,
    serving: true,
    program: FROM_SOURCE.command,
    ...(clock && { clock }),
    ...(webhookMs && { webhookMs }),
    ...(s3Ms && { s3Ms }),
  });
  const context = { ...opened, ...(monotonic && { monotonic }), ...(challengeMs && { challengeMs }) };
  const deps = { ...context, plans: context.config.plans };

  const makeKey: Instance['makeKey'] = async ({ teamId }, scope = 'read', expiresAt = null, forms) => {
    const { key, secret } = await createKey(deps, { teamId, name: scope, scope, expiresAt, createdBy: null, forms });
    return { id: key.id, secret };
  };
  const makeForm: Instance['makeForm'] = ({ workspaceId }, settings = {}, challenge) =>
    createForm(deps, { workspaceId, name: 'Contact', ...settings }, challenge);
  const makeOwner: Instance['makeOwner'] = async (plan = 'unlimited') => {
    const team = await createTeam(deps, 'Team', plan);
    const workspace = await createWorkspace(deps, team.id, 'Workspace');
    const bare = { teamId: team.id, workspaceId: workspace.id };
    const form = await createForm(deps, { workspaceId: workspace.id, name: 'Contact' });
    const keyOf = async (scope: Scope) =>
      (await createKey(deps, { teamId: team.id, name: scope, scope, expiresAt: null, createdBy: null })).secret;
    return { ...bare, form, readKey: await keyOf('read'), writeKey: await keyOf('read_write') };
  };

  const owner = await makeOwner();
  const server = await serve(context, () => {});
  // Nobody listens at an https BASE_URL.
  const url = server.url.startsWith('https:') ? listeningAddress(logs) : server.url;

  conformance ??= fetch(`${url}/openapi.json`).then(
    async (answer) => new Conformance((await answer.json()) as OpenApiDocument),
  );
  const published = await conformance;
  /** Sends a request and validates the response against the OpenAPI document. */
  const request = async (path: string, options: RequestInit & { method: string }) => {
    const answer = await fetch(`${url}${path}`, options);
    await published.check(options.method, `${url}${path}`, answer);
    return answer;
  };

  const post: Instance['post'] = (formId, body, headers = {}) => {
    const isPlain = body !== null && typeof body === 'object' && Object.getPrototypeOf(body) === Object.prototype;
    return request(`/v1/forms/${formId}/submissions`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...(isPlain && { 'Content-Type': 'application/json' }), ...headers },
      body: isPlain ? JSON.stringify(body) : (body as PostBody | null),
    });
  };
  const api: Instance['api'] = (method, path, { key, body, headers = {} } = {}) =>
    request(path, {
      method,
      headers: {
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const stored: Instance['stored'] = async ({ readKey, form: ownForm }, form = ownForm) => {
    const response = await api('GET', `/v1/forms/${form.id}/submissions?limit=100`, { key: readKey });
    const { data } = (await response.json()) as {
      data: { items: Array<{ id: string; data: Record<string, unknown> }> };
    };
    return data.items;
  };

  return {
    url,
    dataDir,
    context,
    logs,
    owner,
    makeOwner,
    makeForm,
    makeKey,
    post,
    api,
    stored,
    stop: async () => {
      await server.stop();
      await context.close();
      await dropDatabaseOf(dataDir);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

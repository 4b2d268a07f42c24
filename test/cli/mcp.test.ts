import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { namedBlock } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';
import { callTool, connectMcp, readTool, splitContents } from '../support/mcp.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { json, post, type Resource } from './command-line.ts';

const dataDir = temporaryDir();
let server: ServerProcess;
let form: Resource;
let client: Client;
let key: string;

beforeAll(async () => {
  server = await spawnServer(dataDir, { MCP: 'on' });
  const [team] = await json<Resource[]>(dataDir, ['team', 'list']);
  const [first] = await json<Resource[]>(dataDir, ['form', 'list', '--team', team?.id ?? '']);
  if (!team || !first) throw new Error('there is no form');
  form = first;
  const { secret } = await json<Resource>(dataDir, ['key', 'create', '--team', team.id, '--name', 'Agent']);
  key = String(secret);
  client = await connectMcp(server.url, key);
});
afterAll(async () => {
  await client?.close();
  await server?.end();
  rmSync(dataDir, { recursive: true });
});

test('a client of the SDK uses every tool of the binary', async () => {
  await post(server.url, form.short_id, 'Ada');
  expect((await client.listTools()).tools.length).toBe(6);
  expect(await readTool<object>(client, 'list_forms')).toMatchObject({ forms: [{ id: form.id }] });
  type Page = Readonly<{ submissions: ReadonlyArray<Readonly<{ id: string }>> }>;
  const { submissions } = await readTool<Page>(client, 'list_submissions', { form_id: form.id });
  const submission_id = submissions[0]?.id;
  expect(await readTool<Page>(client, 'search_submissions', { query: 'ada' })).toMatchObject({ submissions });
  const { text } = await callTool(client, 'get_submission', { submission_id });
  expect(JSON.parse(splitContents(text).inside).data).toMatchObject({ name: 'Ada' });
  expect(await readTool<object>(client, 'get_usage')).toMatchObject({ submissions_used: 1 });
  expect(await readTool<object>(client, 'delivery_state', { submission_id })).toMatchObject({ mails: [] });
});

type Servers = Readonly<Record<string, Readonly<{ url: string; headers: Readonly<Record<string, string>> }>>>;

test.each([
  ['cursor', 'mcpServers'],
  ['vscode', 'servers'],
])('the configuration of %s in the manual connects', async (name, servers) => {
  const configuration = JSON.parse(namedBlock(name).replace('http://127.0.0.1:3000', server.url)) as Record<
    string,
    Servers
  >;
  const { url = '', headers = {} } = configuration[servers]?.formstead ?? {};
  const [, secret] = headers.Authorization?.replace(/\$\{[\w:-]+\}/, key).split('Bearer ') ?? [];
  const configured = await connectMcp(url, secret ?? '');
  expect((await configured.listTools()).tools.length).toBe(6);
  await configured.close();
});

test('the command "config" shows the setting', async () => {
  const rows = await json<Array<{ name: string; value: string }>>(dataDir, ['config'], { MCP: 'on' });
  expect(rows.find(({ name }) => name === 'MCP')).toMatchObject({ value: 'on' });
});

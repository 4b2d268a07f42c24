import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Instance, startInstance } from '../../../support/instance.ts';
import { callTool, connectMcp } from '../../../support/mcp.ts';
import { tamper } from '../support.ts';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ env: { MCP: 'on' } });
});
afterAll(() => instance.stop());

/** Sends a raw request. */
function send(
  body: string | null,
  headers: Record<string, string> = {},
  method = 'POST',
  { url, owner } = instance,
): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method,
    headers: {
      Authorization: `Bearer ${owner.readKey}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
}

test('without the setting there is nothing at /mcp', async () => {
  const plain = await startInstance();
  for (const method of ['POST', 'GET', 'DELETE']) {
    const headers = { Authorization: `Bearer ${plain.owner.readKey}` };
    expect((await fetch(`${plain.url}/mcp`, { method, headers })).status).toBe(404);
  }
  await plain.stop();
});

describe('requests are refused', () => {
  test('without a key', async () => {
    const answer = await send(PING, { Authorization: '' });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  test.each([
    ['of a page of another site', 'http://evil.example', 403],
    ['of a page whose host is also in the Host header', 'http://rebound.example:3000', 403],
    ['of a page without a site', 'null', 403],
    ['but not of a page of this machine', 'http://localhost:6274', 200],
  ])('%s', async (_, origin, status) => {
    const host = URL.parse(origin)?.host;
    expect((await send(PING, { Origin: origin, ...(host && { Host: host }) })).status).toBe(status);
  });

  test('by method, as a server without sessions does', async () => {
    for (const method of ['GET', 'DELETE']) {
      const answer = await send(null, {}, method);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  test.each([
    ['no JSON', '{', 400],
    ['a batch', `[${PING},${PING}]`, 400],
    ['no message', '{"jsonrpc":"2.0"}', 400],
    ['null', 'null', 400],
    ['more than 64 KiB', JSON.stringify({ ...JSON.parse(PING), params: { x: 'x'.repeat(65_536) } }), 413],
  ])('with %s', async (_, body, status) => {
    const answer = await send(body);
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toMatch(/\bat \/|\.ts|node_modules/);
  });

  test('for streams', async () => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { _meta: envelope, notifications: { toolsListChanged: true } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params });
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' };
    expect(await (await send(body, headers)).text()).toContain('Subscription limit reached');
  });
});

test('messages count as reads of the key', async () => {
  const limited = await startInstance({ env: { MCP: 'on', READS_PER_MINUTE: '2', WRITES_PER_MINUTE: '1' } });
  const found: unknown[] = [];
  for (let index = 0; index < 3; index++) {
    const { status, headers } = await send(PING, {}, 'POST', limited);
    found.push([status, headers.get('ratelimit-policy'), headers.get('cache-control')]);
  }
  expect(found).toEqual([200, 200, 429].map((status) => [status, '"read";q=2;w=60', 'no-store']));
  await limited.stop();
});

test('an unexpected error is logged, and its text stays on the server', async () => {
  const broken = await startInstance({ env: { MCP: 'on' } });
  const agent = await connectMcp(broken.url, broken.owner.readKey);
  // A time that no date can have.
  tamper(broken, 'UPDATE forms SET created_at = 9000000000000000000');
  const { text, isError } = await callTool(agent, 'list_forms');
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(/^Something went wrong on the server\. Request id: \S+$/),
  ]);
  expect(broken.logs.join('')).toContain('internal_error');
  await agent.close();
  await broken.stop();
});

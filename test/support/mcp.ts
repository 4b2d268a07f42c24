import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The protocol of a client: with the handshake of 2025, or without one as of 2026-07-28. */
export type Era = 'legacy' | 'modern';

/** Connects a client of the SDK to the MCP server of an instance. The caller closes it. */
export async function connectMcp(url: string, key: string, era: Era = 'legacy'): Promise<Client> {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return client;
}

type Result = Readonly<{ text: string; isError: boolean }>;

/** Calls a tool and returns the text of its result. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Result> {
  const { content, isError = false, structuredContent } = await client.callTool({ name, arguments: args });
  const [first, ...others] = content;
  if (first?.type !== 'text' || others.length > 0 || structuredContent)
    throw new Error(`${name} gave more than a text.`);
  return { text: first.text, isError };
}

/** Calls a tool and parses the JSON of its result. */
export async function readTool<T>(client: Client, name: string, args: Record<string, unknown> = {}): Promise<T> {
  const { text, isError } = await callTool(client, name, args);
  if (isError) throw new Error(text);
  return JSON.parse(text) as T;
}

/** The parts of a result of `get_submission`. */
export type Contents = Readonly<{ metadata: string; mark: string; inside: string; after: string }>;

/** Splits a result of `get_submission` at its marks. Throws unless it has exactly one pair. */
export function splitContents(text: string): Contents {
  const tags = text.match(/<[^>]*>/g) ?? [];
  const found = /^(\{.*\})\n[^\n]*\n<(untrusted-[0-9a-f]{32})>\n([\s\S]*)\n<\/\2>(?:\n([^\n]*))?$/.exec(text);
  const [, metadata = '', mark = '', inside = '', after = ''] = found ?? [];
  // The second tag is in the sentence before the contents.
  const expected = [`</${mark}>`, `<${mark}>`, `</${mark}>`];
  if (!found || tags.join() !== expected.join()) throw new Error(`There is not one pair of marks: ${text}`);
  return { metadata, mark, inside, after };
}

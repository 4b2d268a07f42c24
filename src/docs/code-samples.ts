import type { OperationObject, ParameterObject } from '../api/openapi/responses.ts';
import { EXAMPLE_ADDRESS } from './chapters.ts';

/** A request that samples show. `body` is null without one. */
type Request = Readonly<{ method: string; url: string; headers: Readonly<Record<string, string>>; body: unknown }>;

const KEY = 'fs_live_…';

/** Values of path parameters, in the form of real ids. */
const PATH_VALUES: Readonly<Record<string, string>> = {
  formId: 'frm_01a1fd5b4a6f76be834e4aeb4b78f669',
  submissionId: 'sub_01a1fd5c9641704595cdd5dffe05afc5',
  fileId: 'file_01a1fd5c9641704595cdd5dffe05b0d4',
};

/** Returns the same request for curl, JavaScript and Python, with the address of this instance. */
export function codeSamples(method: string, path: string, operation: OperationObject) {
  const request = getRequest(method, path, operation);
  return [
    { language: 'curl', code: curl(request) },
    { language: 'JavaScript', code: javaScript(request) },
    { language: 'Python', code: python(request) },
  ];
}

function getRequest(method: string, path: string, operation: OperationObject): Request {
  const { parameters = [], requestBody, security } = operation;
  const body = getExample(requestBody);
  const headers = {
    ...(security.length > 0 && { Authorization: `Bearer ${KEY}` }),
    ...(body !== null && { 'Content-Type': 'application/json' }),
  };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => PATH_VALUES[name] ?? name);
  return { method, url: `${EXAMPLE_ADDRESS}${filled}${getQuery(parameters)}`, headers, body };
}

/** Returns the query with the required parameters that have an example. */
function getQuery(parameters: readonly ParameterObject[]): string {
  const query = new URLSearchParams();
  for (const { in: place, name, required, schema } of parameters) {
    const { examples } = schema;
    if (place === 'query' && required && Array.isArray(examples)) query.set(name, String(examples[0]));
  }
  return query.size === 0 ? '' : `?${query}`;
}

function getExample(requestBody: unknown): unknown {
  const { content } = (requestBody ?? {}) as { content?: Record<string, { example?: unknown; schema?: Schema }> };
  const json = content?.['application/json'];
  return json?.example ?? json?.schema?.example ?? json?.schema?.examples?.[0] ?? null;
}

type Schema = Readonly<{ example?: unknown; examples?: readonly unknown[] }>;

function curl({ method, url, headers, body }: Request): string {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${url}`,
    ...Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`),
    ...(body === null ? [] : [`-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`]),
  ];
  return parts.join(' \\\n  ');
}

function javaScript({ method, url, headers, body }: Request): string {
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(Object.keys(headers).length === 0 ? [] : [`  headers: ${indented(headers)},`]),
    ...(body === null ? [] : [`  body: JSON.stringify(${indented(body)}),`]),
  ];
  const call = options.length === 0 ? `fetch('${url}')` : `fetch('${url}', {\n${options.join('\n')}\n})`;
  return `const response = await ${call};\nconsole.log(response.status, await response.json());`;
}

const indented = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ');

function python({ method, url, headers, body }: Request): string {
  const request = [
    `    "${url}",`,
    ...(method === 'GET' ? [] : [`    method="${method}",`]),
    ...(Object.keys(headers).length > 0 ? [`    headers=${JSON.stringify(headers)},`] : []),
    ...(body === null ? [] : [`    data=json.dumps(${pythonLiteral(body)}).encode(),`]),
  ];
  return [
    'import json',
    'from urllib.request import Request, urlopen',
    '',
    `request = Request(\n${request.join('\n')}\n)`,
    'with urlopen(request) as response:',
    '    print(response.status, json.load(response))',
  ].join('\n');
}

function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const pairs = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}: ${pythonLiteral(part)}`);
  return `{${pairs.join(', ')}}`;
}

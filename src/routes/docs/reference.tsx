/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { OpenApiDocument } from '../api/openapi/document.ts';
import type { Operation, Parameter, ResponseObject } from '../api/openapi/operation.ts';
import type { Section } from './chapters.ts';
import type { Page } from './layout.tsx';
import { codeMarkup, headingMarkup } from './markdown.ts';

type Entry = Readonly<{ method: string; path: string; operation: Operation }>;

type Group = Readonly<{ name: string; description: string; entries: readonly Entry[] }>;

/** Returns the API reference: every operation and schema of the document. */
export function referencePage(document: OpenApiDocument): Page {
  const groups = groupsOf(document);
  const schemas = Object.entries(document.components.schemas as Record<string, unknown>);
  return {
    title: 'API reference',
    path: '/docs/api',
    headings: [
      ...groups.flatMap((group) => [
        { id: groupId(group), title: group.name, level: 2 },
        ...group.entries.map(({ operation }) => ({ id: operation.operationId, title: operation.summary, level: 3 })),
      ]),
      { id: 'schemas', title: 'Schemas', level: 2 },
    ],
    body: (
      <article class="reference">
        <p class="above">
          <a href="/docs">Manual</a>
        </p>
        <h1>API reference</h1>
        <p class="soft">
          Version {String(document.info.version)}. Also available as <a href="/openapi.json">OpenAPI 3.1</a>. For an
          introduction see <a href="/docs/management-api">Management API</a>.
        </p>
        <Paragraphs text={String(document.info.description)} />
        {groups.map((group) => (
          <GroupSection group={group} />
        ))}
        <section>
          <Heading level={2} id="schemas" text="Schemas" />
          {schemas.map(([name, schema]) => (
            <>
              <Heading level={3} id={`schema-${name}`} text={name} />
              <Json value={schema} />
            </>
          ))}
        </section>
      </article>
    ),
  };
}

/** Returns every operation as a section for the search. */
export function referenceSections(document: OpenApiDocument): readonly Section[] {
  return groupsOf(document).flatMap(({ entries }) =>
    entries.map(({ method, path, operation: { operationId, summary, description } }) => ({
      path: `/docs/api#${operationId}`,
      chapter: 'API reference',
      title: summary,
      text: `${method} ${path}: ${description.replace(/[`*]/g, '').replace(/\s+/g, ' ')}`,
    })),
  );
}

function groupsOf(document: OpenApiDocument): readonly Group[] {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

function groupId({ name }: Group): string {
  return `group-${name.toLowerCase()}`;
}

function Heading({ level, id, text }: Readonly<{ level: number; id: string; text: string }>) {
  return raw(headingMarkup(level, id, text, Bun.escapeHTML(text)));
}

function GroupSection({ group }: Readonly<{ group: Group }>) {
  return (
    <section>
      <Heading level={2} id={groupId(group)} text={group.name} />
      <p>{group.description}</p>
      {group.entries.map((entry) => (
        <OperationArticle entry={entry} />
      ))}
    </section>
  );
}

function OperationArticle({ entry: { method, path, operation } }: Readonly<{ entry: Entry }>) {
  const { operationId, summary, description, parameters = [], requestBody, responses, security } = operation;
  return (
    <article class="operation">
      <Heading level={3} id={operationId} text={summary} />
      <p class="endpoint">
        <code>
          <span class="method">{method}</span> {path}
        </code>
        {security.length > 0 && ' (API key required)'}
      </p>
      <Paragraphs text={description} />
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      {requestBody !== undefined && (
        <>
          <h4>Request body</h4>
          <Json value={requestBody} />
        </>
      )}
      <h4>Responses</h4>
      {Object.entries(responses).map(([status, response]) => (
        <ResponseDetails status={status} response={response} />
      ))}
    </article>
  );
}

function Parameters({ parameters }: Readonly<{ parameters: readonly Parameter[] }>) {
  return (
    <>
      <h4>Parameters</h4>
      <div class="scroll" tabindex={0}>
        <table>
          <thead>
            <tr>
              <th>Name</th>
              <th>In</th>
              <th>Type</th>
              <th>Description</th>
            </tr>
          </thead>
          <tbody>
            {parameters.map((parameter) => (
              <ParameterRow parameter={parameter} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function ParameterRow({ parameter }: Readonly<{ parameter: Parameter }>) {
  const { name, in: place, required, description = '', schema } = parameter;
  const { type, ...limits } = schema as unknown as Record<string, unknown>;
  const rest = Object.entries(limits).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return (
    <tr>
      <td>
        <code>{name}</code>
        {required && ' (required)'}
      </td>
      <td>{place}</td>
      <td>
        {String(type ?? 'any')} {rest.join(', ')}
      </td>
      <td>
        <Inline text={description} />
      </td>
    </tr>
  );
}

function ResponseDetails({ status, response }: Readonly<{ status: string; response: ResponseObject }>) {
  const { description, headers = {}, content = {} } = response;
  const names = Object.entries(headers);
  return (
    <details>
      <summary>
        <strong>{status}</strong> <Inline text={description} />
      </summary>
      {names.length > 0 && (
        <ul>
          {names.map(([name, header]) => (
            <li>
              <code>{name}</code>: <Inline text={header.description} />
            </li>
          ))}
        </ul>
      )}
      {Object.entries(content).map(([type, { schema, example }]) => (
        <>
          <p>{type}</p>
          <Json value={example ?? schema} />
        </>
      ))}
    </details>
  );
}

/** Text whose paragraphs are separated by blank lines. */
function Paragraphs({ text }: Readonly<{ text: string }>) {
  return (
    <>
      {text.split('\n\n').map((paragraph) => (
        <p>
          <Inline text={paragraph} />
        </p>
      ))}
    </>
  );
}

/** Text with `code` and **strong**, the only markup in descriptions. */
function Inline({ text }: Readonly<{ text: string }>) {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
    if (piece.startsWith('`')) return <code>{piece.slice(1, -1)}</code>;
    if (piece.startsWith('**')) return <strong>{piece.slice(2, -2)}</strong>;
    return piece;
  });
  return <>{pieces}</>;
}

function Json({ value }: Readonly<{ value: unknown }>) {
  return raw(codeMarkup(Bun.escapeHTML(JSON.stringify(value, null, 2))));
}

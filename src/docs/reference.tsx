/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { OpenApiDocument } from '../api/openapi/document.ts';
import type { OperationObject, ParameterObject, ResponseObject } from '../api/openapi/responses.ts';
import type { Section } from './chapters.ts';
import { codeSamples } from './code-samples.ts';
import type { Page } from './layout.tsx';
import { codeMarkup, headingMarkup, renderMarkdown } from './markdown.ts';
import { type SchemaRow, schemaRows, typeText } from './schema-rows.ts';

type WithSchemas = Readonly<{ schemas: Readonly<Record<string, unknown>> }>;
type Entry = Readonly<{ method: string; path: string; operation: OperationObject }>;

/** Returns the API reference: every operation and schema of the document. */
export function referencePage(document: OpenApiDocument): Page {
  const groups = getGroups(document);
  const schemas = document.components.schemas as WithSchemas['schemas'];
  const intro = renderMarkdown(String(document.info.description), () => false);
  return {
    title: 'API reference',
    path: '/docs/api',
    language: 'en',
    headings: [
      ...intro.headings,
      ...groups.flatMap((group) => [
        { id: groupId(group), title: group.name, level: 2 },
        ...group.entries.map(({ method, path, operation }) => {
          return { id: operation.operationId, title: toShort(path), level: 3, method };
        }),
      ]),
      { id: 'schemas', title: 'Schemas', level: 2 },
    ],
    body: (
      <article class="reference">
        <h1>API reference</h1>
        <p>
          Version {String(document.info.version)}. Also available as <a href="/openapi.json">OpenAPI 3.1</a>. For an
          introduction see <a href="/docs/management-api">Management API</a>.
        </p>
        {raw(intro.markup)}
        {groups.map((group) => (
          <section>
            <Heading level={2} id={groupId(group)} text={group.name} />
            <p>{group.description}</p>
            {group.entries.map((entry) => (
              <OperationArticle entry={entry} schemas={schemas} />
            ))}
          </section>
        ))}
        <section>
          <Heading level={2} id="schemas" text="Schemas" />
          {Object.entries(schemas).map(([name, schema]) => (
            <>
              <Heading level={3} id={`schema-${name}`} text={name} />
              <Rows rows={schemaRows(schema, schemas)} />
            </>
          ))}
        </section>
      </article>
    ),
  };
}

/** Returns a path as the table of contents lists it. */
const toShort = (path: string): string => path.replace(/^\/v1/, '').replace(/\{(?!file)\w+\}/g, '{id}');

/** Returns every operation as a section for the search. */
export function referenceSections(document: OpenApiDocument): readonly Section[] {
  return getGroups(document).flatMap(({ entries }) =>
    entries.map(({ method, path, operation: { operationId, summary, description } }) => ({
      path: `/docs/api#${operationId}`,
      chapter: 'API reference',
      title: summary,
      text: `${method} ${path}: ${description.replace(/[`*]/g, '').replace(/\s+/g, ' ')}`,
    })),
  );
}

function getGroups(document: OpenApiDocument) {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

const groupId = ({ name }: OpenApiDocument['tags'][number]): string => `group-${name.toLowerCase()}`;

function Heading({ level, id, text }: Readonly<{ level: number; id: string; text: string }>) {
  return raw(headingMarkup(level, id, text, Bun.escapeHTML(text)));
}

function OperationArticle({ entry: { method, path, operation }, schemas }: Readonly<{ entry: Entry }> & WithSchemas) {
  const { operationId, summary, description, parameters = [], requestBody, responses, security } = operation;
  return (
    <article class="operation">
      <Heading level={3} id={operationId} text={summary} />
      <p class="endpoint">
        <code>
          <span class={`method ${method.toLowerCase()}`}>{method}</span> {path}
        </code>
        {security.length > 0 && <span class="soft"> API key required</span>}
      </p>
      <Description text={description} />
      <Samples entry={{ method, path, operation }} />
      {parameters.length > 0 && (
        <>
          <h4>Parameters</h4>
          <Rows rows={parameters.map((parameter) => parameterRow(parameter, schemas))} />
        </>
      )}
      {requestBody !== undefined && <RequestBody body={requestBody as ResponseObject} schemas={schemas} />}
      <h4>Responses</h4>
      {Object.entries(responses).map(([status, response]) => (
        <ResponseDetails status={status} response={response} schemas={schemas} />
      ))}
    </article>
  );
}

/** The request in each language, one open at a time, and the response to it. */
function Samples({ entry: { method, path, operation } }: Readonly<{ entry: Entry }>) {
  const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const example = Object.values(success?.[1].content ?? {})[0]?.example;
  return (
    <div class="samples">
      {codeSamples(method, path, operation).map(({ language, code }, index) => (
        <details name={`request-${operation.operationId}`} open={index === 0}>
          <summary>{language}</summary>
          {raw(codeMarkup(code, language.toLowerCase()))}
        </details>
      ))}
      {success && example !== undefined && (
        <details open>
          <summary>Response {success[0]}</summary>
          <Json value={example} />
        </details>
      )}
    </div>
  );
}

function parameterRow(
  { name, in: place, required, description, schema }: ParameterObject,
  schemas: WithSchemas['schemas'],
) {
  const type = `${typeText(schema, schemas)}, in ${place}`;
  return { path: name, type, isRequired: required, description: description || String(schema.description ?? '') };
}

function RequestBody({ body, schemas }: Readonly<{ body: Pick<ResponseObject, 'content'> }> & WithSchemas) {
  const types = Object.entries(body.content ?? {});
  return (
    <>
      <h4>Request body</h4>
      <p>
        {types.map(([type], index) => (
          <>
            {index > 0 && ', '}
            <code>{type}</code>
          </>
        ))}
      </p>
      <Rows rows={schemaRows(types[0]?.[1].schema, schemas)} />
    </>
  );
}

/** Properties or parameters, each with its type and what it means. */
function Rows({ rows }: Readonly<{ rows: readonly SchemaRow[] }>) {
  return (
    <dl class="properties">
      {rows.map(({ path, type, isRequired, description }) => (
        <>
          <dt>
            <code>{path}</code> <span class="soft">{type}</span> {isRequired && <span class="required">required</span>}
          </dt>
          <dd>{description !== '' && <Inline text={description} />}</dd>
        </>
      ))}
    </dl>
  );
}

function ResponseDetails({
  status,
  response,
  schemas,
}: Readonly<{ status: string; response: ResponseObject }> & WithSchemas) {
  const { description, headers = {}, content = {} } = response;
  const names = Object.entries(headers);
  return (
    <details>
      <summary>
        <strong>{status}</strong> <Inline text={description} />
      </summary>
      {Object.entries(content).map(([type, { schema, example }]) => (
        <>
          <p>
            <code>{type}</code>
          </p>
          <Rows rows={schemaRows(schema, schemas)} />
          {!status.startsWith('2') && example !== undefined && <Json value={example} />}
        </>
      ))}
      {names.length > 0 && (
        <>
          <p>Headers</p>
          <ul>
            {names.map(([name, header]) => (
              <li>
                <code>{name}</code>: <Inline text={header.description} />
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

/** A description, which is Markdown. */
const Description = ({ text }: Readonly<{ text: string }>) => raw(renderMarkdown(text, () => false).markup);

/** A description of one paragraph, within a line. */
const Inline = ({ text }: Readonly<{ text: string }>) =>
  raw(renderMarkdown(text, () => false).markup.replace(/^<p>|<\/p>\s*$/g, ''));

function Json({ value }: Readonly<{ value: unknown }>) {
  return raw(codeMarkup(JSON.stringify(value, null, 2), 'json'));
}

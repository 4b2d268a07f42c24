import { Html, html } from '../../lib/html.ts';
import type { OpenApiDocument } from '../api/openapi/document.ts';
import type { Operation, Parameter, ResponseObject } from '../api/openapi/operation.ts';
import type { Section } from './chapters.ts';
import type { Page } from './layout.ts';
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
    body: html`<article class="reference">
<p class="above"><a href="/docs">Manual</a></p>
<h1>API reference</h1>
<p class="soft">Version ${String(document.info.version)}. Also available as <a href="/openapi.json">OpenAPI 3.1</a>.
For an introduction see <a href="/docs/management-api">Management API</a>.</p>
${paragraphs(String(document.info.description))}
${groups.map(showGroup)}
<section>${heading(2, 'schemas', 'Schemas')}
${schemas.map(([name, schema]) => html`${heading(3, `schema-${name}`, name)}${json(schema)}`)}
</section>
</article>`,
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

function heading(level: number, id: string, text: string): Html {
  return new Html(headingMarkup(level, id, text, Bun.escapeHTML(text)));
}

function showGroup(group: Group): Html {
  return html`<section>${heading(2, groupId(group), group.name)}<p>${group.description}</p>
${group.entries.map(showOperation)}</section>`;
}

function showOperation({ method, path, operation }: Entry): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses, security } = operation;
  return html`<article class="operation">${heading(3, operationId, summary)}
<p class="endpoint"><code><span class="method">${method}</span> ${path}</code>${security.length > 0 && ' (API key required)'}</p>
${paragraphs(description)}
${parameters.length > 0 && parameterTable(parameters)}
${requestBody !== undefined && html`<h4>Request body</h4>${json(requestBody)}`}
<h4>Responses</h4>
${Object.entries(responses).map(showResponse)}
</article>`;
}

function parameterTable(parameters: readonly Parameter[]): Html {
  return html`<h4>Parameters</h4><div class="scroll" tabindex="0"><table>
<thead><tr><th>Name</th><th>In</th><th>Type</th><th>Description</th></tr></thead>
<tbody>${parameters.map(showParameter)}</tbody></table></div>`;
}

function showParameter({ name, in: place, required, description, schema }: Parameter): Html {
  const { type, ...limits } = schema as unknown as Record<string, unknown>;
  const rest = Object.entries(limits).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return html`<tr><td><code>${name}</code>${required ? ' (required)' : ''}</td><td>${place}</td>
<td>${String(type ?? 'any')} ${rest.join(', ')}</td><td>${inline(description ?? '')}</td></tr>`;
}

function showResponse([status, { description, headers = {}, content = {} }]: [string, ResponseObject]): Html {
  const items = Object.entries(headers).map(
    ([name, header]) => html`<li><code>${name}</code>: ${inline(header.description)}</li>`,
  );
  return html`<details><summary><strong>${status}</strong> ${inline(description)}</summary>
${items.length > 0 && html`<ul>${items}</ul>`}
${Object.entries(content).map(([type, { schema, example }]) => html`<p>${type}</p>${json(example ?? schema)}`)}
</details>`;
}

/** Renders text whose paragraphs are separated by blank lines. */
function paragraphs(text: string): Html[] {
  return text.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`);
}

/** Renders `code` and **strong**, the only markup in descriptions. */
function inline(text: string): Array<Html | string> {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
    if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
    if (piece.startsWith('**')) return html`<strong>${piece.slice(2, -2)}</strong>`;
    return piece;
  });
}

function json(value: unknown): Html {
  return new Html(codeMarkup(Bun.escapeHTML(JSON.stringify(value, null, 2))));
}

import { Html, html } from '../../lib/html.ts';
import { pageHeaders } from '../page-headers.ts';
import type { OpenApiDocument } from './document.ts';
import type { Answer, Operation, Parameter } from './operation.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #0b6e4f; }
@media (prefers-color-scheme: dark) { :root { --accent: #5fd3ab; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 6rem; max-width: 60rem; font: 1rem/1.6 system-ui, sans-serif; }
h1 { margin: 0; } h2 { margin-top: 3rem; border-bottom: 2px solid var(--accent); } h3 { margin: 2.5rem 0 0; }
a { color: var(--accent); } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre { font: .875rem/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; }
table { width: 100%; border-collapse: collapse; } th, td { padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
summary { cursor: pointer; padding: .35rem 0; } nav ul { columns: 18rem; padding-left: 1.2rem; }
.method { color: var(--accent); font-weight: 700; }
`;

export const REFERENCE_HEADERS = pageHeaders(STYLE);

type Entry = Readonly<{ method: string; path: string; operation: Operation }>;

/** The document as a page that is read without script. */
export function referencePage(document: OpenApiDocument): string {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Formstead API reference</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<header>
<h1>Formstead API</h1>
<p>Version ${String(document.info.version)}. The same as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
${paragraphs(String(document.info.description))}
</header>
<nav aria-label="Operations"><ul>
${entries.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
</ul></nav>
<main>
${groups.map((group) => html`<section><h2>${group.name}</h2><p>${group.description}</p>${group.entries.map(showOperation)}</section>`)}
<section><h2>Schemas</h2>
${Object.entries(document.components.schemas as Record<string, unknown>).map(
  ([name, schema]) => html`<h3 id="schema-${name}">${name}</h3>${json(schema)}`,
)}
</section>
</main>
</body>
</html>`;
  return page.toString();
}

function showOperation({ method, path, operation }: Entry): Html {
  const { operationId, summary, description, parameters = [], requestBody, responses, security } = operation;
  return html`<article id="${operationId}">
<h3>${summary}</h3>
<p><code><span class="method">${method}</span> ${path}</code>${security.length > 0 && ' (key required)'}</p>
${paragraphs(description)}
${parameters.length > 0 && html`<h4>Parameters</h4><table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${parameters.map(showParameter)}</tbody></table>`}
${requestBody !== undefined && html`<h4>Request body</h4>${json(requestBody)}`}
<h4>Answers</h4>
${Object.entries(responses).map(showAnswer)}
</article>`;
}

function showParameter({ name, in: place, required, description, schema }: Parameter): Html {
  const { type, ...limits } = schema as unknown as Record<string, unknown>;
  const rest = Object.entries(limits).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  return html`<tr><td><code>${name}</code>${required ? ' (required)' : ''}</td><td>${place}</td><td>${String(type ?? 'any')} ${rest.join(', ')}</td><td>${description}</td></tr>`;
}

function showAnswer([status, { description, headers = {}, content = {} }]: [string, Answer]): Html {
  return html`<details><summary><strong>${status}</strong> ${description}</summary>
${Object.keys(headers).length > 0 && html`<ul>${Object.entries(headers).map(([name, header]) => html`<li><code>${name}</code>: ${header.description}</li>`)}</ul>`}
${Object.entries(content).map(([type, { schema, example }]) => html`<p>${type}</p>${json(example ?? schema)}`)}
</details>`;
}

/** Blank lines part paragraphs; `code` and **strong** are the only marks the descriptions use. */
function paragraphs(text: string): Html[] {
  return text.split('\n\n').map((paragraph) => {
    const pieces = paragraph.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece) => {
      if (piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
      if (piece.startsWith('**')) return html`<strong>${piece.slice(2, -2)}</strong>`;
      return piece;
    });
    return html`<p>${pieces}</p>`;
  });
}

function json(value: unknown): Html {
  return html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`;
}

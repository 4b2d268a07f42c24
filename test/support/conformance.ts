import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/routes/api/openapi/document.ts';

/** Headers that every answer on the web has, or that Bun adds, and what browsers are told by every one of ours. */
const OF_HTTP = [
  ...['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'],
  ...['content-security-policy', 'x-content-type-options', 'referrer-policy', 'strict-transport-security'],
];

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);

/** By the place in the document, which is the same for every server of a run: compiling one takes long. */
const validators = new Map<string, ValidateFunction>();

/** Holds answers against the OpenAPI document of the server that gave them. */
export class Conformance {
  constructor(private readonly document: OpenApiDocument) {}

  /**
   * Throws unless the document knows this status, content type and body for the operation, and the answer has every
   * header that it requires. Paths and methods that are not in the document are left alone.
   */
  async check(method: string, url: string, answer: Response): Promise<void> {
    const path = this.#pathOf(new URL(url).pathname);
    const operation = path && this.document.paths[path]?.[method.toLowerCase()];
    if (!operation) return;
    const where = `${method} ${path} ${answer.status}`;
    const documented = operation.responses[String(answer.status)];
    if (!documented) throw new Error(`${where}: this status is not in the document`);
    for (const [name, header] of Object.entries(documented.headers ?? {})) {
      const value = answer.headers.get(name);
      if (value === null && header.required) throw new Error(`${where}: the header ${name} is missing`);
      const typed = header.schema.type === 'integer' ? Number(value) : value;
      if (value !== null) this.#validate(`${where} ${name}`, header.schema, typed);
    }
    const names = Object.keys(documented.headers ?? {}).map((name) => name.toLowerCase());
    const unknown = [...answer.headers.keys()].filter((name) => !names.includes(name) && !OF_HTTP.includes(name));
    if (unknown.length > 0) throw new Error(`${where}: the document does not name the headers ${unknown.join(', ')}`);
    const text = await answer.clone().text();
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
    if (!documented.content) {
      if (text !== '') throw new Error(`${where}: there is a body, and the document has none`);
      return;
    }
    const content = documented.content[type] ?? documented.content['*/*'];
    if (!content) throw new Error(`${where}: the content type ${type} is not in the document`);
    this.#validate(`${where} ${type}`, content.schema, type === 'application/json' ? JSON.parse(text) : text);
  }

  /** Throws unless the value fits a schema of the document. */
  #validate(where: string, schema: unknown, value: unknown): void {
    const validator =
      validators.get(where) ?? ajv.compile({ ...(schema as object), components: this.document.components });
    validators.set(where, validator);
    if (!validator(value)) throw new Error(`${where} does not fit the document: ${ajv.errorsText(validator.errors)}`);
  }

  #pathOf(pathname: string): string | undefined {
    return Object.keys(this.document.paths).find((path) =>
      new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    );
  }

  /** Every example in the document with the schema it stands beside. */
  checkExamples(): number {
    let checked = 0;
    const walk = (value: unknown, where: string): void => {
      if (!value || typeof value !== 'object') return;
      if ('example' in value && 'schema' in value) {
        this.#validate(`${where} example`, value.schema, value.example);
        checked++;
      }
      for (const [key, child] of Object.entries(value)) if (key !== 'example') walk(child, `${where}/${key}`);
    };
    walk(this.document.paths, '');
    return checked;
  }
}

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/api/openapi/document.ts';

/** Headers that need no documentation: standard HTTP headers and the security headers of every response. */
const UNDOCUMENTED = [
  ...['content-type', 'content-length', 'date', 'connection', 'keep-alive', 'transfer-encoding'],
  ...['content-security-policy', 'x-content-type-options', 'referrer-policy', 'strict-transport-security'],
];

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats(ajv);

/** Compiled validators by location in the document, which is the same for every server: compiling is slow. */
const validators = new Map<string, ValidateFunction>();

/** Validates responses against the OpenAPI document. */
export class Conformance {
  constructor(private readonly document: OpenApiDocument) {}

  /**
   * Throws unless the document allows the response's status, content type, body and headers for the operation. Ignores
   * operations that are not in the document.
   */
  async check(method: string, url: string, answer: Response): Promise<void> {
    const path = this.#pathOf(new URL(url).pathname);
    const operation = path && this.document.paths[path]?.[method.toLowerCase()];
    if (!operation) return;
    const where = `${method} ${path} ${answer.status}`;
    const documented = operation.responses[String(answer.status)];
    if (!documented) throw new Error(`${where}: the status is not documented`);
    for (const [name, header] of Object.entries(documented.headers ?? {})) {
      const value = answer.headers.get(name);
      if (value === null && header.required) throw new Error(`${where}: the header ${name} is missing`);
      const typed = header.schema.type === 'integer' ? Number(value) : value;
      if (value !== null) this.#validate(`${where} ${name}`, header.schema, typed);
    }
    const names = Object.keys(documented.headers ?? {}).map((name) => name.toLowerCase());
    const unknown = [...answer.headers.keys()].filter((name) => !names.includes(name) && !UNDOCUMENTED.includes(name));
    if (unknown.length > 0) throw new Error(`${where}: the headers ${unknown.join(', ')} are not documented`);
    const text = await answer.clone().text();
    const [type = ''] = (answer.headers.get('content-type') ?? '').split(';');
    if (!documented.content) {
      if (text !== '') throw new Error(`${where}: the body is not documented`);
      return;
    }
    const content = documented.content[type] ?? documented.content['*/*'];
    if (!content) throw new Error(`${where}: the content type ${type} is not documented`);
    this.#validate(`${where} ${type}`, content.schema, type === 'application/json' ? JSON.parse(text) : text);
  }

  /** Throws unless the value matches a schema of the document. */
  #validate(where: string, schema: unknown, value: unknown): void {
    const validator =
      validators.get(where) ?? ajv.compile({ ...(schema as object), components: this.document.components });
    validators.set(where, validator);
    if (!validator(value)) throw new Error(`${where} does not match the document: ${ajv.errorsText(validator.errors)}`);
  }

  #pathOf(pathname: string): string | undefined {
    return Object.keys(this.document.paths).find((path) =>
      new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    );
  }

  /** Validates every example in the document against its schema and returns their number. */
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

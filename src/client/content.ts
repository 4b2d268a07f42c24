import type { FormContent } from './types.ts';

/** A request body, and a string that identifies its content. */
export type Content = Readonly<{ body: FormData | string; fingerprint: string }>;

/** Fields whose value may change between attempts with the same content. */
const TOKEN = /^((captcha|cf-turnstile|h-captcha|g-recaptcha)-response|cap-token|altcha|_stamp)$/;

export const isForm = (data: unknown): data is HTMLFormElement =>
  typeof HTMLFormElement === 'function' && data instanceof HTMLFormElement;

/** Encodes values as JSON, and all else, with files in it, as multipart. Throws if values can't be encoded. */
export function encode(data: FormContent, submitter?: HTMLElement | null): Content {
  const fields = isForm(data) ? new FormData(data, submitter) : data;
  if (fields instanceof FormData) return { body: fields, fingerprint: fingerprint([...fields]) };
  const entries = Object.entries(fields);
  if (entries.some(([, value]) => listOf(value).some(isFile))) return encode(toFormData(entries));
  return { body: JSON.stringify(fields), fingerprint: fingerprint(entries) };
}

/** Returns a random UUID, or 32 random hex digits in a page without a secure context. */
export function newKey(): string {
  return (
    // Missing without a secure context.
    (crypto as Partial<Crypto>).randomUUID?.() ??
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  );
}

/** Returns a string that identifies the content. An empty file input has the current time, which is left out. */
function fingerprint(entries: ReadonlyArray<readonly [string, unknown]>): string {
  return JSON.stringify(
    entries
      .filter(([name]) => !TOKEN.test(name))
      .map(([name, value]) =>
        isFile(value) ? [name, value.name, value.size, value.type, value.size && value.lastModified] : [name, value],
      ),
  );
}

function toFormData(entries: ReadonlyArray<readonly [string, unknown]>): FormData {
  const data = new FormData();
  for (const [name, value] of entries) {
    for (const item of listOf(value)) {
      if (item === undefined || item === null) continue;
      data.append(name, isFile(item) ? item : typeof item === 'object' ? JSON.stringify(item) : String(item));
    }
  }
  return data;
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) || (typeof FileList === 'function' && value instanceof FileList) ? [...value] : [value];

/** Blobs count as files: form data turns them into files named `blob`. */
const isFile = (value: unknown): value is File => value instanceof Blob;

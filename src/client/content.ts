/** A request body, and a string that identifies its content. */
export type Content = Readonly<{ body: FormData | Blob; fingerprint: string }>;

type Entries = ReadonlyArray<readonly [name: string, value: unknown]>;

/** Fields whose value may change between attempts with the same content. */
const TOKEN = /^(((g-re|h-)?captcha|cf-turnstile)-response|cap-token|altcha|_stamp)$/;

const isKept = ([name]: Entries[number]): boolean => !TOKEN.test(name);

/** Returns form data as it is. An empty file input has the current time, which does not count. */
export const formContent = (body: FormData): Content => {
  const values = ([...body] as Array<[string, File]>)
    .filter(isKept)
    .map(([name, value]) => [name, value.name ?? value, value.size, value.size && value.lastModified]);
  return { body, fingerprint: JSON.stringify(values) };
};

/** Encodes values as JSON, or as form data if files are among them. Throws if they can't be encoded. */
export function valuesContent(values: Readonly<Record<string, unknown>>): Content {
  const entries = Object.entries(values);
  if (entries.some(([, value]) => listOf(value).some(isFile))) return formContent(toFormData(entries));
  const body = new Blob([JSON.stringify(values)], { type: 'application/json' });
  return { body, fingerprint: JSON.stringify(entries.filter(isKept)) };
}

function toFormData(entries: Entries): FormData {
  const data = new FormData();
  for (const [name, value] of entries) {
    for (const item of listOf(value)) {
      if (item === undefined || item === null) continue;
      data.append(name, isFile(item) ? item : textOf(item));
    }
  }
  return data;
}

/** Encodes a value as in JSON, but without the quotes around texts and dates. */
const textOf = (value: unknown): string =>
  value instanceof Date ? value.toJSON() : typeof value === 'object' ? JSON.stringify(value) : String(value);

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) || (globalThis.FileList && value instanceof FileList) ? [...value] : [value];

/** Blobs count too: form data turns them into files named `blob`. */
const isFile = (value: unknown): value is File => value instanceof Blob;

export const isForm = (data: unknown): data is HTMLFormElement =>
  typeof HTMLFormElement === 'function' && data instanceof HTMLFormElement;

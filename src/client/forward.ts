import { createForm, type SubmitResult } from './index.ts';

export type { FieldError, SubmitResult } from './index.ts';

export interface ForwardOptions {
  /**
   * The visitor's address. The instance uses it for rate limits if it lists this server in `TRUSTED_PROXIES`.
   */
  clientAddress?: string | undefined;
  /** The headers of the visitor's request, if it is passed as form data. */
  headers?: Pick<Headers, 'get'> | undefined;
  signal?: AbortSignal | undefined;
}

/** Headers of the visitor's request that the instance uses. */
const FORWARDED = ['Accept-Language', 'Origin', 'Referer', 'User-Agent'];

/**
 * Submits a form from a server, for example in a server action. Takes the visitor's request or its form data. Retries
 * like `createForm`. Never throws.
 */
export async function forward(
  url: string,
  source: Request | FormData,
  options: ForwardOptions = {},
): Promise<SubmitResult> {
  const { clientAddress, headers: given, signal } = options;
  const [fields, visitor] =
    source instanceof FormData ? [source, given] : [await source.formData().catch(String), source.headers];
  // A visitor may send any body.
  if (typeof fields === 'string') {
    return { ok: false, code: 'invalid_data', message: fields, errors: [], retryAfter: null, status: null };
  }
  const data = new FormData();
  // React adds fields of this name to forms of server actions.
  for (const [name, value] of fields) if (!name.startsWith('$ACTION_')) data.append(name, value);
  const headers: Record<string, string> = {};
  for (const name of FORWARDED) {
    const value = visitor?.get(name);
    if (value) headers[name] = value;
  }
  if (clientAddress !== undefined) headers['X-Forwarded-For'] = clientAddress;
  return createForm(url, { language: headers['Accept-Language'], headers }).submit(data, { signal });
}

const TIMEOUT_MS = 5_000;

export type HttpResponse = Readonly<{ status: number; location: string | null; text: string }>;

/**
 * Sends a GET request without following redirects. Returns the reason as text if it fails or takes longer than 5 s.
 * `fetch` is no option here, since it uses the proxy in HTTP_PROXY.
 */
export async function httpGet(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpResponse | string> {
  const { get } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve) => {
    get(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }, async (response) => {
      try {
        const text = Buffer.concat(await response.toArray()).toString();
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? null, text });
      } catch (error) {
        resolve(getReason(error));
      }
    }).on('error', (error) => resolve(getReason(error)));
  });
}

const getReason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

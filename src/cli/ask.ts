const PATIENCE_MS = 5_000;

export type Answer = Readonly<{ status: number; location: string | null; text: string }>;

/** What an address answers to GET, or in words why it does not. Not by `fetch`, which would go through a proxy that HTTP_PROXY names. */
export async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer | string> {
  const { get } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
  return new Promise((resolve) => {
    get(url, { headers, signal: AbortSignal.timeout(PATIENCE_MS) }, async (answer) => {
      try {
        const text = Buffer.concat(await answer.toArray()).toString();
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location ?? null, text });
      } catch (error) {
        resolve(reasonOf(error));
      }
    }).on('error', (error) => resolve(reasonOf(error)));
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import type { Context } from '../../../src/context/context.ts';
import type { PayloadValue } from '../../../src/domain/submissions/submission.ts';
import { newId } from '../../../src/lib/ids.ts';
import { payloadAad } from '../../../src/vault/vault.ts';

/** The submissions that a page lists, in its order. */
export function idsIn(markup: string): string[] {
  return Array.from(markup.matchAll(/type="checkbox" name="submission" value="([^"]+)"/g), ([, id = '']) => id);
}

/** Where a link with this text leads. */
export function linkIn(markup: string, text: string): string | null {
  const links = markup.matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]*)<\/a>/g);
  const found = Array.from(links).find(([, , shown]) => shown === text);
  return found?.[1]?.replaceAll('&amp;', '&') ?? null;
}

/** Follows such links from page to page, and gives all pages. */
export async function followAll(page: (path: string) => Promise<string>, path: string, text: string) {
  const pages: string[] = [];
  for (let next: string | null = path; next !== null; ) {
    const markup = await page(next);
    pages.push(markup);
    next = linkIn(markup, text);
  }
  return pages;
}

/** Keeps many submissions faster than posts do; their ids, oldest first. */
export async function keepMany(
  { store, vault }: Context,
  formId: string,
  count: number,
  fieldsOf: (n: number) => Record<string, PayloadValue>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let first = 0; first < count; first += 500) {
    const batch = Array.from({ length: Math.min(500, count - first) }, async (_, index) => {
      const id = newId('sub');
      const payload = vault.sealPayload(Object.entries(fieldsOf(first + index)), payloadAad(id, formId));
      const nothing = {
        files: null,
        blobs: [],
        spamReasons: null,
        idempotency: null,
        challenge: null,
        mails: [],
        deliveries: [],
      };
      const result = await store.queue.accept({ id, formId, isSpam: false, payload, ...nothing });
      if (result.outcome !== 'stored') throw new Error(result.outcome);
      ids[first + index] = result.id;
    });
    await Promise.all(batch);
  }
  return ids;
}

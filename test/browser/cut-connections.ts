import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Instance, Owner } from '../support/instance.ts';

/** Number of submissions: `COUNT=1000 bun test ./test/browser/cut-connections.test.ts` repeats the full run. */
export const COUNT = Number(Bun.env.COUNT ?? 60);
/** Attempts per submission: one fails with a probability below 2 in 3. */
const MAX_ATTEMPTS = 100;

/** Counts of submissions that the page saw succeed, and of failures that it saw before. */
export type Outcome = Readonly<{ succeeded: string[]; failures: number }>;

/**
 * Submits `COUNT` numbered values in a page, each again until the page sees a success. `attempt` is the source of a
 * function of the page that submits a value once and returns whether it succeeded. Timers of the page fire at once.
 */
export async function submitAll(page: Page, attempt: string): Promise<Outcome> {
  return page.evaluate<Outcome>(`(async () => {
    const original = setTimeout;
    window.setTimeout = (resume, ms) => original(resume, Math.min(ms, 5));
    const attempt = ${attempt};
    const succeeded = [];
    let failures = 0;
    for (let number = 0; number < ${COUNT}; number++) {
      const value = 'value ' + number;
      let attempts = 0;
      while (!(await attempt(value))) {
        failures++;
        if (++attempts === ${MAX_ATTEMPTS}) return { succeeded, failures };
      }
      succeeded.push(value);
    }
    return { succeeded, failures };
  })()`);
}

/** Expects each value to be stored exactly once. */
export async function expectEachStoredOnce(instance: Instance, owner: Owner, field: string): Promise<void> {
  const stored = (await storedValues(instance, owner, field)).sort();
  expect(stored).toEqual(Array.from({ length: COUNT }, (_, number) => `value ${number}`).sort());
}

async function storedValues(instance: Instance, { form, readKey }: Owner, field: string): Promise<unknown[]> {
  const values: unknown[] = [];
  let before: string | null = '';
  while (before !== null) {
    const path: string = `/v1/forms/${form.id}/submissions?limit=100${before && `&before=${encodeURIComponent(before)}`}`;
    const { data } = (await (await instance.api('GET', path, { key: readKey })).json()) as {
      data: { items: Array<{ data: Record<string, unknown> }>; next_cursor: string | null };
    };
    values.push(...data.items.map((item) => item.data[field]));
    before = data.next_cursor;
  }
  return values;
}

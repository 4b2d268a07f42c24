import type { StoredSubmission } from '../domain/submission.ts';
import type { Micros } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import type { Semaphore } from '../lib/semaphore.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { ExportSpan, Store } from '../storage/store.ts';
import type { Vault } from '../vault/vault.ts';
import { serializeSubmission } from './serialize-submission.ts';

/** What exports are made with. They share `desk`, at which one of them at a time works on one page. */
export type ExportDeps = Readonly<{ store: Store; blobs: Blobs; vault: Vault; log: Logger; desk: Semaphore }>;

/**
 * How far an export has come. A CSV looks for its columns in all submissions before it writes the first. `atMost` is how
 * many there are, or more: what was deleted since counts, and spam.
 */
export type Progress = {
  step: 'looking' | 'writing' | 'done' | 'broken';
  submissions: number;
  atMost: number;
};

/** The bytes of a file, in pieces. */
export type Pieces = AsyncGenerator<string | Uint8Array>;

/** Makes a file of submissions piece by piece, each when it is asked for. */
export type Export = (deps: ExportDeps, span: ExportSpan, progress: Progress) => Pieces;

/**
 * An export of what there is now. It throws where it cannot go on: whoever sends it on breaks off then, so that no file
 * looks whole that is not.
 */
export async function* runExport(deps: ExportDeps, make: Export, wanted: ExportSpan, progress: Progress): Pieces {
  try {
    const { until, atMost } = await deps.store.measureExport(wanted);
    progress.atMost = atMost;
    yield* make(deps, { ...wanted, until }, progress);
    progress.step = 'done';
  } catch (error) {
    const { submissions, atMost } = progress;
    deps.log.error('an export broke off', { form: wanted.formId, submissions, atMost, error: String(error) });
    throw error;
  } finally {
    if (progress.step !== 'done') progress.step = 'broken';
  }
}

/** What is made of each page of submissions. Between two pages, of all exports together, everybody else has a turn. */
export async function* ofEachPage<Made>(
  { store, desk }: ExportDeps,
  span: ExportSpan,
  make: (page: readonly StoredSubmission[]) => Promise<Made> | Made,
): AsyncGenerator<Made> {
  let after: Micros = span.from - 1;
  for (;;) {
    const made = await desk.run(async () => {
      const page = await store.listExported(span, after);
      const last = page.at(-1);
      if (!last) return null;
      after = last.createdAt;
      const result = await make(page);
      await yieldToEventLoop();
      return { result };
    });
    if (!made) return;
    yield made.result;
  }
}

/** One JSON object a line, as the management API shows a submission. */
export async function* jsonLines(deps: ExportDeps, span: ExportSpan, progress: Progress): Pieces {
  progress.step = 'writing';
  yield* ofEachPage(deps, span, async (page) => {
    const lines = await mapYielding(page, (one) => `${JSON.stringify(serializeSubmission(deps, one))}\n`);
    progress.submissions += page.length;
    return lines.join('');
  });
}

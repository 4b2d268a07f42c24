import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import type { Micros } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import type { Semaphore } from '../../lib/semaphore.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { ExportSpan } from '../../storage/records.ts';
import type { Services } from '../services.ts';
import { serializeSubmission } from '../submissions/serialize-submission.ts';

/** Dependencies of exports. All exports share `semaphore`, which lets one of them process a page at a time. */
export type ExportDeps = Pick<Services, 'store' | 'blobs' | 'vault' | 'log'> & Readonly<{ semaphore: Semaphore }>;

/**
 * Progress of an export. A CSV export reads all submissions for its columns first. `atMost` is an upper bound of the
 * submissions, which includes spam and meanwhile deleted ones.
 */
export type Progress = { step: 'looking' | 'writing' | 'done' | 'broken'; submissions: number; atMost: number };

/** Chunks of a file. */
export type Chunks = AsyncGenerator<string | Uint8Array>;

/** Generator of an export file; it works only as fast as its consumer reads. */
export type Export = (deps: ExportDeps, span: ExportSpan, progress: Progress) => Chunks;

/**
 * Exports the submissions that exist now. It logs and throws on failure; the caller must then abort the response, so
 * that a truncated file never looks complete.
 */
export async function* runExport(deps: ExportDeps, make: Export, span: ExportSpan, progress: Progress): Chunks {
  try {
    const { until, atMost } = await deps.store.exports.estimate(span);
    progress.atMost = atMost;
    yield* make(deps, { ...span, until }, progress);
    progress.step = 'done';
  } catch (error) {
    const { submissions, atMost } = progress;
    deps.log.error('export failed', { form: span.formId, submissions, atMost, error: String(error) });
    throw error;
  } finally {
    if (progress.step !== 'done') progress.step = 'broken';
  }
}

/** Yields the result of `convert` for each page of submissions. It yields to the event loop after each page. */
export async function* mapPages<T>(
  { store, semaphore }: ExportDeps,
  span: ExportSpan,
  convert: (page: readonly StoredSubmission[]) => Promise<T> | T,
): AsyncGenerator<T> {
  let after: Micros = span.from - 1;
  for (;;) {
    const converted = await semaphore.run(async () => {
      const page = await store.exports.listPage(span, after);
      const last = page.at(-1);
      if (!last) return null;
      after = last.createdAt;
      const result = await convert(page);
      await yieldToEventLoop();
      return { result };
    });
    if (!converted) return;
    yield converted.result;
  }
}

/** Exports submissions as JSON Lines, in the format of the management API. */
export async function* jsonLines(deps: ExportDeps, span: ExportSpan, progress: Progress): Chunks {
  progress.step = 'writing';
  yield* mapPages(deps, span, async (page) => {
    const lines = await mapYielding(page, (submission) => `${JSON.stringify(serializeSubmission(deps, submission))}\n`);
    progress.submissions += page.length;
    return lines.join('');
  });
}

import { type Destinations, getDestinations } from '../../domain/forms/destinations.ts';
import type { Form } from '../../domain/forms/form.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import type { Micros } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import type { Store } from '../../storage/store.ts';
import { openOr, openPayload } from '../../vault/open-submission.ts';
import type { Services } from '../services.ts';
import { teamIdOfForm } from './forms.ts';

/** The sender is null if no mail server is configured. */
export type DestinationsDeps = Pick<Services, 'store' | 'vault'> &
  Readonly<{ mail: Readonly<{ sender: string | null }> }>;

/** Submissions in memory at once. */
const BATCH = { submissions: 100, bytes: 4 * 1024 * 1024 };

type Page = Awaited<ReturnType<Store['submissions']['list']>>;

/**
 * Decides who would get the latest `limit` submissions of a form with these settings, newest first, and returns what
 * `toResult` makes of them. A damaged submission counts as empty.
 */
export async function tryDestinations<Result>(
  { store, vault, mail }: DestinationsDeps,
  form: Form,
  limit: number,
  toResult: (submission: StoredSubmission, routes: Destinations) => Result,
): Promise<Result[]> {
  const teamId = (await teamIdOfForm(store, form.id)) ?? '';
  const results: Result[] = [];
  let before: Micros | null = null;
  for (let hasMore = true; hasMore && results.length < limit; ) {
    const count = Math.min(limit - results.length, BATCH.submissions);
    const page: Page = await store.submissions.list(teamId, form.id, { before, limit: count, maxBytes: BATCH.bytes });
    const tried = await mapYielding(page?.items ?? [], (submission) => {
      const payload = openOr(() => openPayload(vault, submission), []);
      return toResult(
        submission,
        getDestinations(form, payload, { isSpam: submission.isSpam, hasMail: mail.sender !== null }),
      );
    });
    results.push(...tried);
    hasMore = page?.hasMore ?? false;
    before = page?.items.at(-1)?.createdAt ?? null;
  }
  return results;
}

import { FieldAnswers, type FieldSummary, summarizedFields } from '../../domain/fields/field-summary.ts';
import type { Form } from '../../domain/forms/form.ts';
import { maskPayload } from '../../domain/masking/masking.ts';
import type { Payload, StoredSubmission } from '../../domain/submissions/submission.ts';
import { truncatePayload } from '../../domain/submissions/truncate-payload.ts';
import type { Micros } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { Store } from '../../storage/store.ts';
import { openOr, openPayload } from '../../vault/open-submission.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Services } from '../services.ts';

type Deps = Pick<Services, 'store' | 'vault'>;

/** Submissions and bytes of payloads that one summary reads at most. */
const LIMIT = { submissions: 2_000, bytes: 16 * 1024 * 1024 };
/** Submissions in memory at once: each can be a megabyte. */
const BATCH = 20;
/** Characters of a value, and of all summarized values of a submission together. */
const LONGEST = { value: 1_000, total: 16_000 };

/** The summaries of a form's fields, masked. `isComplete` is false if older submissions were left out. */
export type FormSummary = Readonly<{ fields: readonly FieldSummary[]; read: number; isComplete: boolean }>;

/** Summarizes the answers in the latest genuine submissions of a form. Yields to the event loop regularly. */
export async function summarizeFields({ store, vault }: Deps, form: Form): Promise<FormSummary> {
  const fields = summarizedFields(form.fields).map((field) => ({ name: field.name, answers: new FieldAnswers(field) }));
  const names = new Set(fields.map(({ name }) => name));
  const add = (submission: StoredSubmission) => {
    const values = new Map(openOr(() => valuesIn(vault, submission, names), []));
    for (const { name, answers } of fields) answers.add(values.get(name));
  };
  const times = fields.length === 0 ? [] : await latestTimes(store, form.id);
  let [read, bytes] = [0, 0];
  while (read < Math.min(times.length, LIMIT.submissions) && bytes < LIMIT.bytes) {
    const batchTimes = times.slice(read, Math.min(read + BATCH, LIMIT.submissions));
    const batch = await store.inbox.findSubmissionsAt(batchTimes);
    await mapYielding(batch, add);
    read += batchTimes.length;
    bytes += batch.reduce((sum, { payload }) => sum + payload.length, 0);
    await yieldToEventLoop();
  }
  return { fields: fields.map(({ answers }) => answers.summarize()), read, isComplete: read === times.length };
}

/** Lists the times of the latest genuine submissions, one more than the limit if there are more. */
function latestTimes(store: Store, formId: string): Promise<Micros[]> {
  const selection = { formIds: [formId], part: 'inbox', userId: '', from: null, until: null } as const;
  return store.inbox.listTimes(selection, { before: Number.MAX_SAFE_INTEGER, limit: LIMIT.submissions + 1 });
}

function valuesIn(vault: Vault, submission: StoredSubmission, names: ReadonlySet<string>): Payload {
  const summarized = openPayload(vault, submission).filter(([name]) => names.has(name));
  return maskPayload(truncatePayload(summarized, LONGEST.value, LONGEST.total));
}

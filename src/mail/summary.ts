import type { Form } from '../domain/form.ts';
import { replyAddress, type Summary } from '../domain/mail.ts';
import { maskPayload } from '../domain/masking.ts';
import type { Payload, StoredSubmission } from '../domain/submission.ts';
import { localTime } from '../domain/time-zone.ts';
import { mapYielding } from '../lib/map-yielding';
import { oneLine } from '../lib/one-line.ts';
import type { Store } from '../storage/store.ts';
import { filesAad, payloadAad, spamReasonsAad, UnreadableRecordError, type Vault } from '../vault/vault.ts';
import { formUrl, submissionUrl } from './dashboard-link.ts';
import { noReplyMail } from './no-reply';
import type { Row } from './page.ts';
import { shorten, valueText } from './value-text.ts';

type Deps = Readonly<{ store: Store; vault: Vault; baseUrl: string | null }>;

/** At most so many are listed; the others are counted. */
const LISTED = { digest: 100, held_back: 20 } as const;
/** A flood of spam takes a second to count, for each who is told: no further than this. */
const COUNTED = 1_000;
/** A submission can be a megabyte: so many are in memory at once. */
const PAGE = 10;
const MAX_NAME = 100;
/** Of one submission; a hundred of them stay below what mail programs show of a mail. */
const MAX_EXCERPT = 300;
const MAX_VALUE = 150;
/** So much of a value is looked at for its excerpt. */
const READ = 1_000;

/**
 * Sums up what came to a form, or what was held back as spam, as things are now. Null if nothing of it is left: it was
 * deleted, or marked otherwise.
 */
export async function summaryMail(deps: Deps, form: Form, summary: Summary) {
  const total = await deps.store.countSummarySubmissions(summary, COUNTED);
  if (total === 0) return null;
  const rows = await rowsOf(deps, form, summary);
  const title = (summary.kind === 'digest' ? digestTitle : heldBackTitle)(total, oneLine(form.name, MAX_NAME));
  const more = total - rows.length;
  const list = formUrl(deps.baseUrl, form.id);
  const content = {
    title,
    rows:
      more > 0 ? [...rows, { name: null, text: `… and ${total < COUNTED ? more : `at least ${more}`} more.` }] : rows,
    notes: [
      ...(summary.kind === 'held_back' ? [HOW_TO_RELEASE] : []),
      `From ${localTime(summary.coversFrom, form.timeZone)} to ${localTime(summary.coversUntil, form.timeZone)}, ${form.timeZone}`,
      list === null ? `Form ${form.id}` : { text: `Form ${form.id}`, url: list },
    ],
  };
  return noReplyMail(content);
}

const HOW_TO_RELEASE =
  'Marking one as genuine sends the mails that it did not cause: formstead submission mark <id> --genuine';

function digestTitle(total: number, form: string): string {
  return total === 1 ? `1 new submission of “${form}”` : `${countText(total)} new submissions of “${form}”`;
}

function heldBackTitle(total: number, form: string): string {
  return total === 1
    ? `1 submission of “${form}” was held back as spam`
    : `${countText(total)} submissions of “${form}” were held back as spam`;
}

function countText(total: number): string {
  return total < COUNTED ? String(total) : `${COUNTED} or more`;
}

async function rowsOf(deps: Deps, form: Form, summary: Summary): Promise<Row[]> {
  const rows: Row[] = [];
  let after = summary.coversFrom - 1;
  for (;;) {
    const left = LISTED[summary.kind] - rows.length;
    const page = await deps.store.listSummarySubmissions(summary, { after, limit: Math.min(PAGE, left) });
    if (page.length === 0) return rows;
    after = page.at(-1)?.createdAt ?? after;
    rows.push(...(await mapYielding(page, (submission) => rowOf(deps, form, summary.kind, submission))));
  }
}

function rowOf({ vault, baseUrl }: Deps, form: Form, kind: Summary['kind'], submission: StoredSubmission): Row {
  const lines = linesOf(vault, form, kind, submission);
  const url = submissionUrl(baseUrl, submission.id);
  return {
    name: localTime(submission.createdAt, form.timeZone),
    text: lines.join('\n'),
    ...(url !== null && { link: { text: 'Open in the dashboard', url } }),
  };
}

/** One that was damaged is told of all the same. */
function linesOf(vault: Vault, form: Form, kind: Summary['kind'], submission: StoredSubmission): string[] {
  const { id, formId, payload: record, spamReasons, files } = submission;
  try {
    const payload = maskPayload(vault.openPayload(record, payloadAad(id, formId)));
    if (kind === 'held_back') {
      const reasons: string[] =
        spamReasons === null ? [] : JSON.parse(vault.open(spamReasons, spamReasonsAad(id, formId)).toString());
      return [...spamLines(payload), `Why: ${oneLine(reasons.join('; '), MAX_EXCERPT)}`, id];
    }
    const count = files === null ? 0 : vault.openFiles(files, filesAad(id, formId)).length;
    return [excerptOf(form, payload), ...(count === 0 ? [] : [count === 1 ? 'with a file' : `with ${count} files`])];
  } catch (error) {
    if (error instanceof UnreadableRecordError) return [`${id} cannot be read: its record is ${error.message}.`];
    throw error;
  }
}

/** A line a field. */
function excerptOf({ fields }: Form, payload: Payload): string {
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  const lines: string[] = [];
  let length = 0;
  for (const [name, value] of payload) {
    if (length > MAX_EXCERPT) break;
    const line = `${oneLine(labels.get(name) || name, MAX_NAME)}: ${oneLine(valueText(value).slice(0, READ), MAX_VALUE)}`;
    lines.push(line);
    length += line.length;
  }
  return shorten(lines.join('\n'), MAX_EXCERPT);
}

/** Who sent it and the longest of what else was written. */
function spamLines(payload: Payload): string[] {
  const sender = replyAddress(payload);
  const texts = payload.map(([, value]) => valueText(value).slice(0, READ));
  const longest = texts.filter((text) => text !== sender).reduce((a, b) => (b.length > a.length ? b : a), '');
  return [...(sender === null ? [] : [`From: ${sender}`]), `Text: ${oneLine(longest, MAX_VALUE)}`];
}

import { fieldDescriber, sortByForm } from '../domain/fields/field-display.ts';
import { getDestinations } from '../domain/forms/destinations.ts';
import type { Form } from '../domain/forms/form.ts';
import { NOTIFICATIONS_PER_HOUR, replyAddress, type Summary } from '../domain/mail/mail.ts';
import { describeReasons } from '../domain/spam/spam-reasons.ts';
import type { Payload, PayloadValue, StoredSubmission } from '../domain/submissions/submission.ts';
import { HOUR } from '../lib/clock.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { toSingleLine } from '../lib/one-line.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { Store } from '../storage/store.ts';
import { openFiles, openOr, openPayload, openSpamReasons } from '../vault/open-submission.ts';
import { UnreadableRecordError, type Vault } from '../vault/vault.ts';
import { dashboardUrl, submissionUrl, UNSUBSCRIBE_URL } from './dashboard-link.ts';
import { getHeadline } from './headline.ts';
import type { MailTexts } from './i18n/en.ts';
import { fittingRows, MAX_ROWS_BYTES, type Row } from './layout.tsx';
import type { MailLocale } from './locale.ts';
import { noReplyMail } from './no-reply.ts';
import type { SharedWork } from './shared-work.ts';
import { shortName, toSenderName } from './subject.ts';
import { fieldText, maskedBeginning, truncate, valueText } from './value-text.ts';

type Deps = Readonly<{ store: Store; vault: Vault; baseUrl: string | null; locale: MailLocale; shared: SharedWork }>;

/** The most submissions listed in one mail; the others are only counted. */
const MAX_LISTED = { digest: 100, held_back: 20 } as const;
/** Limit of the count: counting a flood of spam takes a second, for each recipient. */
const MAX_COUNTED = 1_000;
/** Limit of the conditions of recipients: a summary of more submissions, which takes seconds to check, covers all of them. */
const MAX_MATCHED = 10_000;
/** Submissions in memory at once; each can be a megabyte. */
const PAGE_SIZE = 10;
/** Limit for one submission: a hundred excerpts stay below the size at which mail clients clip a mail. */
const MAX_EXCERPT_LENGTH = 300;
const MAX_VALUE_LENGTH = 150;
/** Characters of a value that are processed for its excerpt. */
const MAX_SCAN_LENGTH = 1_000;

/**
 * Composes a digest of a form's submissions for a recipient, or of those held back as spam, from their current state.
 * Returns null if there are none: they were deleted, marked otherwise, or don't meet the recipient's conditions.
 */
export async function summaryMail(deps: Deps, form: Form, summary: Summary, recipient: string) {
  const total = await deps.store.digests.countSubmissions(summary, MAX_COUNTED);
  if (total === 0) return null;
  const when = form.notifyWhen[recipient] ?? [];
  const { kind, coversFrom, coversUntil } = summary;
  const key = JSON.stringify([kind, coversFrom, coversUntil, total, deps.locale.language, form, when]);
  return deps.shared.get(key, async () => {
    const isSelective =
      when.length > 0 && (await deps.store.digests.countSubmissions(summary, MAX_MATCHED + 1)) <= MAX_MATCHED;
    const covered = isSelective
      ? await matchingSubmissions(deps, form, summary, recipient)
      : { total, listed: await submissionRows(deps, form, summary) };
    return covered.total === 0 ? null : composeSummary(deps, form, summary, covered);
  });
}

/** The rows of a summary, and the number of its submissions up to `MAX_COUNTED`. */
type Covered = Readonly<{ total: number; listed: readonly Row[] }>;

/** Returns the submissions of a summary that go to a recipient with conditions. A damaged one goes to everybody. */
async function matchingSubmissions(deps: Deps, form: Form, summary: Summary, recipient: string): Promise<Covered> {
  const listed: Row[] = [];
  let total = 0;
  let after = summary.coversFrom - 1;
  while (total < MAX_COUNTED) {
    const page = await deps.store.digests.listSubmissions(summary, { after, limit: PAGE_SIZE });
    if (page.length === 0) break;
    after = page.at(-1)?.createdAt ?? after;
    await mapYielding(page, (submission) => {
      const payload = openOr(() => openPayload(deps.vault, submission), null);
      const routes = payload && getDestinations(form, payload, { isSpam: false, hasMail: true });
      if (routes?.recipients.includes(recipient) === false) return;
      total += 1;
      if (total <= MAX_LISTED[summary.kind]) listed.push(submissionRow(deps, form, summary.kind, submission));
    });
    await yieldToEventLoop();
  }
  return { total: Math.min(total, MAX_COUNTED), listed };
}

/** Returns true if the digest replaces single notifications because too many submissions arrived. */
async function isAutomatic({ store }: Deps, { digest }: Form, summary: Summary): Promise<boolean> {
  if (digest !== null || summary.kind !== 'digest') return false;
  const sinceHourBefore = { ...summary, coversFrom: summary.coversFrom - HOUR };
  const count = await store.digests.countSubmissions(sinceHourBefore, NOTIFICATIONS_PER_HOUR + 1);
  return count > NOTIFICATIONS_PER_HOUR;
}

async function composeSummary(deps: Deps, form: Form, summary: Summary, { total, listed: all }: Covered) {
  const { texts, language, time, number } = deps.locale;
  const isCrowded = await isAutomatic(deps, form, summary);
  const listed = fittingRows(all, MAX_ROWS_BYTES);
  const more = total - listed.length;
  const url = dashboardUrl(deps.baseUrl, `forms/${form.id}`);
  const [from, until] = [time(summary.coversFrom, form.timeZone), time(summary.coversUntil, form.timeZone)];
  const [first] = listed;
  const content = {
    language,
    title: titleText(deps.locale, summary, total, shortName(form.name)),
    preview: toSingleLine(first?.text ?? '', MAX_VALUE_LENGTH),
    rows: [
      ...(isCrowded ? [{ name: null, text: texts.summary.automatic(number(NOTIFICATIONS_PER_HOUR)) }] : []),
      ...listed,
      ...(more > 0 ? [{ name: null, text: moreText(deps.locale, total, more) }] : []),
    ],
    actions: url === null ? [] : [{ text: texts.actions.openForm, url }],
    notes: [
      ...(summary.kind === 'held_back' ? [url === null ? texts.summary.releaseByCommand : texts.summary.release] : []),
      texts.summary.period(from, until) + (form.timeZone === 'UTC' ? '' : `, ${form.timeZone}`),
      ...(deps.baseUrl === null ? [] : [{ text: texts.unsubscribe, url: UNSUBSCRIBE_URL }]),
    ],
  };
  return { ...noReplyMail(content), senderName: toSenderName(form.senderName ?? form.name) };
}

function titleText({ texts, number }: MailLocale, { kind }: Summary, total: number, form: string): string {
  const { digestTitle, heldBackTitle, orMore } = texts.summary;
  const count = total < MAX_COUNTED ? number(total) : orMore(number(MAX_COUNTED));
  return (kind === 'digest' ? digestTitle : heldBackTitle)(total, count, form);
}

function moreText({ texts, number }: MailLocale, total: number, more: number): string {
  return (total < MAX_COUNTED ? texts.summary.more : texts.summary.moreThan)(number(more));
}

async function submissionRows(deps: Deps, form: Form, summary: Summary): Promise<Row[]> {
  const rows: Row[] = [];
  let after = summary.coversFrom - 1;
  for (;;) {
    const remaining = MAX_LISTED[summary.kind] - rows.length;
    const page = await deps.store.digests.listSubmissions(summary, { after, limit: Math.min(PAGE_SIZE, remaining) });
    if (page.length === 0) return rows;
    after = page.at(-1)?.createdAt ?? after;
    rows.push(...(await mapYielding(page, (submission) => submissionRow(deps, form, summary.kind, submission))));
  }
}

function submissionRow(deps: Deps, form: Form, kind: Summary['kind'], submission: StoredSubmission): Row {
  const { texts, time } = deps.locale;
  const url = submissionUrl(deps.baseUrl, submission.id);
  const { who, lines } = describeSubmission(deps, form, kind, submission);
  return {
    name: time(submission.createdAt, form.timeZone),
    heading: who,
    text: lines.join('\n'),
    // Links of spam stay text.
    isLinked: kind === 'digest',
    links: [
      ...(url === null ? [] : [{ text: texts.openInDashboard, url }]),
      ...(url === null || kind === 'digest' ? [] : [{ text: texts.actions.genuine, url: `${url}/genuine` }]),
    ],
  };
}

/** The visitor, if a digest shows one, and the lines that describe a submission. */
type Description = Readonly<{ who: string | null; lines: readonly string[] }>;

/** Describes a submission; a damaged record is reported in place of its content. */
function describeSubmission(
  { vault, locale, baseUrl }: Deps,
  form: Form,
  kind: Summary['kind'],
  submission: StoredSubmission,
): Description {
  const { texts, number } = locale;
  const { summary: t } = texts;
  try {
    const payload = openPayload(vault, submission);
    if (kind === 'held_back') {
      const why = t.why(reasonsText(vault, locale, submission));
      // The command that releases it takes the id.
      return { who: null, lines: [...spamLines(t, payload), why, ...(baseUrl === null ? [submission.id] : [])] };
    }
    const count = openFiles(vault, submission).length;
    const { name, address } = getHeadline(form, payload);
    const files = count === 0 ? [] : [t.files(count, number(count))];
    const warning = submission.isMaybeSpam ? [texts.maybeSpam(reasonsText(vault, locale, submission))] : [];
    return { who: name ?? address, lines: [...warning, excerpt(texts, form, payload), ...files] };
  } catch (error) {
    if (error instanceof UnreadableRecordError) {
      return { who: null, lines: [t.unreadable(submission.id, error.message)] };
    }
    throw error;
  }
}

function reasonsText(vault: Vault, { language }: MailLocale, submission: StoredSubmission): string {
  return toSingleLine(describeReasons(openSpamReasons(vault, submission), language).join('; '), MAX_EXCERPT_LENGTH);
}

/** Returns the first fields, one per line. */
function excerpt({ shortened, values }: MailTexts, { fields }: Form, payload: Payload): string {
  const describe = fieldDescriber(fields, values);
  const lines: string[] = [];
  let length = 0;
  for (const [name, value] of sortByForm(fields, payload)) {
    if (length > MAX_EXCERPT_LENGTH) break;
    const { label, text } = fieldText(describe, name, maskedBeginning(name, value, MAX_SCAN_LENGTH));
    const excerpt = toSingleLine(text.slice(0, MAX_SCAN_LENGTH), MAX_VALUE_LENGTH);
    const line = `${shortName(label)}: ${excerpt}`;
    lines.push(line);
    length += line.length;
  }
  return truncate(lines.join('\n'), MAX_EXCERPT_LENGTH, shortened);
}

/** Returns the sender and the longest other value. */
function spamLines({ from, text }: MailTexts['summary'], payload: Payload): string[] {
  const sender = replyAddress(payload);
  const texts = payload.map(([name, value]) => scanned(name, value));
  const longest = texts.filter((text) => text !== sender).reduce((a, b) => (b.length > a.length ? b : a), '');
  return [...(sender === null ? [] : [from(sender)]), text(toSingleLine(longest, MAX_VALUE_LENGTH))];
}

function scanned(name: string, value: PayloadValue): string {
  return valueText(maskedBeginning(name, value, MAX_SCAN_LENGTH)).slice(0, MAX_SCAN_LENGTH);
}

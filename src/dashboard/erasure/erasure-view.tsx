/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { type Micros, parseTime } from '../../lib/clock.ts';
import type { Receipt } from '../../services/erasure/erasure.ts';
import { Card, ErrorMessage, type Fact, FactList, LinkButton, LinkLine } from '../ui/elements.tsx';
import { SubmissionEntry } from '../ui/submission-entry.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import type { Erasure } from './erasures.ts';
import { ERASE_TEXTS } from './texts.ts';

type Props = Readonly<{ viewer: Viewer; erasure: Erasure }>;

/** `notified` are forms that notify the address; `receipt` is null before the deletion. */
type ViewProps = Props &
  Readonly<{ found: readonly FoundSubmission[]; notified: readonly string[]; receipt: Receipt | null }>;

/** A search for a person: progress, results or receipt. The script reloads it while it has `data-follow`. */
export function ErasureView({ viewer, erasure, found, notified, receipt }: ViewProps) {
  const t = ERASE_TEXTS[viewer.language];
  const { step, address } = erasure;
  const isRunning = step === 'searching' || step === 'deleting';
  return (
    <>
      <h1>{viewer.texts.sections.erase}</h1>
      <p>
        {t.lookedFor}: <strong>{address}</strong>
      </p>
      <p class="visually-hidden" role="status" id="erasure-said" />
      <div class="stack" id="erasure" data-follow={isRunning ? '' : undefined}>
        <ErrorMessage error={step === 'failed' && t.broken} />
        {isRunning && <ProgressView viewer={viewer} erasure={erasure} />}
        {step === 'found' && receipt && <ReceiptView viewer={viewer} id={erasure.id} receipt={receipt} />}
        {step === 'found' && !receipt && <ResultsView viewer={viewer} erasure={erasure} found={found} />}
        {!isRunning && (
          <>
            <Card id="elsewhere" title={t.elsewhere}>
              {notified.length > 0 && <p>{t.notified(notified)}</p>}
              <p class="flush">{t.others}</p>
            </Card>
            <LinkLine href="/dashboard/erase" text={t.another} />
          </>
        )}
      </div>
    </>
  );
}

function ProgressView({ viewer, erasure }: Props) {
  const t = ERASE_TEXTS[viewer.language];
  const { id, step, search, counts } = erasure;
  const [done, all] = step === 'deleting' ? [counts.scanned, search.times.length] : [search.scanned, search.atMost];
  const { number } = viewer;
  const text =
    step === 'deleting'
      ? t.deleting(number(done), number(all))
      : t.searching(number(done), number(Math.max(done, all)), number(search.times.length));
  return (
    <div class="card">
      <p>{text}</p>
      <progress max={Math.max(1, all)} value={Math.min(done, all)} aria-label={text} />
      <p class="flush">
        <LinkButton href={`/dashboard/erase/${id}`} text={t.again} />
      </p>
    </div>
  );
}

/** A match, with its form's name and what names the sender. */
type FoundSubmission = Readonly<{ id: string; createdAt: Micros; form: string; who: string | null }>;

/** The results of a search, with links that export and delete them. */
function ResultsView({ viewer, erasure, found }: Props & Readonly<{ found: readonly FoundSubmission[] }>) {
  const t = ERASE_TEXTS[viewer.language];
  const { number } = viewer;
  const { times, scanned, unreadable } = erasure.search;
  const count = times.length;
  const path = `/dashboard/erase/${erasure.id}`;
  return (
    <>
      <section class="card">
        <p class="flush">
          <strong>{count === 0 ? t.none(number(scanned)) : t.found(count, number(count), number(scanned))}</strong>
        </p>
        {unreadable > 0 && <p class="flush">{t.unreadable(number(unreadable))}</p>}
        <p class="soft small flush">{t.forgotten}</p>
        {found.length > 0 && <Matches viewer={viewer} found={found} more={count - found.length} />}
      </section>
      {count > 0 && (
        <>
          <Card id="give" title={t.exportTitle}>
            <p>{t.exportText}</p>
            <div class="row">
              <LinkButton href={`${path}/export.jsonl`} text={t.exportLines} download="" />
              <LinkButton href={`${path}/export.zip`} text={t.exportFiles} download="" />
            </div>
          </Card>
          <Card id="gone" title={t.deleteTitle(count, number(count))}>
            <p>{t.deleteText}</p>
            <div class="row">
              <LinkButton href={`${path}/delete`} text={t.deleteStep} style="danger" />
            </div>
          </Card>
        </>
      )}
    </>
  );
}

/** The newest matches, with links to read them. */
function Matches({
  viewer,
  found,
  more,
}: Readonly<{ viewer: Viewer; found: readonly FoundSubmission[]; more: number }>) {
  const t = ERASE_TEXTS[viewer.language];
  return (
    <ul class="list">
      {found.map(({ id, createdAt, form, who }) => (
        <SubmissionEntry id={id} title={who ?? form} isNamed={who !== null} text={who === null ? '' : form}>
          <Time viewer={viewer} at={createdAt} />
        </SubmissionEntry>
      ))}
      {more > 0 && <li class="soft small">{t.moreFound(viewer.number(more))}</li>}
    </ul>
  );
}

type ReceiptProps = Readonly<{ viewer: Viewer; id: string; receipt: Receipt }>;

/** The receipt of an erasure. `id` is that of the search. */
function ReceiptView({ viewer, id, receipt }: ReceiptProps) {
  const t = ERASE_TEXTS[viewer.language];
  return (
    <Card id="receipt" title={t.receipt}>
      <Facts viewer={viewer} receipt={receipt} />
      {receipt.unreadable > 0 && <p>{t.unreadable(viewer.number(receipt.unreadable))}</p>}
      <Status viewer={viewer} receipt={receipt} />
      <p>{t.receiptText}</p>
      <div class="row">
        <LinkButton href={`/dashboard/erase/${id}/receipt.json`} text={t.download} style="main" download="" />
      </div>
    </Card>
  );
}

/** Tells if copies of the deleted data may be left, and until when. */
function Status({ viewer, receipt: { expected_at, lasting } }: Omit<ReceiptProps, 'id'>) {
  const t = ERASE_TEXTS[viewer.language];
  if (lasting) return <p class="note">{t.lasting}</p>;
  if (expected_at === null) return <p>{t.complete}</p>;
  return (
    <p class="note">
      {t.pendingRewrite} <Time viewer={viewer} at={parseTime(expected_at) ?? 0} />.
    </p>
  );
}

function Facts({ viewer, receipt }: Omit<ReceiptProps, 'id'>) {
  const t = ERASE_TEXTS[viewer.language];
  const { number } = viewer;
  const { files_left, mails_under_way, deliveries, deliveries_under_way, saved_views, receivers, consents } = receipt;
  const some = (count: number) => count > 0 && number(count);
  const time = (at: string) => <Time viewer={viewer} at={parseTime(at) ?? 0} />;
  const facts: readonly Fact[] = [
    [t.submissions, number(receipt.submissions)],
    [t.files, number(receipt.files)],
    [t.filesLeft, some(files_left), t.filesLeftText],
    [t.mails, number(receipt.mails)],
    [t.underWay, some(mails_under_way), t.underWayText],
    [t.deliveries, some(deliveries)],
    [t.deliveriesUnderWay, some(deliveries_under_way), t.underWayText],
    [t.savedViews, some(saved_views)],
    [t.receivers, receivers.join(', '), t.receiversText],
    [t.consents, consents.map(({ text }) => text).join(' · ')],
    [t.searchedAt, time(receipt.searched_at)],
    [t.erasedAt, time(receipt.erased_at)],
    [t.hash, receipt.address_hash],
  ];
  return <FactList facts={facts} />;
}

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Receipt } from '../../services/erasure/erasure.ts';
import { Card, ErrorMessage, LinkButton, LinkLine } from '../ui/elements.tsx';
import type { Viewer } from '../viewer.ts';
import type { Erasure } from './erasures.ts';
import { ReceiptView } from './receipt-view.tsx';
import { type FoundSubmission, ResultsView } from './results-view.tsx';

type Props = Readonly<{ viewer: Viewer; erasure: Erasure }>;

/** `notified` are forms that notify the address; `receipt` is null before the deletion. */
type ViewProps = Props &
  Readonly<{ found: readonly FoundSubmission[]; notified: readonly string[]; receipt: Receipt | null }>;

/** A search for a person: progress, results or receipt. The script reloads it while it has `data-follow`. */
export function ErasureView({ viewer, erasure, found, notified, receipt }: ViewProps) {
  const { erase: t } = viewer.texts;
  const { step, address } = erasure;
  const isRunning = step === 'searching' || step === 'deleting';
  return (
    <>
      <h1>{t.title}</h1>
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
  const { erase: t } = viewer.texts;
  const { id, step, search, counts } = erasure;
  const [done, all] = step === 'deleting' ? [counts.scanned, search.times.length] : [search.scanned, search.atMost];
  const text = progressText(viewer, erasure, done, all);
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

function progressText({ texts, number }: Viewer, { step, search }: Erasure, done: number, all: number): string {
  const { erase: t } = texts;
  if (step === 'deleting') return t.deleting(number(done), number(all));
  return t.searching(number(done), number(Math.max(done, all)), number(search.times.length));
}

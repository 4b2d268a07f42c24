/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { parseTime } from '../../lib/clock.ts';
import type { Receipt } from '../../services/erasure/erasure.ts';
import { Card, type Fact, FactList, LinkButton } from '../ui/elements.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';

type Props = Readonly<{ viewer: Viewer; id: string; receipt: Receipt }>;

/** The receipt of an erasure. `id` is that of the search. */
export function ReceiptView({ viewer, id, receipt }: Props) {
  const { erase: t } = viewer.texts;
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
function Status({ viewer, receipt: { expected_at, lasting } }: Omit<Props, 'id'>) {
  const { erase: t } = viewer.texts;
  if (lasting) return <p class="note">{t.lasting}</p>;
  if (expected_at === null) return <p>{t.complete}</p>;
  return (
    <p class="note">
      {t.pendingRewrite} <Time viewer={viewer} at={parseTime(expected_at) ?? 0} />.
    </p>
  );
}

function Facts({ viewer, receipt }: Omit<Props, 'id'>) {
  const { erase: t } = viewer.texts;
  const { number } = viewer;
  const { files_left, mails_under_way, deliveries, deliveries_under_way, saved_views, receivers } = receipt;
  const some = (count: number) => count > 0 && number(count);
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
    [t.searchedAt, <Time viewer={viewer} at={parseTime(receipt.searched_at) ?? 0} />],
    [t.erasedAt, <Time viewer={viewer} at={parseTime(receipt.erased_at) ?? 0} />],
    [t.hash, receipt.address_hash],
  ];
  return <FactList facts={facts} />;
}

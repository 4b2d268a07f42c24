/** @jsxRuntime automatic @jsxImportSource hono/jsx */

import { parseTime } from '../../lib/clock.ts';
import type { Markup } from '../../lib/markup.ts';
import type { Receipt } from '../../services/erasure.ts';
import { Card, LinkButton } from '../ui/elements.tsx';
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
  const { files_left, mails_under_way, deliveries_under_way } = receipt;
  return (
    <dl class="facts">
      <Fact name={t.submissions}>{number(receipt.submissions)}</Fact>
      <Fact name={t.files}>{number(receipt.files)}</Fact>
      {files_left > 0 && (
        <Fact name={t.filesLeft} note={t.filesLeftText}>
          {number(files_left)}
        </Fact>
      )}
      <Fact name={t.mails}>{number(receipt.mails)}</Fact>
      {mails_under_way > 0 && (
        <Fact name={t.underWay} note={t.underWayText}>
          {number(mails_under_way)}
        </Fact>
      )}
      {receipt.deliveries > 0 && <Fact name={t.deliveries}>{number(receipt.deliveries)}</Fact>}
      {deliveries_under_way > 0 && (
        <Fact name={t.deliveriesUnderWay} note={t.underWayText}>
          {number(deliveries_under_way)}
        </Fact>
      )}
      {receipt.saved_views > 0 && <Fact name={t.savedViews}>{number(receipt.saved_views)}</Fact>}
      {receipt.receivers.length > 0 && (
        <Fact name={t.receivers} note={t.receiversText}>
          {receipt.receivers.join(', ')}
        </Fact>
      )}
      <Fact name={t.searchedAt}>
        <Time viewer={viewer} at={parseTime(receipt.searched_at) ?? 0} />
      </Fact>
      <Fact name={t.erasedAt}>
        <Time viewer={viewer} at={parseTime(receipt.erased_at) ?? 0} />
      </Fact>
      <Fact name={t.hash}>{receipt.address_hash}</Fact>
    </dl>
  );
}

function Fact({ name, note, children }: Readonly<{ name: string; note?: string; children: string | Markup }>) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {children}
        {note !== undefined && (
          <>
            {' '}
            <span class="soft small">({note})</span>
          </>
        )}
      </dd>
    </>
  );
}

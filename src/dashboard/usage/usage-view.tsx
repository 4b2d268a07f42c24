/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { MonthlyUsage } from '../../domain/usage.ts';
import { Card } from '../ui/elements.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';

type Props = Readonly<{
  viewer: Viewer;
  plan: string;
  limit: number | null;
  used: number;
  /** End of the current month. */
  end: number;
  months: readonly MonthlyUsage[];
  /** Bytes of submissions and files. */
  stored: number;
  storageLimit: number | null;
}>;

/** The usage of the current month and of earlier ones. */
export function UsageView(props: Props) {
  const { usage: t, sections } = props.viewer.texts;
  return (
    <>
      <div class="head">
        <div>
          <h1>{sections.usage}</h1>
          <p class="flush soft">{t.plan(props.plan)}</p>
        </div>
      </div>
      <div class="pair">
        <Card id="now" title={t.thisMonth}>
          <ThisMonth {...props} />
        </Card>
        <Card id="storage" title={t.storage}>
          <Storage {...props} />
        </Card>
      </div>
      <Card id="before" title={t.history}>
        <History {...props} />
      </Card>
    </>
  );
}

/** Share in percent at which a bar warns. */
const NEARLY_FULL = 80;

type MeterProps = Readonly<{ label: string; used: number; limit: number }>;

function Meter({ label, used, limit }: MeterProps) {
  const share = getShare(used, limit);
  return (
    <progress class={getLevel(share)} max={Math.max(1, limit)} value={Math.min(used, limit)} aria-label={label}>
      {share} %
    </progress>
  );
}

function getShare(used: number, limit: number): number {
  return Math.floor((100 * used) / Math.max(1, limit));
}

function getLevel(share: number): 'bad' | 'warn' | undefined {
  if (share >= 100) return 'bad';
  return share >= NEARLY_FULL ? 'warn' : undefined;
}

function ThisMonth({ viewer, limit, used, end }: Props) {
  const { usage: t } = viewer.texts;
  const { number } = viewer;
  const share = limit === null ? 0 : getShare(used, limit);
  return (
    <>
      <p class="figure">{limit === null ? t.used(used, number(used)) : t.ofLimit(number(used), number(limit))}</p>
      {limit !== null && <Meter label={t.thisMonth} used={used} limit={limit} />}
      {share >= NEARLY_FULL && <p class={share >= 100 ? 'error' : 'note'}>{share >= 100 ? t.full : t.nearlyFull}</p>}
      <p class="soft small">
        {t.resets} <Time viewer={viewer} at={end} />. {limit === null ? t.noCap : t.cap}
      </p>
      <p class="soft small">{t.counted}</p>
    </>
  );
}

function Storage({ viewer, stored, storageLimit: limit }: Props) {
  const { usage: t } = viewer.texts;
  const { size } = viewer;
  const share = limit === null ? 0 : getShare(stored, limit);
  return (
    <>
      <p class="figure">{limit === null ? size(stored) : t.ofStorage(size(stored), size(limit))}</p>
      {limit !== null && <Meter label={t.storage} used={stored} limit={limit} />}
      {share >= NEARLY_FULL && <p class={share >= 100 ? 'error' : 'note'}>{t.storageNearlyFull}</p>}
      <p class="soft small">
        {t.stored} {limit !== null && t.storageCap}
      </p>
    </>
  );
}

function History({ viewer, months }: Props) {
  const { usage: t } = viewer.texts;
  const most = Math.max(1, ...months.map(({ used }) => used));
  if (months.length === 0) return <p class="soft">{t.nothing}</p>;
  return (
    <table class="months">
      <thead>
        <tr>
          <th scope="col">{t.month}</th>
          <th scope="col" class="number">
            {t.submissions}
          </th>
          <th scope="col">
            <span class="visually-hidden">{t.share}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ periodStart, used }) => (
          <tr>
            <th scope="row">{viewer.month(periodStart)}</th>
            <td class="number">{viewer.number(used)}</td>
            <td>
              <svg class="bar" width="100%" height="8" aria-hidden="true" focusable="false">
                <rect width={`${((100 * used) / most).toFixed(1)}%`} height="8" rx="4" fill="currentColor" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SharedContext } from '../../context/server-context.ts';
import { AppError } from '../../domain/errors.ts';
import { hasLimit, planNamed } from '../../domain/teams/plan.ts';
import { getPeriod, type MonthlyUsage } from '../../domain/usage.ts';
import { type DashboardRoute, page } from '../page.ts';
import { Card } from '../ui/elements.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { USAGE_TEXTS } from './texts.ts';

const MONTHS = 24;

/** The usage of the team's plan. */
export function usageRoutes({ clock, config }: SharedContext): readonly DashboardRoute[] {
  return [
    page('/dashboard/usage', { access: 'read', wholeTeam: true }, async ({ context: { store }, viewer, team }) => {
      const plan = planNamed(config.plans, team.plan);
      if (!hasLimit(plan)) throw new AppError('not_found', 'This team has no limit, so there is no usage to show.');
      const { start, end } = getPeriod(clock());
      const used = await store.usage.count(team.id, start);
      const months = await store.usage.list(team.id, MONTHS);
      const stored = await store.usage.countStorage(team.id);
      const { submissions_limit: limit, storage_bytes: storageLimit = null } = plan;
      const t = USAGE_TEXTS[viewer.language];
      const { number, size } = viewer;
      return {
        title: viewer.texts.sections.usage,
        section: 'usage',
        body: (
          <>
            <h1>{viewer.texts.sections.usage}</h1>
            <p class="soft">{t.plan(team.plan)}</p>
            <div class="pair">
              <Card id="now" title={t.thisMonth}>
                <Quota
                  label={t.thisMonth}
                  figure={limit === null ? t.used(used, number(used)) : t.ofLimit(number(used), number(limit))}
                  used={used}
                  limit={limit}
                  warnings={[t.nearlyFull, t.full]}
                />
                <p class="soft small">
                  {t.resets} <Time viewer={viewer} at={end} />. {limit === null ? t.noCap : t.cap}
                </p>
                <p class="soft small">{t.counted}</p>
              </Card>
              <Card id="storage" title={t.storage}>
                <Quota
                  label={t.storage}
                  figure={storageLimit === null ? size(stored) : t.ofStorage(size(stored), size(storageLimit))}
                  used={stored}
                  limit={storageLimit}
                  warnings={[t.storageNearlyFull, t.storageNearlyFull]}
                />
                <p class="soft small">
                  {t.stored} {storageLimit !== null && t.storageCap}
                </p>
              </Card>
            </div>
            <Card id="before" title={t.history}>
              <History viewer={viewer} months={months} />
            </Card>
          </>
        ),
      };
    }),
  ];
}

/** Share in percent at which a bar warns. */
const NEARLY_FULL = 80;

type QuotaProps = Readonly<{
  label: string;
  figure: string;
  used: number;
  limit: number | null;
  /** Warnings, near the limit and at it. */
  warnings: readonly [nearlyFull: string, full: string];
}>;

/** A figure with its share of the limit. */
function Quota({ label, figure, used, limit, warnings: [nearlyFull, full] }: QuotaProps) {
  const share = limit === null ? 0 : Math.floor((100 * used) / Math.max(1, limit));
  const level = share >= 100 ? 'bad' : share >= NEARLY_FULL ? 'warn' : undefined;
  return (
    <>
      <p class="big">{figure}</p>
      {limit !== null && (
        <progress class={level} max={Math.max(1, limit)} value={Math.min(used, limit)} aria-label={label}>
          {share} %
        </progress>
      )}
      {level && <p class={level === 'bad' ? 'error' : 'note'}>{level === 'bad' ? full : nearlyFull}</p>}
    </>
  );
}

function History({ viewer, months }: Readonly<{ viewer: Viewer; months: readonly MonthlyUsage[] }>) {
  const t = USAGE_TEXTS[viewer.language];
  const most = Math.max(1, ...months.map(({ used }) => used));
  if (months.length === 0) return <p class="soft">{t.nothing}</p>;
  return (
    <>
      <p class="soft small">{t.submissions}</p>
      <EntryList items={months}>
        {({ periodStart, used }) => (
          <li class="months">
            <span>{viewer.month(periodStart)}</span>
            <progress max={most} value={used} aria-label={viewer.month(periodStart)} />
            <span class="number">{viewer.number(used)}</span>
          </li>
        )}
      </EntryList>
    </>
  );
}

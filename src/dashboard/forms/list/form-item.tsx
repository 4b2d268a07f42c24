/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/form.ts';
import type { FormStats } from '../../../storage/store.ts';
import { countUpTo99 } from '../../ui/count.ts';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';

type Props = Readonly<{ viewer: Viewer; form: Form; stats: FormStats | undefined }>;

/** A form in the list, with its unread count and its recent activity. */
export function FormItem({ viewer, form, stats }: Props) {
  const { forms: t, form: formTexts } = viewer.texts;
  const unread = stats?.unread ?? 0;
  return (
    <li class="form-entry">
      <div>
        <h3>
          <a class="cover" href={`/dashboard/forms/${form.id}`}>
            {form.name}
          </a>
        </h3>
        <p class="row small">
          <code class="soft">{form.shortId}</code>
          {!form.isActive && <span class="badge bad">{formTexts.paused}</span>}
          {unread > 0 && <span class="badge good">{t.unread(countUpTo99(viewer, unread))}</span>}
        </p>
      </div>
      <Activity viewer={viewer} form={form} stats={stats} />
    </li>
  );
}

function Activity({ viewer, form, stats }: Props) {
  const { forms: t } = viewer.texts;
  const { lastArrival = null, days = [] } = stats ?? {};
  if (lastArrival === null) {
    return (
      <>
        <p class="soft small">{t.nothingYet}</p>
        <p class="small">
          <a class="above" href={`/dashboard/forms/${form.id}/connect`}>
            {t.connect}
          </a>
        </p>
      </>
    );
  }
  const received = t.inDays(viewer.number(days.reduce((sum, count) => sum + count, 0)));
  return (
    <>
      <Sparkline days={days} title={received} />
      <p class="soft small">
        {received}
        <br />
        {t.lastArrival}: <Time viewer={viewer} at={lastArrival} />
      </p>
    </>
  );
}

const STEP = 4;
const HEIGHT = 28;

/** A bar for each day. The highest bar takes the full height. */
function Sparkline({ days, title }: Readonly<{ days: readonly number[]; title: string }>) {
  const max = Math.max(1, ...days);
  const bars = days.map((count, day) => {
    const height = Math.max(1, Math.round((count / max) * HEIGHT));
    return count === 0 ? '' : `M${day * STEP + STEP / 2} ${HEIGHT}v-${height}`;
  });
  const width = days.length * STEP;
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${HEIGHT + 1}`} preserveAspectRatio="none" role="img" aria-label={title}>
      <title>{title}</title>
      <path d={`M0 ${HEIGHT + 0.5}H${width}`} stroke="currentColor" opacity="0.35" />
      <path d={bars.join('')} stroke="currentColor" stroke-width={STEP - 1} />
    </svg>
  );
}

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import type { Workspace } from '../../../domain/teams/team.ts';
import type { DayCount, FormStats } from '../../../storage/records.ts';
import { hueClass } from '../../ui/avatar.tsx';
import { countUpTo99, submissionsText } from '../../ui/count.ts';
import { FormMenu } from '../../ui/form-menu.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Ago } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { FORMS_TEXTS } from './texts.ts';

type Props = Readonly<{
  viewer: Viewer;
  form: Form;
  stats: FormStats | undefined;
  workspaces: readonly Workspace[];
  /** The current time. */
  at: number;
}>;

/** A form in the list, with its unread count, its recent activity and its menu. */
export function FormItem(props: Props) {
  const { viewer, form, stats, workspaces } = props;
  const t = FORMS_TEXTS[viewer.language];
  const { form: formTexts } = viewer.texts;
  const unread = stats?.unread ?? 0;
  return (
    <li class="form-row">
      <span class={`avatar ${hueClass(form.id)}`} aria-hidden="true">
        <Icon name="forms" />
      </span>
      <div id={`state-${form.id}`} data-live>
        <h3 class="row">
          <a class="cover" href={`/dashboard/forms/${form.id}`}>
            {form.name}
          </a>
          {form.archivedAt !== null && <span class="badge">{formTexts.archived}</span>}
          {form.archivedAt === null && !form.isActive && <span class="badge bad">{formTexts.paused}</span>}
          {unread > 0 && <span class="badge good">{t.unread(countUpTo99(viewer, unread))}</span>}
        </h3>
        <LastArrival {...props} />
      </div>
      <div class="activity" id={`activity-${form.id}`} data-live>
        {isUsed(stats) && (
          <>
            <Sparkline viewer={viewer} days={stats.days} />
            <p class="soft small">
              <b>{viewer.number(countGenuine(stats.days))}</b> {t.inDays}
            </p>
          </>
        )}
      </div>
      <FormMenu viewer={viewer} form={form} workspaces={workspaces} />
    </li>
  );
}

function isUsed(stats: FormStats | undefined): stats is FormStats {
  return stats !== undefined && (stats.lastArrival !== null || stats.days.some(({ spam }) => spam > 0));
}

function LastArrival({ viewer, form, stats, at }: Props) {
  const t = FORMS_TEXTS[viewer.language];
  const { lastArrival = null } = stats ?? {};
  return (
    <p class="soft small">
      {lastArrival === null ? `${t.nothingYet} ` : `${t.lastArrival} `}
      {lastArrival !== null && <Ago viewer={viewer} at={lastArrival} now={at} />}
      {!isUsed(stats) && (
        <a class="above" href={`/dashboard/forms/${form.id}/connect`}>
          {t.connect}
        </a>
      )}
    </p>
  );
}

/** Returns the number of genuine submissions. */
export const countGenuine = (days: readonly DayCount[]): number => days.reduce((sum, { genuine }) => sum + genuine, 0);

const STEP = 4;
const HEIGHT = 28;

/** A bar for each day, with spam on top in a second shade. The highest bar takes the full height. */
function Sparkline({ viewer, days }: Readonly<{ viewer: Viewer; days: readonly DayCount[] }>) {
  const { number } = viewer;
  const most = Math.max(1, ...days.map(({ genuine, spam }) => genuine + spam));
  const getHeight = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round((count / most) * HEIGHT)));
  const bar = (day: number, bottom: number, height: number) =>
    height === 0 ? '' : `M${day * STEP + STEP / 2} ${HEIGHT - bottom}v-${height}`;
  const genuine = days.map((count, day) => bar(day, 0, getHeight(count.genuine)));
  const spam = days.map((count, day) => bar(day, getHeight(count.genuine), getHeight(count.spam)));
  const width = days.length * STEP;
  const spamTotal = days.reduce((sum, day) => sum + day.spam, 0);
  const title = FORMS_TEXTS[viewer.language].spark(
    submissionsText(viewer, countGenuine(days)),
    number(spamTotal),
    number(most),
  );
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${HEIGHT + 1}`} preserveAspectRatio="none" role="img" aria-label={title}>
      <title>{title}</title>
      <path d={`M0 ${HEIGHT + 0.5}H${width}`} stroke="currentColor" opacity="0.35" />
      <path d={genuine.join('')} stroke="currentColor" stroke-width={STEP - 1} />
      <path class="of-spam" d={spam.join('')} stroke-width={STEP - 1} />
    </svg>
  );
}

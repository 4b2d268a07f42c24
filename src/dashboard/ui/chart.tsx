/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { DAY, type Micros } from '../../lib/clock.ts';
import type { DayCount } from '../../storage/records.ts';
import { OVERVIEW_TEXTS } from '../forms/overview/texts.ts';
import { INBOX_TEXTS } from '../submissions/inbox/texts.ts';
import type { Viewer } from '../viewer.ts';
import { submissionsText } from './count.ts';

/** Longer spans have a bar for each week. */
const MOST_BARS = 90;
const WEEK = 7;
/** Size of the drawing. The browser stretches it to the width of the page. */
const SIZE = { bar: 10, height: 100 };

/** A bar of the chart: the submissions of some days. `from` is a time on the first day, `to` on the last. */
type Bar = DayCount & Readonly<{ from: Micros; to: Micros }>;

type Props = Readonly<{
  viewer: Viewer;
  days: readonly DayCount[];
  /** A time on the last day. */
  at: Micros;
}>;

/** Submissions of the last days as bars with spam on top, and as a table, with the style of the overview. */
export function Chart({ viewer, days, at }: Props) {
  const inbox = INBOX_TEXTS[viewer.language];
  const t = OVERVIEW_TEXTS[viewer.language];
  const bars = getBars(days, at);
  const top = roundUp(Math.max(...bars.map(({ genuine, spam }) => genuine + spam)));
  const total = (kind: keyof DayCount) => days.reduce((sum, day) => sum + day[kind], 0);
  const genuine = submissionsText(viewer, total('genuine'));
  const label = t.chart(genuine, viewer.number(total('spam')), viewer.number(days.length));
  return (
    <figure class="chart">
      <figcaption class="legend small" aria-hidden="true">
        <b>{days.length > MOST_BARS ? t.perWeek : t.perDay}</b>
        <span class="genuine">{viewer.texts.form.submissions}</span> <span class="spam">{inbox.parts.spam}</span>
      </figcaption>
      <div class="scale" aria-hidden="true">
        {[top, top / 2, 0].map((value) => (
          <span>{viewer.number(value)}</span>
        ))}
      </div>
      <Bars {...{ viewer, bars, top, label }} />
      <Peak {...{ viewer, bars, top }} />
      <Axis {...{ viewer, bars }} />
      <Table viewer={viewer} bars={bars} isWeekly={days.length > MOST_BARS} />
    </figure>
  );
}

type BarsProps = Readonly<{ viewer: Viewer; bars: readonly Bar[]; top: number; label: string }>;

function Bars({ viewer, bars, top, label }: BarsProps) {
  const t = OVERVIEW_TEXTS[viewer.language];
  const { bar: width, height } = SIZE;
  const getHeight = (count: number) => (count / top) * height;
  const rect = (kind: string, index: number, below: number, count: number) =>
    count > 0 && (
      <rect
        class={kind}
        x={index * width + width * 0.15}
        y={(height - getHeight(below + count)).toFixed(2)}
        width={width * 0.7}
        height={getHeight(count).toFixed(2)}
      />
    );
  return (
    <svg viewBox={`0 0 ${bars.length * width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path class="grid" d={[0, height / 2, height].map((y) => `M0 ${y}H${bars.length * width}`).join('')} />
      {bars.map((bar, index) => (
        <g>
          <title>{t.bar(getPeriod(viewer, bar), submissionsText(viewer, bar.genuine), viewer.number(bar.spam))}</title>
          <rect class="hit" x={index * width} y="0" width={width} height={height} />
          {rect('genuine', index, 0, bar.genuine)}
          {rect('spam', index, bar.genuine, bar.spam)}
        </g>
      ))}
    </svg>
  );
}

/** The count of the highest bar above it, in a drawing that the browser does not stretch. */
function Peak({ viewer, bars, top }: Omit<BarsProps, 'label'>) {
  const counts = bars.map(({ genuine, spam }) => genuine + spam);
  const most = Math.max(...counts);
  if (most === 0) return null;
  return (
    <svg class="peak" aria-hidden="true">
      <text
        x={middleOf(counts.lastIndexOf(most), bars)}
        y={`${(100 * (1 - most / top)).toFixed(2)}%`}
        dy="-0.4em"
        text-anchor="middle"
      >
        {viewer.number(most)}
      </text>
    </svg>
  );
}

function Table({ viewer, bars, isWeekly }: Readonly<{ viewer: Viewer; bars: readonly Bar[]; isWeekly: boolean }>) {
  const t = OVERVIEW_TEXTS[viewer.language];
  const counts = [viewer.texts.form.submissions, INBOX_TEXTS[viewer.language].parts.spam];
  return (
    <details class="small">
      <summary>{t.table}</summary>
      <table class="counts">
        <thead>
          <tr>
            <th scope="col">{isWeekly ? t.week : t.period}</th>
            {counts.map((count) => (
              <th scope="col" class="number">
                {count}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <tr>
              <th scope="row">{getPeriod(viewer, bar)}</th>
              <td class="number">{viewer.number(bar.genuine)}</td>
              <td class="number">{viewer.number(bar.spam)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Groups days into bars. The first week may be short. */
function getBars(days: readonly DayCount[], at: Micros): readonly Bar[] {
  const size = days.length > MOST_BARS ? WEEK : 1;
  const getTime = (index: number) => at - (days.length - 1 - index) * DAY;
  const bars: Bar[] = [];
  for (let end = days.length; end > 0; end -= size) {
    const start = Math.max(0, end - size);
    const some = days.slice(start, end);
    const sum = (kind: keyof DayCount) => some.reduce((total, day) => total + day[kind], 0);
    bars.push({ genuine: sum('genuine'), spam: sum('spam'), from: getTime(start), to: getTime(end - 1) });
  }
  return bars.reverse();
}

function getPeriod({ utcDay }: Viewer, { from, to }: Bar): string {
  return from === to ? utcDay(from) : `${utcDay(from)} – ${utcDay(to)}`;
}

/** The days of at most six bars at even distances, the last of them the newest. */
function Axis({ viewer, bars }: Pick<BarsProps, 'viewer' | 'bars'>) {
  const step = Math.ceil(bars.length / 6);
  const isMarked = (index: number) => (bars.length - 1 - index) % step === 0;
  return (
    <svg class="axis" aria-hidden="true">
      {bars.map(
        ({ to }, index) =>
          isMarked(index) && (
            <text x={middleOf(index, bars)} y="1em" text-anchor={index < bars.length - 1 ? 'middle' : 'end'}>
              {viewer.utcDayOfYear(to)}
            </text>
          ),
      )}
    </svg>
  );
}

/** Returns the place of a bar in the width of the chart. */
const middleOf = (index: number, { length }: readonly Bar[]): string =>
  `${((100 * (index + 0.5)) / length).toFixed(2)}%`;

const STEPS = [2, 3, 4, 5, 6, 8, 10, 12, 16, 20];

/** Returns the next even round number, for a scale with a whole number in its middle. */
function roundUp(count: number): number {
  let unit = 1;
  while (count > 20 * unit) unit *= 10;
  return unit * (STEPS.find((step) => step * unit >= count && (step * unit) % 2 === 0) ?? 20);
}

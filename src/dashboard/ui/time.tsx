/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { formatTime, type Micros } from '../../lib/clock.ts';
import type { Viewer } from '../viewer.ts';

type At = Readonly<{ viewer: Viewer; at: Micros }>;

/** Day and time in the viewer's time zone. */
export function Time({ viewer, at }: At) {
  return <time datetime={formatTime(at)}>{viewer.formatTime(at)}</time>;
}

/** A day in the viewer's time zone. */
export function Day({ viewer, at }: At) {
  return <time datetime={formatTime(at)}>{viewer.formatDay(at)}</time>;
}

/** A time in a dense list: the time of today, else the day. */
export function ShortTime({ viewer, at, now }: At & Readonly<{ now: Micros }>) {
  return (
    <time datetime={formatTime(at)} title={viewer.formatTime(at)}>
      {viewer.formatShort(at, now)}
    </time>
  );
}

/** The span since a time, with the time as its title. */
export function Ago({ viewer, at, now }: At & Readonly<{ now: Micros }>) {
  return (
    <time datetime={formatTime(at)} title={viewer.formatTime(at)}>
      {viewer.ago(at, now)}
    </time>
  );
}

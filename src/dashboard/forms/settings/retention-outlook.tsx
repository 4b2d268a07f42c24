/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Micros } from '../../../lib/clock.ts';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { RETENTION_TEXTS } from './texts.ts';

/** Limit for counting submissions that the next run deletes. */
export const MAX_COUNT = 1_000;

/** The retention of a form. */
export type Retention = Readonly<{
  /** Default of the instance; null to keep submissions. */
  instanceDays: number | null;
  /** The next deletion: `count` submissions created before `before`. Null if submissions are kept. */
  next: Readonly<{ days: number; before: Micros; count: number }> | null;
}>;

/** A summary of what the next run deletes. */
export function RetentionOutlook({ viewer, retention: { next } }: Readonly<{ viewer: Viewer; retention: Retention }>) {
  const t = RETENTION_TEXTS[viewer.language];
  if (next === null) return <p>{t.never}</p>;
  const { days, before, count } = next;
  if (count === 0) {
    return (
      <p>
        {t.hourly(days)} {t.noneYet}
      </p>
    );
  }
  const amount = count > MAX_COUNT ? t.moreThan(viewer.number(MAX_COUNT)) : t.about(count);
  return (
    <p>
      {t.hourly(days)} {t.next(amount)} <Time viewer={viewer} at={before} />.
    </p>
  );
}

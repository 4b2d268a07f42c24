import { startOfDay, startOfHour } from '../domain/time-zone.ts';
import type { Clock, Micros } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop';
import type { Store, SummarySpan, SummedUp } from '../storage/store.ts';
import type { Job } from './loop.ts';

const EVERY_MS = 60_000;
/** So many forms share a transaction, which takes half a millisecond for each whose day is over. */
const PAGE = 25;

type Deps = Readonly<{ store: Store; clock: Clock; log: Logger; outbox: Readonly<{ wake: () => void }> }>;

/** Sums up what came to forms, each in hours and days of its own time zone. */
export function digestJob(deps: Deps): Job {
  return { name: 'digests', everyMs: EVERY_MS, step: (signal) => sumUpAll(deps, signal) };
}

async function sumUpAll({ store, clock, log, outbox }: Deps, signal: AbortSignal): Promise<void> {
  const startsIn = startsAt(clock());
  let mails = 0;
  let page: SummedUp[];
  let after = '';
  do {
    page = await store.listSummedUp({ after, limit: PAGE });
    after = page.at(-1)?.id ?? after;
    const due = page.flatMap((form) => spanOf(form, startsIn(form.timeZone)) ?? []);
    if (due.length > 0) mails += await store.sumUp(due);
    // Others get a turn.
    await yieldToEventLoop();
  } while (page.length === PAGE && !signal.aborted);
  if (mails === 0) return;
  log.info('digests queued', { mails });
  outbox.wake();
}

type Starts = Readonly<{ hour: Micros; day: Micros }>;

/** When hour and day began in a zone, which is looked up once for all forms there. */
function startsAt(now: Micros): (timeZone: string) => Starts {
  const known = new Map<string, Starts>();
  return (timeZone) => {
    const starts = known.get(timeZone) ?? { hour: startOfHour(now, timeZone), day: startOfDay(now, timeZone) };
    known.set(timeZone, starts);
    return starts;
  };
}

/** Null where there is nothing to do. */
function spanOf({ id, digest, digestedUntil, heldBackUntil }: SummedUp, { hour, day }: Starts): SummarySpan | null {
  const span = { formId: id, digestUntil: digest === 'hourly' ? hour : day, heldBackUntil: day };
  const isSwitched = (digest === null) !== (digestedUntil === null);
  const isOver = digestedUntil !== null && span.digestUntil > digestedUntil;
  return isSwitched || isOver || day > (heldBackUntil ?? 0) ? span : null;
}

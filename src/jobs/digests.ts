import { startOfDay, startOfHour } from '../domain/users/time-zone.ts';
import type { Micros } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { Services } from '../services/services.ts';
import type { DigestProgress } from '../storage/records.ts';
import type { Job } from './loop.ts';

const INTERVAL_MS = 60_000;
/** The number of forms per transaction. Each form whose day is over takes about 0.5 ms. */
const PAGE_SIZE = 25;

type Deps = Pick<Services, 'store' | 'clock' | 'log'> &
  Readonly<{ mail: Readonly<{ sender: string | null; outbox: Readonly<{ wake: () => void }> }> }>;

/** Creates the job that queues digests and spam summaries at the hours and days of each form's time zone. */
export function digestJob(deps: Deps): Job {
  return { name: 'summary mails', everyMs: INTERVAL_MS, step: (signal) => queueDueDigests(deps, signal) };
}

async function queueDueDigests({ store, clock, log, mail }: Deps, signal: AbortSignal): Promise<void> {
  if (mail.sender === null) return;
  const startsIn = createStartsLookup(clock());
  let mails = 0;
  let page: DigestProgress[];
  let after = '';
  do {
    page = await store.digests.listProgress({ after, limit: PAGE_SIZE });
    after = page.at(-1)?.id ?? after;
    const due = page.flatMap((form) => dueWindow(form, startsIn(form.timeZone)) ?? []);
    if (due.length > 0) mails += await store.digests.queue(due);
    await yieldToEventLoop();
  } while (page.length === PAGE_SIZE && !signal.aborted);
  if (mails === 0) return;
  log.info('digests queued', { mails });
  mail.outbox.wake();
}

/** The start of the current hour and day in a time zone. */
type Starts = Readonly<{ hour: Micros; day: Micros }>;

/** Returns a function that computes the starts for a time zone and caches them. */
function createStartsLookup(now: Micros): (timeZone: string) => Starts {
  const cache = new Map<string, Starts>();
  const compute = (timeZone: string) => ({ hour: startOfHour(now, timeZone), day: startOfDay(now, timeZone) });
  return (timeZone) => cache.getOrInsertComputed(timeZone, compute);
}

/** Returns the summaries due for a form; null if there are none. */
function dueWindow({ id, digest, digestedUntil, heldBackUntil }: DigestProgress, { hour, day }: Starts) {
  const window = { formId: id, digestUntil: digest === 'daily' ? day : hour, heldBackUntil: day };
  const hasSwitched = (digest === null) !== (digestedUntil === null);
  const isDigestDue = digestedUntil !== null && window.digestUntil > digestedUntil;
  return hasSwitched || isDigestDue || day > (heldBackUntil ?? 0) ? window : null;
}

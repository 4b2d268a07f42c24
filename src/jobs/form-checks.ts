import { isPageDue, SILENCE_DAYS, silentAfter } from '../domain/forms/form-check.ts';
import { openingAt } from '../domain/forms/opening.ts';
import { DAY, type Micros } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { checkWatchedPage } from '../services/forms/check-form-page.ts';
import type { Services } from '../services/services.ts';
import type { CheckedForm } from '../storage/records.ts';
import type { Job } from './loop.ts';

const INTERVAL_MS = 60 * 60 * 1000;
const PAGE_SIZE = 50;

type Deps = Pick<Services, 'store' | 'clock' | 'log' | 'network'> &
  Readonly<{ mail: Readonly<{ outbox: Readonly<{ wake: () => void }> }> }>;

/**
 * Creates the job that fetches the watched pages of forms once a day, and tells owners of forms that are silent, or that
 * reached their limit of auto-replies, once each.
 */
export function formCheckJob(deps: Deps): Job {
  const step = async (signal: AbortSignal) => {
    let mails = 0;
    let after = '';
    let page: CheckedForm[];
    do {
      page = await deps.store.formChecks.list({ after, limit: PAGE_SIZE });
      after = page.at(-1)?.form.id ?? after;
      const closed: string[] = [];
      for (const each of page) {
        if (signal.aborted) break;
        const isOpen = accepts(each.form, deps.clock());
        mails +=
          (await checkPage(deps, each, isOpen)) + (await checkReplies(deps, each)) + (await checkUnsent(deps, each));
        if (each.form.silenceAlarm) {
          if (isOpen && !(await deps.store.forms.isFull(each.form))) mails += await checkSilence(deps, each);
          else closed.push(each.form.id);
        }
        await yieldToEventLoop();
      }
      await deps.store.formChecks.recordClosed(closed);
    } while (page.length === PAGE_SIZE && !signal.aborted);
    if (mails > 0) deps.mail.outbox.wake();
  };
  return { name: 'checks of forms', everyMs: INTERVAL_MS, step };
}

function accepts({ isActive, archivedAt, ...form }: CheckedForm['form'], now: Micros): boolean {
  return isActive && archivedAt === null && openingAt(form, now) === 'open';
}

async function checkPage({ store, clock, network, log }: Deps, { form, teamId, check }: CheckedForm, isOpen: boolean) {
  if (form.watchPage === null) return check.pageCheckedAt === null ? 0 : store.formChecks.forgetPage(form.id);
  if (!isOpen || !isPageDue(check, clock())) return 0;
  const problem = await checkWatchedPage(network, teamId, form).catch(() => 'unreachable' as const);
  if (problem !== null) log.warn('watched page of a form failed', { formId: form.id, problem });
  return store.formChecks.recordPage(form.id, problem);
}

async function checkSilence({ store, clock }: Deps, { form, check }: CheckedForm): Promise<number> {
  const now = clock();
  const { lastArrival } = await store.forms.readActivity(form.id);
  const isTold = check.silentAt !== null && lastArrival !== null && check.silentAt > lastArrival;
  if (lastArrival === null || isTold || lastArrival > now - 7 * DAY) return 0;
  const days = await store.forms.countDays(form.id, lastArrival, SILENCE_DAYS);
  const limit = silentAfter(days.map(({ genuine }) => genuine));
  const quietSince = Math.max(lastArrival, check.closedUntil ?? 0);
  return limit !== null && now - quietSince > limit * DAY ? store.formChecks.recordSilence(form.id) : 0;
}

async function checkReplies({ store, clock }: Deps, { form, check }: CheckedForm): Promise<number> {
  const { autoReplyText, autoReplyDailyLimit: limit } = form;
  const isTold = check.limitedAt !== null && check.limitedAt <= clock() && check.limitedAt > clock() - DAY;
  if (autoReplyText === null || limit === 0 || isTold) return 0;
  return (await store.formChecks.countReplies(form.id)) >= limit ? store.formChecks.recordLimit(form.id) : 0;
}

/** Tells about confirmation mails that were not sent, once for the last day, and again after a day with further ones. */
async function checkUnsent({ store, clock }: Deps, { form, check }: CheckedForm): Promise<number> {
  const now = clock();
  const isTold = check.unsentAt !== null && check.unsentAt <= now && check.unsentAt > now - DAY;
  if (!form.confirmAddress || isTold) return 0;
  return (await store.formChecks.hasUnsent(form.id, check.unsentAt)) ? store.formChecks.recordUnsent(form.id) : 0;
}

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../domain/errors.ts';
import { parseAddress } from '../../domain/mail/email-address.ts';
import { HOUR } from '../../lib/clock.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { sendTestMail } from '../../services/mail/test-mail.ts';
import { readMailReason } from '../../services/submissions/read-submission.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { COUNT_LIMIT } from '../ui/count.ts';
import { MailView, STATES, type TestInput } from './mail-view.tsx';
import { MAIL_PAGES_TEXTS } from './texts.ts';

const PATH = '/dashboard/mail';
const PAGE_SIZE = 50;
/** Dead mails that one transaction requeues or deletes. */
const RETRY_BATCH = 500;
const TESTS_PER_HOUR = 20;

type EditPage = PageContext<'edit'>;

/** The mails of a team by state, retries, and the test mail. */
export function mailRoutes(): readonly DashboardRoute[] {
  const tests = new SlidingWindow(TESTS_PER_HOUR, HOUR);
  return [
    page(PATH, { access: 'read' }, (page) => mailPage(page)),
    action(`${PATH}/retry`, { access: 'edit', audit: 'mail.retried' }, retryAllDead),
    action(`${PATH}/dismiss`, { access: 'edit', audit: 'mail.dismissed' }, dismissDead),
    action(`${PATH}/:mailId/retry`, { access: 'edit', audit: 'mail.retried' }, retryOne),
    action(`${PATH}/test`, { access: 'edit', audit: 'mail.tested' }, (page, form) => sendTest(page, form, tests)),
  ];
}

async function mailPage(page: PageContext<'read'>, failed?: FailedTest): Promise<Page> {
  const { context, viewer, team, query, user } = page;
  const { store, vault, log, mail } = context;
  const before = query.get('before');
  const counts = {
    queued: await store.mails.countOfTeam(team.id, 'queued', COUNT_LIMIT),
    retrying: await store.mails.countOfTeam(team.id, 'retrying', COUNT_LIMIT),
    dead: await store.mails.countOfTeam(team.id, 'dead', COUNT_LIMIT),
  };
  const troubled = (['dead', 'retrying', 'queued'] as const).find((state) => counts[state] > 0) ?? 'sent';
  const state = STATES.find((state) => state === query.get('state')) ?? troubled;
  const mails = await store.mails.listOfTeam(team.id, { state, before, limit: PAGE_SIZE + 1 });
  const { texts } = viewer;
  return {
    title: texts.sections.mail,
    section: 'mail',
    status: failed?.status ?? 200,
    done: flash(MAIL_PAGES_TEXTS[viewer.language].done, query),
    body: (
      <MailView
        viewer={viewer}
        sender={mail?.sender ?? null}
        state={state}
        items={mails.slice(0, PAGE_SIZE).map((mail) => ({ mail, reason: readMailReason(vault, log, mail) }))}
        counts={counts}
        isFirst={before === null}
        hasOlder={mails.length > PAGE_SIZE}
        test={failed ?? { to: user.email }}
      />
    ),
  };
}

/** Runs `change` on batches of the dead mails and notes their number. */
async function forAllDead({ note }: EditPage, change: (batch: number) => Promise<number>): Promise<void> {
  let count = 0;
  for (let changed = RETRY_BATCH; changed === RETRY_BATCH; ) {
    changed = await change(RETRY_BATCH);
    count += changed;
    note({ count });
    await yieldToEventLoop();
  }
}

async function retryAllDead(page: EditPage): Promise<Response> {
  const { store, mail } = page.context;
  await forAllDead(page, (dead) => store.mails.retryOfTeam(page.team.id, { dead }));
  mail?.outbox.wake();
  return redirectTo(`${PATH}?done=all`);
}

async function dismissDead(page: EditPage): Promise<Response> {
  await forAllDead(page, (batch) => page.context.store.mails.dismissOfTeam(page.team.id, batch));
  return redirectTo(`${PATH}?done=dismissed`);
}

async function retryOne({ context, team, param }: EditPage): Promise<Response> {
  const retried = await context.store.mails.retryOfTeam(team.id, { id: param('mailId') });
  if (retried === 0) throw new AppError('not_found', 'This team has no such failed mail.');
  context.mail?.outbox.wake();
  return redirectTo(`${PATH}?done=again`);
}

async function sendTest(page: EditPage, form: URLSearchParams, tests: SlidingWindow): Promise<Page | Response> {
  const { context, viewer, user } = page;
  const to = form.get('to') ?? '';
  const t = MAIL_PAGES_TEXTS[viewer.language];
  if (!tests.take(user.id, context.monotonic()).allowed) {
    return mailPage(page, { to, status: 429, error: t.tooManyTests });
  }
  if (parseAddress(to.trim()) === null) return mailPage(page, { to, status: 400, error: t.testAddress });
  try {
    await sendTestMail(context, to, viewer.language);
    return redirectTo(`${PATH}?done=tested`);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
    return mailPage(page, { to, status: 400, error: error.message });
  }
}

type FailedTest = TestInput & Readonly<{ status: number }>;

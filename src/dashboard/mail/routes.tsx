/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context.ts';
import { parseAddress } from '../../domain/email-address.ts';
import { AppError } from '../../domain/errors.ts';
import { HOUR } from '../../lib/clock.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { readMailReason } from '../../services/read-submission.ts';
import { sendTestMail } from '../../services/test-mail.ts';
import { action, type DashboardRoute, type PageContext, page, redirectTo } from '../page.ts';
import { COUNT_LIMIT } from '../ui/count.ts';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.tsx';
import { MailView, STATES, type TestInput } from './mail-view.tsx';

const PATH = '/dashboard/mail';
const PAGE_SIZE = 50;
/** Dead mails that one transaction requeues or deletes. */
const RETRY_BATCH = 500;
const TESTS_PER_HOUR = 20;

/** The mails of a team by state, retries, and the test mail. */
export function mailRoutes(context: Context): readonly DashboardRoute[] {
  const { store, vault, log, mail, monotonic } = context;
  const tests = new SlidingWindow(TESTS_PER_HOUR, HOUR);

  const mailPage = async (page: PageContext<'read'>, failed?: FailedTest): Promise<Page> => {
    const { viewer, team, query, user } = page;
    const state = STATES.find((known) => known === query.get('state')) ?? 'queued';
    const before = query.get('before');
    const found = await store.mails.listOfTeam(team.id, { state, before, limit: PAGE_SIZE + 1 });
    const counts = {
      queued: await store.mails.countOfTeam(team.id, 'queued', COUNT_LIMIT),
      retrying: await store.mails.countOfTeam(team.id, 'retrying', COUNT_LIMIT),
      dead: await store.mails.countOfTeam(team.id, 'dead', COUNT_LIMIT),
    };
    const items = found.slice(0, PAGE_SIZE).map((one) => ({ mail: one, reason: readMailReason(vault, log, one) }));
    const { texts } = viewer;
    return {
      title: texts.sections.mail,
      section: 'mail',
      status: failed?.status ?? 200,
      done: flash(texts.mailPages.done, query),
      body: (
        <MailView
          viewer={viewer}
          sender={mail?.sender ?? null}
          state={state}
          items={items}
          counts={counts}
          isFirst={before === null}
          hasOlder={found.length > PAGE_SIZE}
          test={failed ?? { to: user.email }}
        />
      ),
    };
  };

  const retryAllDead = async ({ team, note }: PageContext<'edit'>): Promise<Response> => {
    let count = 0;
    for (let retried = RETRY_BATCH; retried === RETRY_BATCH; ) {
      retried = await store.mails.retryOfTeam(team.id, { dead: RETRY_BATCH });
      count += retried;
      note({ count });
      await yieldToEventLoop();
    }
    mail?.outbox.wake();
    return redirectTo(`${PATH}?done=all`);
  };

  const dismissDead = async ({ team, note }: PageContext<'edit'>): Promise<Response> => {
    let count = 0;
    for (let dismissed = RETRY_BATCH; dismissed === RETRY_BATCH; ) {
      dismissed = await store.mails.dismissOfTeam(team.id, RETRY_BATCH);
      count += dismissed;
      note({ count });
      await yieldToEventLoop();
    }
    return redirectTo(`${PATH}?done=dismissed`);
  };

  const retryOne = async ({ team, param }: PageContext<'edit'>): Promise<Response> => {
    const retried = await store.mails.retryOfTeam(team.id, { id: param('mailId') });
    if (retried === 0) throw new AppError('not_found', 'This team has no such failed mail.');
    mail?.outbox.wake();
    return redirectTo(`${PATH}?done=again`);
  };

  const sendTest = async (page: PageContext<'edit'>, form: URLSearchParams): Promise<Page | Response> => {
    const to = form.get('to') ?? '';
    const { mailPages: t } = page.viewer.texts;
    if (!tests.take(page.user.id, monotonic()).allowed) {
      return mailPage(page, { to, status: 429, error: t.tooManyTests });
    }
    if (parseAddress(to.trim()) === null) return mailPage(page, { to, status: 400, error: t.testAddress });
    try {
      await sendTestMail(context, to, page.viewer.language);
      return redirectTo(`${PATH}?done=tested`);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      return mailPage(page, { to, status: 400, error: error.message });
    }
  };

  return [
    page(PATH, { access: 'read' }, (page) => mailPage(page)),
    action(`${PATH}/retry`, { access: 'edit', audit: 'mail.retried' }, retryAllDead),
    action(`${PATH}/dismiss`, { access: 'edit', audit: 'mail.dismissed' }, dismissDead),
    action(`${PATH}/:mailId/retry`, { access: 'edit', audit: 'mail.retried' }, retryOne),
    action(`${PATH}/test`, { access: 'edit', audit: 'mail.tested' }, sendTest),
  ];
}

type FailedTest = TestInput & Readonly<{ status: number }>;

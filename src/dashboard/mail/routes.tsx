/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../domain/errors.ts';
import { parseAddress } from '../../domain/mail/email-address.ts';
import type { MailState } from '../../domain/mail/mail.ts';
import { HOUR } from '../../lib/clock.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { sendTestMail } from '../../services/mail/test-mail.ts';
import { readMailReason } from '../../services/submissions/read-submission.ts';
import type { TeamMail } from '../../storage/records.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { COUNT_LIMIT } from '../ui/count.ts';
import { readSenders } from '../ui/submissions-at.ts';
import { groupByCause, RecipientView } from './causes-view.tsx';
import { MailView, SENT_LIMIT, TABS, type TestInput } from './mail-view.tsx';
import { mailServerRoutes } from './server-routes.tsx';
import { MAIL_PAGES_TEXTS } from './texts.ts';

const PATH = '/dashboard/mail';
const PAGE_SIZE = 50;
/** Dead mails that one transaction requeues or deletes. */
const RETRY_BATCH = 500;
/** Newest mails of a state that are grouped by cause. */
const MAX_GROUPED = 1_000;
const TESTS_PER_HOUR = 20;
/** Lines of a conversation with the mail server that are shown. */
const MAX_LINES = 100;

type EditPage = PageContext<'edit'>;

/** The mails of a team by state, retries, and the test mail. */
export function mailRoutes(): readonly DashboardRoute[] {
  const tests = new SlidingWindow(TESTS_PER_HOUR, HOUR);
  return [
    page(PATH, { access: 'read' }, (page) => mailPage(page)),
    ...mailServerRoutes,
    action(`${PATH}/retry`, { access: 'edit', audit: 'mail.retried' }, retryFailed),
    action(`${PATH}/dismiss`, { access: 'edit', audit: 'mail.dismissed' }, dismissDead),
    page(`${PATH}/:mailId/recipient`, { access: 'edit' }, (page) => recipientPage(page)),
    action(`${PATH}/:mailId/recipient`, { access: 'edit', audit: 'form.changed' }, changeRecipient),
    action(`${PATH}/:mailId/retry`, { access: 'edit', audit: 'mail.retried' }, retryOne),
    action(`${PATH}/test`, { access: 'edit', audit: 'mail.tested' }, (page, form) => sendTest(page, form, tests)),
  ];
}

async function mailPage(page: PageContext<'read'>, test?: Test): Promise<Page> {
  const { context, viewer, team, query, user } = page;
  const { store, vault, log, mail, clock } = context;
  const before = query.get('before');
  const count = (state: MailState) =>
    store.mails.countOfTeam(team.id, state, state === 'sent' ? SENT_LIMIT : COUNT_LIMIT);
  const [queued, retrying] = [await count('queued'), await count('retrying')];
  const counts = { queued, retrying, dead: await count('dead'), sent: await count('sent') };
  const quiet = counts.queued > 0 ? 'queued' : 'sent';
  const troubled = counts.dead + counts.retrying > 0 ? 'causes' : quiet;
  const state = TABS.find((state) => state === query.get('state')) ?? troubled;
  const list = (state: MailState, limit: number) => store.mails.listOfTeam(team.id, { state, before, limit });
  const read = (mails: readonly TeamMail[]) =>
    mails.map((mail) => ({ mail, reason: readMailReason(vault, log, mail), sender: senders.get(mail.submissionId) }));
  const failed =
    state === 'causes' ? [...(await list('dead', MAX_GROUPED)), ...(await list('retrying', MAX_GROUPED))] : [];
  const mails = state === 'causes' ? [] : await list(state, PAGE_SIZE + 1);
  const senders = await readSenders(
    page,
    mails.map(({ submissionId }) => submissionId),
  );
  const [latest = null] = await store.mails.listOfTeam(team.id, { state: 'sent', before: null, limit: 1 });
  return {
    title: viewer.texts.sections.mail,
    section: 'mail',
    status: test?.status ?? 200,
    done: test?.done ?? flash(MAIL_PAGES_TEXTS[viewer.language].done, query),
    body: (
      <MailView
        {...{ viewer, latest, state, counts }}
        sender={mail.sender}
        isOperator={await store.users.isOperator(user.id)}
        isFailing={mail.isFailing()}
        now={clock()}
        items={read(mails.slice(0, PAGE_SIZE))}
        groups={groupByCause(read(failed))}
        isFirst={before === null}
        hasOlder={mails.length > PAGE_SIZE}
        test={test ?? { to: user.email }}
      />
    ),
  };
}

/** Runs `change` on batches of failed mails and notes their number. */
async function forAll({ note }: EditPage, change: (batch: number) => Promise<number>): Promise<void> {
  let count = 0;
  for (let changed = RETRY_BATCH; changed === RETRY_BATCH; ) {
    changed = await change(RETRY_BATCH);
    count += changed;
    note({ count });
    await yieldToEventLoop();
  }
}

/** Sends all failed mails again, or those to the posted recipient, also those that are retried later. */
async function retryFailed(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { store, mail } = page.context;
  const recipient = form.get('recipient');
  const states = recipient === null ? (['dead'] as const) : (['dead', 'retrying'] as const);
  for (const state of states) {
    await forAll(page, (limit) => store.mails.retryOfTeam(page.team.id, { state, recipient, limit }));
  }
  mail.outbox.wake();
  return redirectTo(`${PATH}?done=all`);
}

async function dismissDead(page: EditPage): Promise<Response> {
  await forAll(page, (limit) => page.context.store.mails.dismissOfTeam(page.team.id, { limit }));
  return redirectTo(`${PATH}?done=dismissed`);
}

/** Finds the recipient of a mail, and the team's forms that notify this address. */
async function findRecipient({ context, team, param }: EditPage) {
  const recipient = await context.store.mails.findRecipient(param('mailId'), team.id);
  if (recipient === null) throw new AppError('not_found', 'This team has no such mail to a recipient of its forms.');
  const forms = await context.store.forms.list(team.id);
  return { recipient, forms: forms.filter(({ notify }) => notify.includes(recipient)) };
}

/** Asks for another address for a recipient, or whether to remove it. */
async function recipientPage(page: EditPage, error?: string, address = ''): Promise<Page> {
  const { viewer, param } = page;
  const { recipient, forms } = await findRecipient(page);
  return {
    title: MAIL_PAGES_TEXTS[viewer.language].recipient,
    section: 'mail',
    status: error ? 400 : 200,
    body: (
      <RecipientView {...{ viewer, recipient, forms, error, address }} path={`${PATH}/${param('mailId')}/recipient`} />
    ),
  };
}

/** Puts the posted address in the place of a recipient of all forms, or removes it. Its dead mails are dismissed. */
async function changeRecipient(page: EditPage, input: URLSearchParams): Promise<Page | Response> {
  const { context, team, viewer, note } = page;
  const typed = input.get('address')?.trim() ?? '';
  const address = parseAddress(typed);
  const isRemoval = input.get('do') === 'remove';
  if (!isRemoval && address === null) return recipientPage(page, MAIL_PAGES_TEXTS[viewer.language].testAddress, typed);
  const { recipient, forms } = await findRecipient(page);
  for (const { id } of forms) await context.store.forms.removeRecipient(id, recipient, isRemoval ? null : address);
  note({ forms: forms.length });
  await forAll(page, (limit) => context.store.mails.dismissOfTeam(team.id, { limit, recipient }));
  return redirectTo(`${PATH}?done=${isRemoval ? 'removed' : 'changed'}`);
}

async function retryOne({ context, team, param }: EditPage): Promise<Response> {
  const retried = await context.store.mails.retryOfTeam(team.id, { id: param('mailId') });
  if (retried === 0) throw new AppError('not_found', 'This team has no such failed mail.');
  context.mail.outbox.wake();
  return redirectTo(`${PATH}?done=again`);
}

async function sendTest(page: EditPage, form: URLSearchParams, tests: SlidingWindow): Promise<Page | Response> {
  const { context, viewer, user } = page;
  const { mail, store } = context;
  const to = form.get('to') ?? '';
  const t = MAIL_PAGES_TEXTS[viewer.language];
  if (!tests.take(user.id, context.monotonic()).allowed) {
    return mailPage(page, { to, status: 429, error: t.tooManyTests });
  }
  if (parseAddress(to.trim()) === null) return mailPage(page, { to, status: 400, error: t.testAddress });
  const lines: string[] = [];
  const isOperator = await store.users.isOperator(user.id);
  // Operators see what was said on a new connection.
  const mailer = await mail.open((line) => isOperator && lines.length < MAX_LINES && lines.push(line));
  try {
    await sendTestMail({ ...context, mail: { mailer, sender: mail.sender } }, to, viewer.language);
    if (!isOperator) return redirectTo(`${PATH}?done=tested`);
    return mailPage(page, { to, lines, status: 200, done: t.done.tested });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
    return mailPage(page, { to, lines, status: 400, error: error.message });
  } finally {
    mailer.close();
  }
}

type Test = TestInput & Readonly<{ status: number; done?: string }>;

import type { Context } from '../../context.ts';
import { parseAddress } from '../../domain/email-address.ts';
import { AppError } from '../../domain/errors.ts';
import type { MailState } from '../../domain/mail.ts';
import { HOUR } from '../../lib/clock.ts';
import { type Html, html } from '../../lib/html.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { readMailReason } from '../../services/read-submission.ts';
import { sendTestMail } from '../../services/test-mail.ts';
import type { TeamMail } from '../../storage/store.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.tsx';
import type { Viewer } from '../viewer.ts';

const STATES = ['queued', 'retrying', 'dead', 'sent'] as const satisfies readonly MailState[];
const PAGE = 50;
/** Counted no further. */
const MOST_COUNTED = 100;
/** So many dead mails are woken in one transaction. */
const RETRIED_AT_ONCE = 500;
const TESTS_AN_HOUR = 20;

/** The mails of a team: what waits, what was sent, what was given up. */
export function mailRoutes(context: Context) {
  const { store, vault, log, mail, monotonic } = context;
  const tests = new SlidingWindow(TESTS_AN_HOUR, HOUR);

  const mailPage = async (page: PageContext<'read'>, failed?: FailedTest): Promise<Page> => {
    const { viewer, team, query, user } = page;
    const state = STATES.find((known) => known === query.get('state')) ?? 'queued';
    const before = query.get('before');
    const found = await store.listTeamMails(team.id, { state, before, limit: PAGE + 1 });
    const counts: Counts = {
      queued: await store.countTeamMails(team.id, 'queued', MOST_COUNTED),
      retrying: await store.countTeamMails(team.id, 'retrying', MOST_COUNTED),
      dead: await store.countTeamMails(team.id, 'dead', MOST_COUNTED),
    };
    const mails = found.slice(0, PAGE).map((one) => ({ mail: one, reason: readMailReason(vault, log, one) }));
    const shown = { state, mails, counts, before, hasOlder: found.length > PAGE };
    const { texts } = viewer;
    return {
      title: texts.sections.mail,
      section: 'mail',
      status: failed?.status ?? 200,
      done: flash(texts.mailPages.done, query),
      body: html`<h1>${texts.sections.mail}</h1>
${mail === null ? html`<p class="note">${texts.mailPages.noServer}</p>` : html`<p class="soft">${texts.mailPages.intro(mail.sender)}</p>`}
<div class="stack">${mailList(viewer, shown)}
${mail !== null && viewer.can('edit') && testForm(viewer, failed ?? { to: user.email })}</div>`,
    };
  };

  const retryAllDead = async ({ team, note }: PageContext<'read'>): Promise<Response> => {
    let count = 0;
    for (let retried = RETRIED_AT_ONCE; retried === RETRIED_AT_ONCE; ) {
      retried = await store.retryTeamMails(team.id, { dead: RETRIED_AT_ONCE });
      count += retried;
      note({ count });
      await yieldToEventLoop();
    }
    mail?.outbox.wake();
    return redirectTo('/dashboard/mail?done=all');
  };

  const retryOne = async ({ team, param }: PageContext<'read'>): Promise<Response> => {
    const retried = await store.retryTeamMails(team.id, { id: param('mailId') });
    if (retried === 0) throw new AppError('not_found', 'There is no such mail in this team that failed.');
    mail?.outbox.wake();
    return redirectTo('/dashboard/mail?done=again');
  };

  const test = async (page: PageContext<'read'>, sent: URLSearchParams): Promise<Page | Response> => {
    const to = sent.get('to') ?? '';
    const { mailPages: words } = page.viewer.texts;
    if (!tests.take(page.user.id, monotonic()).allowed) {
      return mailPage(page, { to, status: 429, error: words.tooManyTests });
    }
    if (parseAddress(to.trim()) === null) return mailPage(page, { to, status: 400, error: words.testAddress });
    try {
      await sendTestMail(context, to);
      return redirectTo('/dashboard/mail?done=tested');
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid_input') throw error;
      return mailPage(page, { to, status: 400, error: error.message });
    }
  };

  return [
    page('/dashboard/mail', { access: 'read' }, (page) => mailPage(page)),
    action('/dashboard/mail/retry', { access: 'edit', audit: 'mail.retried' }, retryAllDead),
    action('/dashboard/mail/:mailId/retry', { access: 'edit', audit: 'mail.retried' }, retryOne),
    action('/dashboard/mail/test', { access: 'edit', audit: 'mail.tested' }, test),
  ];
}

type FailedTest = Readonly<{ to: string; status: number; error: string }>;

type Counts = Readonly<Record<Exclude<MailState, 'sent'>, number>>;

type ShownMail = Readonly<{ mail: TeamMail; reason: string | null }>;

type Shown = Readonly<{
  state: MailState;
  mails: readonly ShownMail[];
  counts: Counts;
  before: string | null;
  hasOlder: boolean;
}>;

function mailList(viewer: Viewer, { state, mails, counts, before, hasOlder }: Shown): Html {
  const { mailPages: words, common } = viewer.texts;
  const tabs = STATES.map((one) => {
    const count = one === 'sent' ? 0 : counts[one];
    return html`<li><a href="/dashboard/mail?state=${one}"${one === state ? html` aria-current="page"` : ''}>${words.states[one]}${count > 0 && html` <span class="badge${one === 'dead' ? html` bad` : ''}">${count === MOST_COUNTED ? `${viewer.number(count - 1)}+` : viewer.number(count)}</span>`}</a></li>`;
  });
  const path = `/dashboard/mail?state=${state}`;
  return html`<nav aria-label="${words.parts}"><ul class="tabs">${tabs}</ul></nav>
<p class="soft small">${words.about[state]}</p>
${
  state === 'dead' &&
  mails.length > 0 &&
  viewer.can('edit') &&
  html`<form method="post" action="/dashboard/mail/retry"><p><button class="quiet">${words.allAgain}</button></p></form>`
}
${mails.length === 0 ? html`<p class="empty">${words.none[state]}</p>` : html`<ul class="list">${mails.map((one) => mailRow(viewer, one))}</ul>`}
${
  (before !== null || hasOlder) &&
  html`<nav class="pager" aria-label="${words.pages}"><span>${before !== null && html`<a href="${path}">${common.newest}</a>`}</span><span>${hasOlder && html`<a href="${path}&amp;before=${mails.at(-1)?.mail.id}" rel="next">${common.older}</a>`}</span></nav>`
}`;
}

function mailRow(viewer: Viewer, { mail, reason }: ShownMail): Html {
  const { mailPages: words } = viewer.texts;
  const kind = words.kinds[mail.kind];
  const whom = mail.recipient ?? words.visitor;
  const hasFailed = mail.state === 'retrying' || mail.state === 'dead';
  return html`<li class="row"><div class="grow">
<p class="flush"><strong>${kind}</strong> ${words.to} <bdi>${whom}</bdi></p>
<p class="flush small soft">${mail.formId !== null && html`<a href="/dashboard/forms/${mail.formId}"><bdi>${mail.formName}</bdi></a> · `}${stateOf(viewer, mail)}</p>
${reason !== null && html`<p class="flush small">${words.said} <q>${reason}</q></p>`}</div>
${mail.submissionId !== null && html`<a class="button quiet" href="/dashboard/submissions/${mail.submissionId}">${words.submission}</a>`}
${hasFailed && viewer.can('edit') && html`<form method="post" action="/dashboard/mail/${mail.id}/retry"><button class="quiet" aria-label="${words.againTo(kind, whom)}">${words.again}</button></form>`}</li>`;
}

/** When it was made, and what became of it since. */
function stateOf(viewer: Viewer, { state, createdAt, dueAt, settledAt, failures }: TeamMail): Html {
  const { mailPages: words } = viewer.texts;
  const made = html`${words.made} ${viewer.time(createdAt)}`;
  if (state === 'retrying') {
    return html`${made} · ${words.failed(failures)} · ${words.next} ${viewer.time(dueAt)}`;
  }
  if (state === 'queued') return dueAt > createdAt ? html`${made} · ${words.due} ${viewer.time(dueAt)}` : made;
  return html`${made} · ${words.settled[state]} ${viewer.time(settledAt ?? createdAt)}`;
}

function testForm(viewer: Viewer, { to, error }: Readonly<{ to: string; error?: string }>): Html {
  const { mailPages: words } = viewer.texts;
  return html`<section class="card" aria-labelledby="test"><h2 id="test">${words.test}</h2>
<p class="soft">${words.testText}</p>
${error !== undefined && html`<p class="error" role="alert">${words.testFailed} ${error}</p>`}
<form method="post" action="/dashboard/mail/test"><div class="field"><label for="to">${words.testTo}</label><div class="row"><input type="email" id="to" name="to" value="${to}" required autocomplete="email"><button>${words.testSend}</button></div></div></form></section>`;
}

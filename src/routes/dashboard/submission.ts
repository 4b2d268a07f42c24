import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/form.ts';
import { replyAddress, type StoredMail } from '../../domain/mail.ts';
import type { Payload, StoredSubmission, UploadedFile } from '../../domain/submission.ts';
import { attachmentHeaders } from '../../http/attachment.ts';
import type { Downloads } from '../../http/downloads.ts';
import { type Html, html } from '../../lib/html.ts';
import { deleteSubmission } from '../../services/delete-submission.ts';
import { markSubmission } from '../../services/mark-submission.ts';
import {
  openStoredFile,
  readFiles,
  readMailReason,
  readPayload,
  readSpamReasons,
} from '../../services/read-submission.ts';
import { flash } from './flash';
import { type InboxList, listAddress, listQuery, readList, selectionOf, submissionAddress } from './inbox-list.ts';
import type { Page } from './layout.ts';
import { briefOf } from './payload-text.ts';
import type { Reader } from './reader.ts';
import { valuesView, valueView } from './submission-values.ts';
import { redirectTo, type SignedInVisit, UNREAD_BODY, type Visits } from './visit.ts';

/** One submission: read, answered, marked, deleted; its files and its mails. */
export function submissionPages(context: Context, visits: Visits, downloads: Downloads) {
  const { store, vault, log, mail, clock } = context;

  /** The submission of the path, its form, and the list that it was opened from, which is its form's if none is named. */
  const find = async ({ team, param }: SignedInVisit, query: URLSearchParams): Promise<Found> => {
    const submission = await store.findSubmission(param('submissionId'), team.id);
    const form = submission && (await store.findForm(submission.formId, team.id));
    if (!form) throw new AppError('not_found', 'There is no such submission in this team.');
    const named = readList(query, form.id);
    const list = named.in === 'inbox' ? named : { ...named, in: form.id, workspace: '', form: '' };
    return { submission, form, list };
  };

  const show = async (visit: SignedInVisit): Promise<Page> => {
    const { reader, team, query } = visit;
    const found = await find(visit, query);
    const { submission, form, list } = found;
    const forms = list.in === 'inbox' ? await store.listForms(team.id) : [form];
    // What is searched for is not looked for beyond the list: that may take long.
    const neighbours =
      list.q === ''
        ? await store.findInboxNeighbours(selectionOf(list, forms, reader.timeZone), submission.createdAt)
        : null;
    const mails = await store.listMailsOf(submission.id);
    const { texts } = reader;
    return {
      title: `${texts.submission.title} · ${form.name}`,
      section: sectionOf(list),
      done: flash(texts.submission.done, query),
      body: submissionView(reader, {
        ...found,
        payload: readPayload(vault, log, submission),
        files: readFiles(vault, log, submission),
        reasons: readSpamReasons(vault, log, submission),
        mails: mails.map((one) => ({ mail: one, reason: readMailReason(vault, log, one) })),
        sendsMail: mail !== null,
        neighbours,
        firstField: Math.max(0, Math.trunc(Number(query.get('fields'))) || 0),
      }),
    };
  };

  const showValue = async (visit: SignedInVisit): Promise<Page> => {
    const { reader, param, query } = visit;
    const { submission, form, list } = await find(visit, query);
    const entry = readPayload(vault, log, submission)?.[Number(param('index'))];
    if (!entry) throw new AppError('not_found', 'There is no such field in this submission.');
    const [name, value] = entry;
    const label = form.fields.find((field) => field.name === name)?.label || name || reader.texts.submission.nameless;
    return {
      title: `${reader.texts.submission.title} · ${form.name}`,
      section: sectionOf(list),
      body: html`<p class="small"><a href="${submissionAddress(submission.id, list)}">${reader.texts.submission.back}</a></p>
<h1><bdi>${label}</bdi></h1><div class="card value">${valueView(reader, value)}</div>`,
    };
  };

  const sendFile = async (visit: SignedInVisit): Promise<Response> => {
    const { submission } = await find(visit, visit.query);
    const file = readFiles(vault, log, submission).find(({ id }) => id === visit.param('fileId'));
    if (!file) throw new AppError('not_found', 'There is no such file in this submission.');
    const bytes = await downloads.begun(visit.session.id, await openStoredFile(context, submission.id, file));
    const headers = attachmentHeaders(file.name, file.contentType, file.id);
    return new Response(bytes, { headers: { ...headers, 'Cache-Control': 'no-store' } });
  };

  const askToDelete = async (visit: SignedInVisit): Promise<Page> => {
    const { submission, list } = await find(visit, visit.query);
    const { inbox: words, common } = visit.reader.texts;
    return {
      title: words.deleteTitle(1),
      section: sectionOf(list),
      body: html`<h1>${words.deleteTitle(1)}</h1><p>${words.deleteText(1)}</p>
<form method="post" action="/dashboard/submissions/${submission.id}/delete" class="row">${listField(list)}<button class="danger">${words.deleteForGood}</button><a class="button quiet" href="${submissionAddress(submission.id, list)}">${common.cancel}</a></form>`,
    };
  };

  /** Does something with the submission of the path, and leads to where it says. */
  const act = (work: (found: Found, visit: SignedInVisit) => Promise<string>) =>
    visits.action(async (visit, sent) => {
      const found = await find(visit, new URLSearchParams(sent.get('list') ?? ''));
      return redirectTo(await work(found, visit));
    });

  const backHere = ({ submission, list }: Found, done: string) =>
    `${submissionAddress(submission.id, list)}&done=${done}`;

  const sendAgain = async (found: Found, { param }: SignedInVisit): Promise<string> => {
    const mails = await store.listMailsOf(found.submission.id);
    const meant = mails.find(({ id, state }) => id === param('mailId') && state !== 'sent');
    if (!meant) throw new AppError('not_found', 'There is no such mail of this submission that is not sent.');
    await store.retryMails({ id: meant.id });
    mail?.outbox.wake();
    return backHere(found, 'sending');
  };

  const mark = (isSpam: boolean) =>
    act(async (found, { team, note }) => {
      await markSubmission(context, found.submission.id, isSpam, team.id);
      note({ is_spam: isSpam });
      mail?.outbox.wake();
      return backHere(found, isSpam ? 'spam' : 'genuine');
    });

  const path = '/dashboard/submissions/:submissionId';
  return (
    new Elysia()
      .get(path, visits.page(show))
      .get(`${path}/values/:index`, visits.page(showValue))
      .get(`${path}/files/:fileId`, visits.page(sendFile))
      .get(`${path}/delete`, visits.page(askToDelete))
      .post(
        `${path}/delete`,
        act(async ({ submission, list }, { team }) => {
          await deleteSubmission(context, submission.id, team.id);
          return listAddress(list, { done: 'deleted' });
        }),
        UNREAD_BODY,
      )
      .post(
        `${path}/read`,
        act(async (found, { team }) => {
          await store.markRead([found.submission.id], team.id, clock());
          return backHere(found, 'read');
        }),
        UNREAD_BODY,
      )
      // Not back to its page: opening that marks it as read.
      .post(
        `${path}/unread`,
        act(async ({ submission, list }, { team }) => {
          await store.markRead([submission.id], team.id, null);
          return listAddress(list, { done: 'unread' });
        }),
        UNREAD_BODY,
      )
      .post(`${path}/spam`, mark(true), UNREAD_BODY)
      .post(`${path}/genuine`, mark(false), UNREAD_BODY)
      .post(`${path}/mails/:mailId/send`, act(sendAgain), UNREAD_BODY)
  );
}

type Found = Readonly<{ submission: StoredSubmission; form: Form; list: InboxList }>;

type Shown = Found &
  Readonly<{
    /** As it may be shown; null if it cannot be read. */
    payload: Payload | null;
    files: readonly UploadedFile[];
    reasons: readonly string[];
    mails: readonly MailShown[];
    sendsMail: boolean;
    /** Null where the list is not gone through. */
    neighbours: Readonly<{ newer: string | null; older: string | null }> | null;
    firstField: number;
  }>;

type MailShown = Readonly<{ mail: StoredMail; reason: string | null }>;

function sectionOf(list: InboxList): 'inbox' | 'forms' {
  return list.in === 'inbox' ? 'inbox' : 'forms';
}

function listField(list: InboxList): Html {
  return html`<input type="hidden" name="list" value="${listQuery(list)}">`;
}

function submissionView(reader: Reader, shown: Shown): Html {
  const { submission, form, list, payload, neighbours, firstField } = shown;
  const { submission: words, inbox } = reader.texts;
  const { id, isSpam } = submission;
  const who = payload === null ? inbox.damaged : briefOf(form, payload).who || inbox.nobody;
  return html`<div class="head"><p class="small"><a href="${listAddress(list)}">${words.backToList}</a></p>
${neighbours && neighboursView(reader, list, neighbours)}</div>
<h1><bdi>${who}</bdi></h1>
<p class="soft"><a href="/dashboard/forms/${form.id}"><bdi>${form.name}</bdi></a> · ${reader.time(submission.createdAt)}${isSpam && html` · <span class="badge bad">${inbox.parts.spam}</span>`}</p>
${actionsView(reader, shown)}
<section class="card" aria-labelledby="sent"><h2 id="sent">${words.sent}</h2>
${
  payload === null
    ? html`<p class="error">${words.damaged}</p>`
    : valuesView(reader, form, payload, {
        first: firstField,
        addressOf: (index) => submissionAddress(id, list, `/values/${index}`),
        addressFrom: (index) => `${submissionAddress(id, list)}${index > 0 ? `&fields=${index}` : ''}`,
      })
}
</section>
${filesView(reader, shown)}
${(isSpam || shown.reasons.length > 0) && reasonsView(reader, shown)}
${mailsView(reader, shown)}
<p class="soft small">${words.id} <code>${id}</code></p>`;
}

function neighboursView(
  { texts }: Reader,
  list: InboxList,
  { newer, older }: NonNullable<Shown['neighbours']>,
): Html | null {
  const { submission: words } = texts;
  if (newer === null && older === null) return null;
  return html`<nav class="row" aria-label="${words.neighbours}">${newer !== null && html`<a href="${submissionAddress(newer, list)}" rel="prev">${words.newer}</a>`}
${older !== null && html`<a href="${submissionAddress(older, list)}" rel="next">${words.older}</a>`}</nav>`;
}

function actionsView({ texts, may }: Reader, { submission, form, list, payload }: Shown): Html {
  const { submission: words, inbox, common } = texts;
  const { id, isSpam, readAt } = submission;
  const button = (action: 'read' | 'unread' | 'spam' | 'genuine', hook: Html | false = false) =>
    may(`POST /dashboard/submissions/:submissionId/${action}`) &&
    html`<form method="post" action="/dashboard/submissions/${id}/${action}"${hook}>${listField(list)}<button class="quiet">${inbox.actions[action]}</button></form>`;
  const isUnread = readAt === null;
  const address = payload && replyAddress(payload);
  return html`<div class="row actions">${address && !isMasked(address) && html`<a class="button" href="${mailTo(address, words.answer(form.name))}">${words.reply}</a>`}
${isUnread && button('read', html` data-when-opened="unread"`)}${button('unread', html` id="unread"${isUnread && html` hidden`}`)}
${button(isSpam ? 'genuine' : 'spam')}
${may('GET /dashboard/submissions/:submissionId/delete') && html`<a class="button quiet" href="${submissionAddress(id, list, '/delete')}">${common.delete}</a>`}</div>`;
}

/** Parts of an address that look like a card number are shown as stars; it leads nowhere then. */
function isMasked(address: string): boolean {
  return address.includes('***');
}

function mailTo(address: string, subject: string): string {
  const [user = '', domain = ''] = address.split('@');
  return `mailto:${encodeURIComponent(user)}@${domain}?subject=${encodeURIComponent(subject)}`;
}

function filesView(reader: Reader, { submission, files }: Shown): Html | null {
  const { submission: words } = reader.texts;
  if (submission.files === null) return null;
  const rows = files.map(
    ({ id, name, field, contentType, size }) =>
      html`<tr><th scope="row"><bdi>${name || id}</bdi><span class="hint"><bdi>${field}</bdi></span></th><td>${contentType}</td><td class="number">${reader.size(size)}</td><td><a href="/dashboard/submissions/${submission.id}/files/${id}" download aria-label="${words.downloadOf(name || id)}">${words.download}</a></td></tr>`,
  );
  return html`<section class="card" aria-labelledby="files"><h2 id="files">${words.files}</h2>
${
  files.length === 0
    ? html`<p class="error">${words.filesDamaged}</p>`
    : html`<div class="scroll" tabindex="0" role="group" aria-labelledby="files"><table><thead><tr><th scope="col">${words.fileName}</th><th scope="col">${words.fileType}</th><th scope="col" class="number">${words.fileSize}</th><th scope="col"><span class="visually-hidden">${words.download}</span></th></tr></thead><tbody>${rows}</tbody></table></div>`
}</section>`;
}

function reasonsView({ texts }: Reader, { submission, reasons }: Shown): Html {
  const { submission: words } = texts;
  const isHeldBack = submission.isSpam && reasons.length > 0;
  return html`<section class="card" aria-labelledby="spam"><h2 id="spam">${words.spamTitle}</h2>
${
  reasons.length === 0
    ? html`<p>${words.markedByYou}</p>`
    : html`<p>${words.flagged}</p><ul>${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`
}
${isHeldBack && html`<p class="soft small">${words.heldBack}</p>`}</section>`;
}

function mailsView(reader: Reader, { submission, list, mails, sendsMail }: Shown): Html {
  const { submission: words } = reader.texts;
  const rows = mails.map(({ mail, reason }) => {
    const { id, kind, recipient, state } = mail;
    const whom = kind === 'auto_reply' ? words.toVisitor : words.toOwner(recipient ?? '');
    const again =
      state !== 'sent' &&
      reader.may('POST /dashboard/submissions/:submissionId/mails/:mailId/send') &&
      html`<form method="post" action="/dashboard/submissions/${submission.id}/mails/${id}/send">${listField(list)}<button class="quiet small" aria-label="${words.sendAgainTo(whom)}">${words.sendAgain}</button></form>`;
    return html`<li><span><bdi>${whom}</bdi></span> <span>${mailState(reader, mail)}${reason !== null && html`: <bdi>${reason}</bdi>`}</span>${again}</li>`;
  });
  return html`<section class="card" aria-labelledby="mails"><h2 id="mails">${words.mails}</h2>
${mails.length === 0 ? html`<p class="soft">${submission.isSpam ? words.noMailsOfSpam : words.noMails}</p>` : html`<ul class="mails">${rows}</ul>`}
${mails.some(({ mail }) => mail.state !== 'sent') && !sendsMail && html`<p class="note">${words.noServer}</p>`}</section>`;
}

function mailState(reader: Reader, { state, dueAt, settledAt }: StoredMail): Html {
  const { mailStates: words } = reader.texts.submission;
  if (state === 'sent')
    return html`<span class="badge good">${words.sent}</span> ${settledAt !== null && reader.time(settledAt)}`;
  if (state === 'dead')
    return html`<span class="badge bad">${words.dead}</span> ${settledAt !== null && reader.time(settledAt)}`;
  if (state === 'retrying') return html`<span class="badge">${words.retrying}</span> ${words.at} ${reader.time(dueAt)}`;
  return html`<span class="badge">${words.queued}</span>`;
}

import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { addressFinder, parsePersonAddress } from '../../domain/person.ts';
import { attachmentHeaders } from '../../http/attachment.ts';
import type { Downloads } from '../../http/downloads.ts';
import { HOUR, type Micros, parseTime } from '../../lib/clock.ts';
import { type Html, html } from '../../lib/html.ts';
import { newId } from '../../lib/ids.ts';
import { Semaphore } from '../../lib/semaphore';
import {
  type ErasureCounts,
  erasePerson,
  foundSubmissions,
  newCounts,
  newSearch,
  type PersonSearch,
  personLines,
  type Receipt,
  searchPerson,
} from '../../services/erasure.ts';
import type { Chunks, Progress } from '../../services/export.ts';
import { archiveFiles } from '../../services/export-files.ts';
import { isTaken, lineInput } from './inputs.ts';
import type { Page } from './layout.ts';
import type { Reader } from './reader.ts';
import { redirectTo, type SignedInVisit, UNREAD_BODY, type Visits } from './visit.ts';

/** A search for a person, and what became of it. It is in memory alone, since it holds the address. */
type Erasure = {
  readonly id: string;
  readonly userId: string;
  readonly teamId: string;
  readonly address: string;
  readonly search: PersonSearch;
  readonly counts: ErasureCounts;
  step: 'searching' | 'found' | 'deleting' | 'broken';
  receipt: Receipt | null;
};

const KEPT: Micros = HOUR;
const MOST_KEPT = 50;
/** How long an action waits for its work before it shows how far that is. */
const PATIENCE_MS = 500;

/** Finds everything that a team's forms took in from a person, gives it out and deletes it. */
export function erasePages(context: Context, visits: Visits, downloads: Downloads) {
  const { store, clock, log } = context;
  const deps = { ...context, semaphore: new Semaphore(1) };
  const erasures = new Map<string, Erasure>();

  const keep = (erasure: Erasure) => {
    for (const { id, search, step } of erasures.values()) {
      if (step === 'deleting') continue;
      if (Math.abs(clock() - search.startedAt) > KEPT || erasures.size >= MOST_KEPT) erasures.delete(id);
    }
    erasures.set(erasure.id, erasure);
  };

  const ownErasure = ({ param, user, team }: SignedInVisit): Erasure => {
    const erasure = erasures.get(param('erasureId'));
    const isOwn = erasure?.userId === user.id && erasure.teamId === team.id;
    if (erasure && isOwn && Math.abs(clock() - erasure.search.startedAt) <= KEPT) return erasure;
    throw new AppError('not_found', 'There is no such search any more. Please search again.');
  };

  const foundErasure = (visit: SignedInVisit): Erasure => {
    const erasure = ownErasure(visit);
    if (erasure.step === 'found' && erasure.receipt === null && erasure.search.times.length > 0) return erasure;
    throw new AppError('not_found', 'Nothing that was found is there any more. Please search again.');
  };

  /** Works on while pages show how far it is. */
  const workOn = async (erasure: Erasure, step: 'searching' | 'deleting', work: () => Promise<void>) => {
    erasure.step = step;
    const working = work().then(
      () => {
        erasure.step = 'found';
      },
      (error: unknown) => {
        erasure.step = 'broken';
        log.error('erasing a person broke off', { team: erasure.teamId, step, error: String(error) });
      },
    );
    await Promise.race([working, Bun.sleep(PATIENCE_MS)]);
    return redirectTo(`/dashboard/erase/${erasure.id}`);
  };

  const searchPage = ({ texts }: Reader, typed = '', fault?: string): Page => {
    const { erase: words } = texts;
    const input = { name: 'address', label: words.address, hint: words.addressHint, value: typed, fault };
    return {
      title: words.title,
      section: 'team',
      status: fault === undefined ? 200 : 400,
      body: html`<h1>${words.title}</h1><p class="soft">${words.intro}</p>
${fault !== undefined && html`<p class="error" role="alert">${fault}</p>`}
<form class="card" method="post" action="/dashboard/erase">
${lineInput(input, html`inputmode="email" spellcheck="false" autocapitalize="none" required maxlength="254"`)}
<div class="row"><button>${words.search}</button></div></form>`,
    };
  };

  const download = (format: 'jsonl' | 'zip') =>
    visits.page((visit) => {
      const erasure = foundErasure(visit);
      const progress: Progress = { step: 'writing', submissions: 0, atMost: erasure.search.times.length };
      visit.note({ found: erasure.search.times.length });
      const { archive } = visit.reader.texts.exportForm;
      const pieces: Chunks =
        format === 'jsonl'
          ? personLines(deps, erasure.search, progress)
          : archiveFiles(deps, foundSubmissions(deps, erasure.search), progress, archive);
      const contentType = format === 'jsonl' ? 'application/jsonl; charset=utf-8' : 'application/zip';
      const name = `person.${format}`;
      return new Response(downloads.of(visit.session.id, pieces), {
        headers: { ...attachmentHeaders(name, contentType, name), 'Cache-Control': 'no-store' },
      });
    });

  return new Elysia()
    .get(
      '/dashboard/erase',
      visits.page(({ reader }) => searchPage(reader)),
    )
    .post(
      '/dashboard/erase',
      visits.action(async ({ reader, user, team, note }, sent) => {
        const typed = sent.get('address') ?? '';
        if (!isTaken(() => parsePersonAddress(typed))) return searchPage(reader, typed, reader.texts.erase.wrong);
        const erasure: Erasure = {
          id: newId('erase'),
          userId: user.id,
          teamId: team.id,
          address: parsePersonAddress(typed),
          search: newSearch(clock),
          counts: newCounts(),
          step: 'searching',
          receipt: null,
        };
        keep(erasure);
        note({ erasure_id: erasure.id });
        return workOn(erasure, 'searching', () => searchPerson(deps, erasure, erasure.search));
      }),
      UNREAD_BODY,
    )
    .get(
      '/dashboard/erase/:erasureId',
      visits.page(async (visit) => {
        const erasure = ownErasure(visit);
        const forms = await store.listForms(erasure.teamId);
        const hasAddress = addressFinder(erasure.address);
        const notified = forms.filter(({ notify }) => notify.some(hasAddress)).map(({ name }) => name);
        const { title } = visit.reader.texts.erase;
        return { title, section: 'team', body: erasureView(visit.reader, erasure, notified) };
      }),
    )
    .get('/dashboard/erase/:erasureId/export.jsonl', download('jsonl'))
    .get('/dashboard/erase/:erasureId/export.zip', download('zip'))
    .get(
      '/dashboard/erase/:erasureId/delete',
      visits.page((visit) => {
        const erasure = ownErasure(visit);
        const isOpen = erasure.step === 'found' && erasure.receipt === null && erasure.search.times.length > 0;
        return isOpen ? questionPage(visit.reader, erasure) : redirectTo(`/dashboard/erase/${erasure.id}`);
      }),
    )
    .post(
      '/dashboard/erase/:erasureId/delete',
      visits.action(async (visit) => {
        const erasure = foundErasure(visit);
        visit.note({ found: erasure.search.times.length });
        const answer = await workOn(erasure, 'deleting', async () => {
          erasure.receipt = await erasePerson(deps, erasure, erasure.search, erasure.counts);
          const { submissions, files, mails } = erasure.receipt;
          log.info('a person was erased', { erasure: erasure.id, team: erasure.teamId, submissions, files, mails });
        });
        // One that takes longer is recorded with what it has done by now; the log has the rest.
        const { submissions, files, mails } = erasure.counts;
        visit.note({ submissions, files, mails });
        return answer;
      }),
      UNREAD_BODY,
    )
    .get(
      '/dashboard/erase/:erasureId/receipt.json',
      visits.page((visit) => {
        const { receipt } = ownErasure(visit);
        if (!receipt) throw new AppError('not_found', 'There is no receipt yet.');
        const headers = attachmentHeaders('receipt.json', 'application/json', 'receipt.json');
        return new Response(`${JSON.stringify(receipt, null, 2)}\n`, {
          headers: { ...headers, 'Cache-Control': 'no-store' },
        });
      }),
    );
}

/** A script looks again by itself as long as there is `data-follow`. */
function erasureView(reader: Reader, erasure: Erasure, notified: readonly string[]): Html {
  const { erase: words } = reader.texts;
  const { step, receipt, address } = erasure;
  const isUnderWay = step === 'searching' || step === 'deleting';
  return html`<h1>${words.title}</h1>
<p>${words.lookedFor}: <strong>${address}</strong></p>
<p class="visually-hidden" role="status" id="erasure-said"></p>
<div class="stack" id="erasure"${isUnderWay && html` data-follow`}>
${step === 'broken' && html`<p class="error" role="alert">${words.broken}</p>`}
${isUnderWay && underWayView(reader, erasure)}
${step === 'found' && (receipt ? receiptView(reader, erasure.id, receipt) : foundView(reader, erasure))}
${
  !isUnderWay &&
  html`<section class="card" aria-labelledby="elsewhere"><h2 id="elsewhere">${words.elsewhere}</h2>
${notified.length > 0 && html`<p>${words.notified(notified)}</p>`}
<p class="flush">${words.others}</p></section>
<p><a href="/dashboard/erase">${words.another}</a></p>`
}</div>`;
}

function underWayView({ texts, number }: Reader, { id, step, search, counts }: Erasure): Html {
  const { erase: words } = texts;
  const [done, all] = step === 'deleting' ? [counts.scanned, search.times.length] : [search.scanned, search.atMost];
  const text =
    step === 'deleting'
      ? words.deleting(number(done), number(all))
      : words.searching(number(done), number(Math.max(done, all)), number(search.times.length));
  return html`<div class="card"><p>${text}</p>
<progress max="${Math.max(1, all)}" value="${Math.min(done, all)}" aria-label="${text}"></progress>
<p class="flush"><a class="button quiet" href="/dashboard/erase/${id}">${words.again}</a></p></div>`;
}

function foundView({ texts, number }: Reader, { id, search }: Erasure): Html {
  const { erase: words } = texts;
  const count = search.times.length;
  const looked = number(search.scanned);
  const path = `/dashboard/erase/${id}`;
  return html`<section class="card"><p class="flush"><strong>${count === 0 ? words.none(looked) : words.found(count, number(count), looked)}</strong></p>
${search.unreadable > 0 && html`<p class="flush">${words.unreadable(number(search.unreadable))}</p>`}
<p class="soft small flush">${words.forgotten}</p></section>
${
  count > 0 &&
  html`<section class="card" aria-labelledby="give"><h2 id="give">${words.exportTitle}</h2><p>${words.exportText}</p>
<div class="row"><a class="button quiet" href="${path}/export.jsonl" download>${words.exportLines}</a>
<a class="button quiet" href="${path}/export.zip" download>${words.exportFiles}</a></div></section>
<section class="card" aria-labelledby="gone"><h2 id="gone">${words.deleteTitle(count, number(count))}</h2><p>${words.deleteText}</p>
<div class="row"><a class="button danger" href="${path}/delete">${words.deleteStep}</a></div></section>`
}`;
}

function questionPage({ texts, number }: Reader, { id, address, search }: Erasure): Page {
  const { erase: words } = texts;
  const title = words.deleteTitle(search.times.length, number(search.times.length));
  return {
    title,
    section: 'team',
    body: html`<h1>${title}</h1><p>${words.lookedFor}: <strong>${address}</strong></p><p>${words.finalText}</p>
<form method="post" action="/dashboard/erase/${id}/delete" class="row">
<button class="danger">${words.confirm}</button><a class="button quiet" href="/dashboard/erase/${id}">${texts.common.cancel}</a></form>`,
  };
}

function receiptView({ texts, number, time }: Reader, id: string, receipt: Receipt): Html {
  const { erase: words } = texts;
  const at = (text: string) => time(parseTime(text) ?? 0);
  const row = (name: string, value: string | Html, text: string | null = null) =>
    html`<dt>${name}</dt><dd>${value}${text && html` <span class="soft small">(${text})</span>`}</dd>`;
  return html`<section class="card" aria-labelledby="receipt"><h2 id="receipt">${words.receipt}</h2>
<dl class="facts">${row(words.submissions, number(receipt.submissions))}${row(words.files, number(receipt.files))}
${receipt.files_left > 0 && row(words.filesLeft, number(receipt.files_left), words.filesLeftText)}
${row(words.mails, number(receipt.mails))}
${receipt.mails_under_way > 0 && row(words.underWay, number(receipt.mails_under_way), words.underWayText)}
${row(words.searchedAt, at(receipt.searched_at))}${row(words.erasedAt, at(receipt.erased_at))}${row(words.hash, receipt.address_hash)}</dl>
${receipt.unreadable > 0 && html`<p>${words.unreadable(number(receipt.unreadable))}</p>`}
${!receipt.log_cleared && html`<p>${words.logNotCleared}</p>`}
<p>${words.receiptText}</p>
<div class="row"><a class="button" href="/dashboard/erase/${id}/receipt.json" download>${words.download}</a></div></section>`;
}

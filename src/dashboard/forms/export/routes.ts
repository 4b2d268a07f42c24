import type { Context } from '../../../context.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Form } from '../../../domain/form.ts';
import { formatLocalTime, startOfDate } from '../../../domain/time-zone.ts';
import { attachmentHeaders } from '../../../http/attachment.ts';
import type { Downloads } from '../../../http/downloads.ts';
import { type Html, html } from '../../../lib/html.ts';
import { Semaphore } from '../../../lib/semaphore.ts';
import { type Export, jsonLines, type Progress, runExport } from '../../../services/export.ts';
import { csvExport } from '../../../services/export-csv.ts';
import { archiveExport } from '../../../services/export-files.ts';
import type { ExportSpan, ExportState } from '../../../storage/store.ts';
import { type PageContext, page } from '../../page.ts';
import { formHead } from '../../ui/form-head.ts';
import type { Page } from '../../ui/layout.tsx';
import type { Viewer } from '../../viewer.ts';

const STATES: readonly ExportState[] = ['genuine', 'spam', 'all'];

const FORMATS = {
  csv: { contentType: 'text/csv; charset=utf-8; header=present', make: (_: Viewer, form: Form) => csvExport(form) },
  jsonl: { contentType: 'application/jsonl; charset=utf-8', make: (): Export => jsonLines },
  zip: { contentType: 'application/zip', make: ({ texts }: Viewer) => archiveExport(texts.exportForm.archive) },
} as const;

type Format = keyof typeof FORMATS;

/** What a form took in, as a file to save. */
export function exportRoutes(context: Context, downloads: Downloads) {
  const { store, clock } = context;
  const deps = { ...context, semaphore: new Semaphore(1) };
  const runs = new Runs();

  const ownForm = async ({ team, param }: PageContext<'read'>): Promise<Form> => {
    const form = await store.findForm(param('formId'), team.id);
    if (form) return form;
    throw new AppError('not_found', 'There is no such form in this team.');
  };

  const exportPage = async (page: PageContext<'read'>, error?: string): Promise<Page> => {
    const form = await ownForm(page);
    const { viewer, query } = page;
    return {
      title: `${viewer.texts.form.export} · ${form.name}`,
      section: 'forms',
      status: error === undefined ? 200 : 400,
      body: exportView(viewer, form, typedIn(query), error),
    };
  };

  const download = (format: Format) => async (page: PageContext<'read'>) => {
    const form = await ownForm(page);
    const { viewer, query, user, session } = page;
    const span = spanOf(viewer, form, typedIn(query));
    if ('error' in span) return exportPage(page, span.error);
    const { contentType, make } = FORMATS[format];
    const progress = runs.start(`${user.id} ${form.id} ${query.get('run')}`);
    const today = formatLocalTime(clock(), viewer.timeZone).slice(0, 10);
    const name = `${form.name.replace(/[/\\]/g, '-')} ${today}.${format}`;
    const body = downloads.stream(session.id, runExport(deps, make(viewer, form), span, progress));
    return new Response(body, {
      headers: { ...attachmentHeaders(name, contentType, `${form.id}.${format}`), 'Cache-Control': 'no-store' },
    });
  };

  return [
    page('/dashboard/forms/:formId/export', { access: 'read' }, (page) => exportPage(page)),
    page('/dashboard/forms/:formId/export.csv', { access: 'read', audit: 'export.csv' }, download('csv')),
    page('/dashboard/forms/:formId/export.jsonl', { access: 'read', audit: 'export.jsonl' }, download('jsonl')),
    page('/dashboard/forms/:formId/export.zip', { access: 'read', audit: 'export.zip' }, download('zip')),
    page('/dashboard/forms/:formId/export/progress', { access: 'read' }, async (page) => {
      const form = await ownForm(page);
      const progress = runs.find(`${page.user.id} ${form.id} ${page.query.get('run')}`);
      if (!progress) throw new AppError('not_found', 'There is no such export.');
      return Response.json(shownProgress(page.viewer, progress), { headers: { 'Cache-Control': 'no-store' } });
    }),
  ];
}

/** The exports that pages ask after, by who runs what under a name that the page made up; the oldest are forgotten. */
class Runs {
  readonly #runs = new Map<string, Progress>();

  start(name: string): Progress {
    const progress: Progress = { step: 'looking', submissions: 0, atMost: 0 };
    const [oldest] = this.#runs.keys();
    if (oldest !== undefined && this.#runs.size >= MAX_RUNS) this.#runs.delete(oldest);
    this.#runs.set(name, progress);
    return progress;
  }

  find(name: string): Progress | undefined {
    return this.#runs.get(name);
  }
}

const MAX_RUNS = 200;

function shownProgress({ texts, number }: Viewer, { step, submissions, atMost }: Progress) {
  const words = texts.exportForm.progress[step];
  return {
    text: words(number(submissions), number(Math.max(submissions, atMost))),
    share: step === 'done' ? 1 : Math.min(1, submissions / Math.max(1, atMost)),
    isOver: step === 'done' || step === 'broken',
  };
}

type Typed = Readonly<{ state: ExportState; from: string; to: string }>;

function typedIn(query: URLSearchParams): Typed {
  return {
    state: STATES.find((known) => known === query.get('state')) ?? 'genuine',
    from: (query.get('from') ?? '').trim(),
    to: (query.get('to') ?? '').trim(),
  };
}

/** From the beginning of the first day to the end of the last, in the viewer's zone. */
function spanOf(
  { timeZone, texts }: Viewer,
  form: Form,
  { state, from, to }: Typed,
): ExportSpan | Readonly<{ error: string }> {
  const begin = from === '' ? 0 : startOfDate(from, timeZone);
  const end = to === '' ? Number.MAX_SAFE_INTEGER : startOfDate(to, timeZone, 1);
  if (begin === null || end === null) return { error: texts.exportForm.noDate };
  if (begin >= end) return { error: texts.exportForm.reversed };
  return { formId: form.id, state, from: begin, until: end };
}

function exportView(viewer: Viewer, form: Form, { state, from, to }: Typed, error?: string): Html {
  const { exportForm: words } = viewer.texts;
  const path = `/dashboard/forms/${form.id}/export`;
  const formats = (Object.keys(FORMATS) as Format[]).map(
    (format) => html`<li class="row"><div class="grow"><h3 id="as-${format}">${words.formats[format].name}</h3>
<p class="soft small flush">${words.formats[format].text}</p></div>
<button formaction="${path}.${format}">${words.formats[format].download}</button></li>`,
  );
  return html`${formHead(viewer, form, 'export')}
<p class="soft">${words.intro}</p>
<div class="stack"><form method="get" action="${path}.csv" data-progress="${path}/progress" data-lost="${words.lost}">
${error !== undefined && html`<p class="error" role="alert">${error}</p>`}
<section class="card" aria-labelledby="which"><h2 id="which">${words.which}</h2>
<fieldset><legend>${words.state}</legend>
${STATES.map((one) => html`<label class="choice"><input type="radio" name="state" value="${one}"${one === state ? html` checked` : ''}> ${words.states[one]}</label>`)}
</fieldset>
<div class="grid">
<div class="field"><label for="from">${words.from}</label><input type="date" id="from" name="from" value="${from}" aria-describedby="days"></div>
<div class="field"><label for="to">${words.to}</label><input type="date" id="to" name="to" value="${to}" aria-describedby="days"></div>
</div>
<p class="hint" id="days">${words.days(viewer.timeZone)}</p></section>
<section class="card" aria-labelledby="how"><h2 id="how">${words.how}</h2>
<input type="hidden" name="run">
<div class="stack"><ul class="list">${formats}</ul>
<div data-shown hidden><p class="flush" data-text></p><progress max="1" value="0" aria-label="${words.howFar}"></progress><p class="visually-hidden" role="status"></p></div></div>
</section></form>
<details class="card"><summary>${words.about}</summary><ul>${words.facts.map((fact) => html`<li>${fact}</li>`)}</ul></details></div>`;
}

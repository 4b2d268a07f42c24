/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SharedContext } from '../../context/server-context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/forms/form.ts';
import { formatLocalTime } from '../../domain/users/time-zone.ts';
import { attachment } from '../../http/attachment.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { type Export, jsonLines, type Progress, runExport } from '../../services/exports/export.ts';
import { csvExport, spreadsheetCsvExport } from '../../services/exports/export-csv.ts';
import { archiveExport } from '../../services/exports/export-files.ts';
import { type SpreadsheetOptions, XLSX_TYPE } from '../../services/exports/spreadsheet.ts';
import { type DashboardRoute, findForm, type Page, type PageContext, page } from '../page.ts';
import type { Viewer } from '../viewer.ts';
import { ExportView, type Format, getInput, getSelection, type Input } from './export-view.tsx';
import { EXPORT_FORM_TEXTS } from './texts.ts';

type Make = (viewer: Viewer, form: Form, input: Input, query: URLSearchParams) => Export | Promise<Export>;

const FORMATS: Readonly<Record<Format, Readonly<{ contentType: string; make: Make }>>> = {
  csv: {
    contentType: 'text/csv; charset=utf-8; header=present',
    make: (viewer, form, input, query) =>
      query.get('for') === 'people'
        ? spreadsheetCsvExport(getOptions(viewer, form, input))
        : csvExport(form, input.choice),
  },
  xlsx: {
    contentType: XLSX_TYPE,
    make: async (viewer, form, input) => {
      const { xlsxExport } = await import('../../services/exports/export-xlsx.ts');
      return xlsxExport(getOptions(viewer, form, input));
    },
  },
  jsonl: { contentType: 'application/jsonl; charset=utf-8', make: () => jsonLines },
  zip: { contentType: 'application/zip', make: ({ language }) => archiveExport(EXPORT_FORM_TEXTS[language].archive) },
};

function getOptions({ texts, language, timeZone }: Viewer, form: Form, { choice, extras }: Input): SpreadsheetOptions {
  return { form, choice, extras, timeZone, words: { ...texts.values, ...EXPORT_FORM_TEXTS[language].table } };
}

/** Exports of a form's submissions. */
export function exportRoutes({ clock }: SharedContext): readonly DashboardRoute[] {
  const semaphore = new Semaphore(1);
  const runs = new Runs();

  const exportPage = async (page: PageContext<'read'>, error?: string): Promise<Page> => {
    const form = await findForm(page);
    const { viewer, query } = page;
    return {
      title: `${viewer.texts.form.export} · ${form.name}`,
      section: 'forms',
      status: error === undefined ? 200 : 400,
      body: <ExportView viewer={viewer} form={form} input={getInput(query)} error={error} />,
    };
  };

  const download = (format: Format) => async (page: PageContext<'read'>) => {
    const form = await findForm(page);
    const { viewer, user, team, requireAccess } = page;
    const input = getInput(page.query);
    const selection = getSelection(viewer, form, input);
    if ('error' in selection) return exportPage(page, selection.error);
    const { contentType, make } = FORMATS[format];
    const exported = await make(viewer, form, input, page.query);
    const progress = runs.start(runName(page, form));
    const today = formatLocalTime(clock(), viewer.timeZone).slice(0, 10);
    const name = `${form.name.replace(/[/\\]/g, '-')} ${today}.${format}`;
    const chunks = runExport({ ...page.context, semaphore }, exported, selection, progress);
    const body = page.context.downloads.stream(user.id, team.id, chunks, requireAccess);
    return attachment(body, name, contentType, `${form.id}.${format}`);
  };

  const showProgress = async (page: PageContext<'read'>): Promise<Response> => {
    const progress = runs.find(runName(page, await findForm(page)));
    if (!progress) throw new AppError('not_found', 'There is no such export.');
    return Response.json(serializeProgress(page.viewer, progress), { headers: { 'Cache-Control': 'no-store' } });
  };

  return [
    page('/dashboard/forms/:formId/export', { access: 'read' }, (page) => exportPage(page)),
    ...(['csv', 'xlsx', 'jsonl', 'zip'] as const).map((format) =>
      page(
        `/dashboard/forms/:formId/export.${format}`,
        { access: 'read', audit: `export.${format}` },
        download(format),
      ),
    ),
    page('/dashboard/forms/:formId/export/progress', { access: 'read' }, showProgress),
  ];
}

/** Returns the name of an export's run. The script of the page makes up the last part. */
function runName({ user, query }: PageContext<'read'>, form: Form): string {
  return `${user.id} ${form.id} ${query.get('run')}`;
}

const MAX_RUNS = 200;

/** Progress of exports by name. Forgets the oldest beyond `MAX_RUNS`. */
export class Runs {
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

/** Returns the progress as the script of the page reads it. */
function serializeProgress({ language, number }: Viewer, { step, submissions, atMost }: Progress) {
  const text = EXPORT_FORM_TEXTS[language].progress[step];
  return {
    text: text(number(submissions), number(Math.max(submissions, atMost))),
    share: step === 'done' ? 1 : Math.min(1, submissions / Math.max(1, atMost)),
    isOver: step === 'done' || step === 'broken',
  };
}

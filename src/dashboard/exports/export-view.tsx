/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import { startOfDate } from '../../domain/users/time-zone.ts';
import { EXTRA_COLUMNS } from '../../services/exports/spreadsheet.ts';
import type { ExportSpan, ExportState } from '../../storage/records.ts';
import { Card, ErrorMessage, LinkLine } from '../ui/elements.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { FormHead } from '../ui/form-head.tsx';
import { Choice, LineInput, SelectInput } from '../ui/form-inputs.tsx';
import type { Viewer } from '../viewer.ts';
import { EXPORT_FORM_TEXTS } from './texts.ts';

/** Kinds of files that few need: the extension, and for CSV its reader. */
const OTHER_KINDS = [
  { key: 'people', format: 'csv' },
  { key: 'csv', format: 'csv' },
  { key: 'jsonl', format: 'jsonl' },
  { key: 'zip', format: 'zip' },
] as const;

/** A file format; also its extension. */
export type Format = 'xlsx' | (typeof OTHER_KINDS)[number]['format'];

/** Longest names of all fields together: beyond it, the choice of columns would not fit into an address. */
const MAX_NAMES_LENGTH = 2_000;

type Props = Readonly<{ viewer: Viewer; form: Form; input: Input; error: string | undefined }>;

/** The page that exports a form's submissions. */
export function ExportView(props: Props) {
  const { viewer, form, error } = props;
  const t = EXPORT_FORM_TEXTS[viewer.language];
  const path = getPath(form);
  return (
    <>
      <FormHead viewer={viewer} form={form} current="export" />
      <p class="soft">{t.intro}</p>
      <div class="stack">
        <form method="get" action={`${path}.csv`} data-progress={`${path}/progress`} data-lost={t.lost}>
          <ErrorMessage error={error} />
          <div class="beside">
            <Selection {...props} />
            <Formats viewer={viewer} form={form} />
          </div>
        </form>
      </div>
    </>
  );
}

const getPath = ({ id }: Form): string => `/dashboard/forms/${id}/export`;

function Selection({ viewer, form, input }: Props) {
  const t = EXPORT_FORM_TEXTS[viewer.language];
  const states = STATES.map((state) => [state, t.states[state]] as const);
  return (
    <Card id="which" title={t.which}>
      <SelectInput name="state" label={t.state} value={input.state} options={states} />
      <div class="grid">
        <LineInput type="date" name="from" label={t.from} value={input.from} aria-describedby="days" />
        <LineInput type="date" name="to" label={t.to} value={input.to} aria-describedby="days" />
      </div>
      <p class="hint" id="days">
        {t.days(viewer.timeZone)}
      </p>
      <ColumnChoice viewer={viewer} form={form} input={input} />
    </Card>
  );
}

/** The columns of XLSX and CSV, folded if all are chosen. */
function ColumnChoice({ viewer, form, input: { choice, extras } }: Pick<Props, 'viewer' | 'form' | 'input'>) {
  const t = EXPORT_FORM_TEXTS[viewer.language];
  const length = form.fields.reduce((sum, { name }) => sum + name.length, 0);
  const fields = length > MAX_NAMES_LENGTH ? [] : form.fields;
  return (
    <details class="export-columns" open={choice !== null || extras.length > 0}>
      <summary>{t.columns}</summary>
      {fields.length > 0 && <input type="hidden" name="columns" value="chosen" />}
      <fieldset>
        <legend class="visually-hidden">{t.columns}</legend>
        <p class="hint">{t.columnsHint}</p>
        {fields.map(({ name, label }) => (
          <Choice name="column" value={name} checked={choice?.names.has(name) ?? true} text={label || name} />
        ))}
        {fields.length > 0 && (
          <Choice name="others" value="yes" checked={choice?.others ?? true} text={t.otherFields} />
        )}
        {EXTRA_COLUMNS.map((column) => (
          <Choice name="extra" value={column} checked={extras.includes(column)} text={t.table[column]} />
        ))}
      </fieldset>
    </details>
  );
}

function Formats({ viewer, form }: Pick<Props, 'viewer' | 'form'>) {
  const t = EXPORT_FORM_TEXTS[viewer.language];
  return (
    <Card id="how" title={t.how}>
      <input type="hidden" name="run" />
      <div class="stack">
        <p class="soft flush" id="as-xlsx">
          {t.formats.xlsx.text}
        </p>
        <button formaction={`${getPath(form)}.xlsx`} aria-describedby="as-xlsx">
          {t.formats.xlsx.download}
        </button>
        <details>
          <summary>{t.otherFormats}</summary>
          <EntryList items={OTHER_KINDS}>
            {({ key, format }) => (
              <li class="row">
                <p class="grow soft small flush" id={`as-${key}`}>
                  {t.formats[key].text}
                </p>
                <button
                  class="quiet"
                  formaction={`${getPath(form)}.${format}`}
                  aria-describedby={`as-${key}`}
                  {...(key === 'people' && { name: 'for', value: 'people' })}
                >
                  {t.formats[key].download}
                </button>
              </li>
            )}
          </EntryList>
        </details>
        <LinkLine href="/docs/exports-and-erasure#exports" text={t.about} isSmall />
        {/* The script fills and unhides the progress of a running export. */}
        <div data-shown="" hidden>
          <p class="flush" data-text="" />
          <progress max={1} value={0} aria-label={t.howFar} />
          <p class="visually-hidden" role="status" />
        </div>
      </div>
    </Card>
  );
}

export const STATES: readonly ExportState[] = ['genuine', 'maybe', 'spam', 'all', 'trashed'];

export type Input = ReturnType<typeof getInput>;

/** Reads the query. `from` and `to` are dates, or empty for no limit; `choice` is null for all columns. */
export function getInput(query: URLSearchParams) {
  return {
    state: STATES.find((state) => state === query.get('state')) ?? 'genuine',
    from: (query.get('from') ?? '').trim(),
    to: (query.get('to') ?? '').trim(),
    extras: EXTRA_COLUMNS.filter((column) => query.getAll('extra').includes(column)),
    choice: query.has('columns') ? { names: new Set(query.getAll('column')), others: query.has('others') } : null,
  };
}

/** Returns the selected submissions, from the start of the first day to the end of the last, or an error. */
export function getSelection(
  { timeZone, language }: Viewer,
  form: Form,
  { state, from, to }: Input,
): ExportSpan | Readonly<{ error: string }> {
  const begin = from === '' ? 0 : startOfDate(from, timeZone);
  const end = to === '' ? Number.MAX_SAFE_INTEGER : startOfDate(to, timeZone, 1);
  if (begin === null || end === null) return { error: EXPORT_FORM_TEXTS[language].noDate };
  if (begin >= end) return { error: EXPORT_FORM_TEXTS[language].reversed };
  return { formId: form.id, state, from: begin, until: end };
}

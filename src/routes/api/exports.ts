import { Elysia, t } from 'elysia';
import type { Context } from '../../context.ts';
import { attachment } from '../../http/attachment.ts';
import type { Downloads } from '../../http/downloads.ts';
import { FormParams } from '../../http/params.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { jsonLines, type Progress, runExport } from '../../services/export.ts';
import { csvExport } from '../../services/export-csv.ts';
import { requireForm } from './find-form.ts';
import type { KeyGuard } from './key-guard.ts';
import { exportOperation } from './openapi/submission-operations.ts';
import { Since, SpamFlag, timeOf, Until } from './query.ts';

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
} as const;

const Selection = t.Object(
  {
    format: t.String({
      pattern: '^(?:csv|jsonl)$',
      error: 'format must be csv or jsonl.',
      publishedAs: {
        description: '`csv` has a column for each field, `jsonl` one submission per line in the format of the API.',
        type: 'string',
        enum: ['csv', 'jsonl'],
      },
    }),
    since: Since,
    until: Until,
    spam: SpamFlag('`true` includes submissions flagged as spam. Without it, or with `false`, they are left out.'),
  },
  { additionalProperties: true },
);

/** Registers the export of a form's submissions. */
export function exportRoutes(context: Context, guard: KeyGuard, downloads: Downloads) {
  const { store } = context;
  const deps = { ...context, semaphore: new Semaphore(1) };
  return new Elysia().use(guard).get(
    '/v1/forms/:formId/export',
    async ({ teamId, key, params, query, note, requireValidKey }) => {
      const { since, until, spam } = query;
      const format = query.format === 'csv' ? 'csv' : 'jsonl';
      const from = since === undefined ? 0 : timeOf('since', since);
      const end = until === undefined ? Number.MAX_SAFE_INTEGER : timeOf('until', until);
      const form = await requireForm(store, params.formId, teamId);
      const span = { formId: form.id, state: spam === 'true' ? 'all' : 'genuine', from, until: end } as const;
      const progress: Progress = { step: 'looking', submissions: 0, atMost: 0 };
      const chunks = runExport(deps, format === 'csv' ? csvExport(form) : jsonLines, span, progress);
      const body = downloads.stream(key.id, teamId, chunks, requireValidKey);
      note({ form_id: form.id }, { action: format === 'csv' ? 'export.csv' : 'export.jsonl' });
      return attachment(body, `${form.id}.${format}`, CONTENT_TYPES[format]);
    },
    { detail: exportOperation, params: FormParams, query: Selection },
  );
}

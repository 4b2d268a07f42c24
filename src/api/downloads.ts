import { Type } from '@sinclair/typebox';
import { notFound } from '../domain/errors.ts';
import { attachment } from '../http/attachment.ts';
import { jsonLines, type Progress, runExport } from '../services/exports/export.ts';
import { csvExport } from '../services/exports/export-csv.ts';
import { openStoredFile, readFiles } from '../services/submissions/read-submission.ts';
import { requireForm } from './find.ts';
import { parseTimeParam, queryObject, Since, spamFlag, withMessage } from './input.ts';
import { operation } from './operation.ts';

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
} as const;

export const downloadOperations = [
  operation('GET', '/v1/forms/:formId/export', {
    id: 'exportSubmissions',
    summary: 'Export submissions',
    description:
      'Returns the submissions of a form as a file, oldest first, without limit. An export that fails is aborted, so that a ' +
      'truncated file never looks complete. Besides the rate of reads, a key has a rate of exports: a twentieth of it.',
    rate: 'export',
    query: queryObject({
      format: withMessage(Type.String({ pattern: '^(?:csv|jsonl)$' }), 'format must be csv or jsonl.', {
        description: '`csv` has a column for each field, `jsonl` one submission per line in the format of the API.',
        type: 'string',
        enum: ['csv', 'jsonl'],
      }),
      since: Since,
      until: Type.Optional(
        Type.String({ description: 'An RFC 3339 timestamp. Only submissions created before this time are returned.' }),
      ),
      spam: spamFlag('`true` includes submissions flagged as spam. Without it, or with `false`, they are left out.'),
    }),
    output: {
      description: 'The file.',
      content: { 'text/csv': { schema: { type: 'string' } }, 'application/jsonl': { schema: { type: 'string' } } },
    },
    run: async ({ context, turns, teamId, key, params, query, note, requireValidKey }) => {
      const format = query.format === 'csv' ? 'csv' : 'jsonl';
      const from = parseTimeParam('since', query.since, 0);
      const until = parseTimeParam('until', query.until, Number.MAX_SAFE_INTEGER);
      const form = await requireForm(context.store, params.formId, teamId);
      const span = { formId: form.id, state: query.spam === 'true' ? 'all' : 'genuine', from, until } as const;
      const progress: Progress = { step: 'looking', submissions: 0, atMost: 0 };
      const deps = { ...context, semaphore: turns.exports };
      const chunks = runExport(deps, format === 'csv' ? csvExport(form) : jsonLines, span, progress);
      const body = context.downloads.stream(key.id, teamId, chunks, requireValidKey);
      note({ form_id: form.id }, { action: format === 'csv' ? 'export.csv' : 'export.jsonl' });
      return attachment(body, `${form.id}.${format}`, CONTENT_TYPES[format]);
    },
  }),
  operation('GET', '/v1/submissions/:submissionId/files/:fileId', {
    id: 'readFile',
    summary: 'Download a file',
    description:
      'Returns the content of an uploaded file as an attachment. If the stored file turns out to be damaged, the download is aborted.',
    output: {
      description: 'The content of the file.',
      content: { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
    },
    errors: ['file_damaged'],
    run: async ({ context, teamId, key, params, requireValidKey }) => {
      const submission = await context.store.submissions.find(params.submissionId, teamId);
      const files = submission ? readFiles(context.vault, context.log, submission) : [];
      const file = files.find(({ id }) => id === params.fileId);
      if (!submission || !file) throw notFound('There is no such file in this team.');
      const stored = await openStoredFile(context, submission.id, file);
      const bytes = await context.downloads.streamPrefetched(key.id, stored, requireValidKey);
      return attachment(bytes, file.name, file.contentType, file.id);
    },
  }),
];

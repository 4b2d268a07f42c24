import { DENY_ALL_CSP } from '../../../http/base-headers.ts';
import { managed } from './operation.ts';
import { refTo } from './schemas.ts';

const FORM_ID = 'frm_01a1fd5b4a6f76be834e4aeb4b78f669';
const SUBMISSION_ID = 'sub_01a1fd5c9641704595cdd5dffe05afc5';
const CREATED_AT = '2026-11-21T08:00:00.000123Z';

const ITEM = {
  id: SUBMISSION_ID,
  form_id: FORM_ID,
  created_at: CREATED_AT,
  is_spam: false,
  data: { email: 'ada@example.com', message: 'Hello' },
  file_metadata: null,
  is_read: false,
};

export const listAllSubmissionsOperation = managed({
  operationId: 'listAllSubmissions',
  summary: 'List submissions of all forms',
  description:
    'Returns the submissions of all forms of the team, or of one, in pages, newest first. To get the next page, pass ' +
    '`next_cursor` as `before`, until it is null.',
  tag: 'Submissions',
  data: { schema: refTo('TeamSubmissionPage'), example: { items: [ITEM], next_cursor: CREATED_AT } },
  refusals: ['invalid_input', 'not_found'],
});

export const changeSubmissionOperation = managed({
  operationId: 'changeSubmission',
  summary: 'Mark a submission',
  description: 'Marks a submission as spam or genuine, or as read or unread. Send at least one of the properties.',
  tag: 'Submissions',
  writes: true,
  data: { schema: refTo('ChangedSubmission'), example: { id: SUBMISSION_ID, is_spam: false, is_read: true } },
  refusals: ['invalid_input', 'not_found', 'body_too_large', 'unsupported_content_type', 'server_busy'],
});

export const deleteSubmissionsOperation = managed({
  operationId: 'deleteSubmissions',
  summary: 'Delete submissions',
  description:
    "Permanently deletes up to 100 submissions and their files. An unknown id deletes nothing. This does not reduce the team's usage.",
  tag: 'Submissions',
  writes: true,
  data: { schema: refTo('DeletedSubmissions'), example: { ids: [SUBMISSION_ID], deleted: true } },
  refusals: ['invalid_input', 'not_found', 'body_too_large', 'server_busy'],
});

export const exportOperation = managed({
  operationId: 'exportSubmissions',
  summary: 'Export submissions',
  description:
    'Returns the submissions of a form as a file, oldest first, without limit. An export that fails is aborted, so that a ' +
    'truncated file never looks complete. Besides the rate of reads, a key has a rate of exports: a twentieth of it.',
  tag: 'Submissions',
  response: {
    description: 'The file.',
    headers: {
      'Content-Disposition': {
        description: 'The file name (RFC 6266).',
        required: true,
        schema: { type: 'string', pattern: '^attachment; ' },
      },
      'Content-Security-Policy': {
        description: 'Keeps browsers from running code in the file.',
        required: true,
        schema: { const: `${DENY_ALL_CSP}; sandbox` },
      },
    },
    content: { 'text/csv': { schema: { type: 'string' } }, 'application/jsonl': { schema: { type: 'string' } } },
  },
  refusals: ['invalid_input', 'not_found'],
});

import { DENY_ALL_CSP } from '../../../http/base-headers.ts';
import { managed } from './operation.ts';
import { refTo } from './schemas.ts';

const FORM_ID = 'frm_01a1fd5b4a6f76be834e4aeb4b78f669';
const SUBMISSION_ID = 'sub_01a1fd5c9641704595cdd5dffe05afc5';
const FILE_ID = 'file_01a1fd5c964170d7a9e1b2c3d4e5f607';
const CREATED_AT = '2026-11-21T08:00:00.000123Z';

const FORM = { id: FORM_ID, name: 'Contact', short_id: '7437krmt', created_at: CREATED_AT };

const SUBMISSION = {
  id: SUBMISSION_ID,
  created_at: CREATED_AT,
  is_spam: false,
  data: { email: 'ada@example.com', message: 'My card is ************4242.' },
  file_metadata: {
    files: [
      {
        id: FILE_ID,
        field: 'cv',
        name: 'cv.pdf',
        content_type: 'application/pdf',
        size: 48_213,
        sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      },
    ],
  },
};

export const listFormsOperation = managed({
  operationId: 'listForms',
  summary: 'List forms',
  description: 'All forms of the team, oldest first.',
  tag: 'Forms',
  data: { schema: { type: 'array', items: refTo('Form') }, example: [FORM] },
});

export const readFormOperation = managed({
  operationId: 'readForm',
  summary: 'Read a form',
  description: 'One form with its field configuration.',
  tag: 'Forms',
  data: {
    schema: refTo('FormDetail'),
    example: { ...FORM, is_active: true, fields: [{ name: 'email', label: 'E-mail', type: 'email', required: true }] },
  },
  refusals: ['not_found'],
});

export const changeFormOperation = managed({
  operationId: 'changeForm',
  summary: 'Rename, pause or resume a form',
  description: 'At least one of `name` and `isActive`. A paused form refuses submissions until it is resumed.',
  tag: 'Forms',
  writes: true,
  data: { schema: refTo('ChangedForm'), example: { id: FORM_ID, name: 'Contact', is_active: false } },
  refusals: ['invalid_input', 'not_found', 'body_too_large'],
});

export const listSubmissionsOperation = managed({
  operationId: 'listSubmissions',
  summary: "Page through a form's submissions",
  description: 'Newest first. Pass `next_cursor` as `before` until it is null: each submission comes exactly once.',
  tag: 'Submissions',
  data: { schema: refTo('SubmissionPage'), example: { items: [SUBMISSION], next_cursor: CREATED_AT } },
  refusals: ['invalid_input', 'not_found'],
});

export const readSubmissionOperation = managed({
  operationId: 'readSubmission',
  summary: 'Read a submission',
  description: 'The same as in the list.',
  tag: 'Submissions',
  data: { schema: refTo('Submission'), example: SUBMISSION },
  refusals: ['not_found'],
});

export const readFileOperation = managed({
  operationId: 'readFile',
  summary: 'Download a file',
  description: 'The bytes as they were sent, always as an attachment. A file that was damaged on the disk breaks off.',
  tag: 'Submissions',
  answer: {
    description: 'The file.',
    headers: {
      'Content-Disposition': {
        description: 'The name to save it under (RFC 6266).',
        required: true,
        schema: { type: 'string', pattern: '^attachment; ' },
      },
      'X-Content-Type-Options': { description: 'A stranger made it.', required: true, schema: { const: 'nosniff' } },
      'Content-Security-Policy': {
        description: 'Nothing in it runs, should a browser show it.',
        required: true,
        schema: { const: `${DENY_ALL_CSP}; sandbox` },
      },
    },
    content: { '*/*': { schema: { type: 'string', contentMediaType: 'application/octet-stream' } } },
  },
  refusals: ['not_found', 'file_damaged'],
});

export const deleteSubmissionOperation = managed({
  operationId: 'deleteSubmission',
  summary: 'Delete a submission',
  description: 'For good, with its files. Its unit of usage is not given back.',
  tag: 'Submissions',
  writes: true,
  data: { schema: refTo('DeletedSubmission'), example: { id: SUBMISSION_ID, deleted: true } },
  refusals: ['not_found'],
});

export const listWorkspacesOperation = managed({
  operationId: 'listWorkspaces',
  summary: 'List workspaces',
  description: 'All workspaces of the team, oldest first.',
  tag: 'Workspaces',
  data: {
    schema: { type: 'array', items: refTo('Workspace') },
    example: [{ id: 'wsp_01a1fd5b4a6e71d29c3a5b7c9d1e3f50', name: 'Website', created_at: CREATED_AT }],
  },
});

export const readUsageOperation = managed({
  operationId: 'readUsage',
  summary: "Read this month's usage",
  description: 'Submissions accepted since the month began in UTC, against the limit of the plan.',
  tag: 'Usage',
  data: {
    schema: refTo('Usage'),
    example: {
      period_start: '2026-11-01T00:00:00.000000Z',
      period_end: '2026-12-01T00:00:00.000000Z',
      submissions_used: 412,
      submissions_limit: 5000,
      remaining: 4588,
    },
  },
});

import { DEFAULT_SETTINGS } from '../../../domain/form.ts';
import { serializeSettings } from '../../../domain/form-settings.ts';
import { DENY_ALL_CSP } from '../../../http/base-headers.ts';
import { IF_MATCH, managed } from './operation.ts';
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

const WORKSPACE = { id: 'wsp_01a1fd5b4a6e71d29c3a5b7c9d1e3f50', name: 'Website', created_at: CREATED_AT };

export const listFormsOperation = managed({
  operationId: 'listForms',
  summary: 'List forms',
  description: 'Returns all forms of the team, sorted by creation time, oldest first.',
  tag: 'Forms',
  data: { schema: { type: 'array', items: refTo('Form') }, example: [FORM] },
});

export const readFormOperation = managed({
  operationId: 'readForm',
  summary: 'Retrieve a form',
  description: 'Returns a form with the configuration of its fields.',
  tag: 'Forms',
  data: {
    schema: refTo('FormDetail'),
    example: { ...FORM, is_active: true, fields: [{ name: 'email', label: 'Email', type: 'email', required: true }] },
  },
  refusals: ['not_found'],
});

export const changeFormOperation = managed({
  operationId: 'changeForm',
  summary: 'Update a form',
  description:
    'Renames, pauses or resumes a form. Send at least one of `name` and `isActive`. A paused form does not accept submissions.',
  tag: 'Forms',
  writes: true,
  data: { schema: refTo('ChangedForm'), example: { id: FORM_ID, name: 'Contact', is_active: false } },
  refusals: ['invalid_input', 'not_found', 'body_too_large', 'unsupported_content_type', 'server_busy'],
});

const SETTINGS = {
  ...serializeSettings(DEFAULT_SETTINGS),
  notify_when: {},
  challenge: null,
  challenge_verify_url: null,
  challenge_secret: null,
};

export const readFormSettingsOperation = managed({
  operationId: 'getFormSettings',
  summary: 'Retrieve the settings of a form',
  description: 'Returns the settings of a form without its fields. A stored secret is shown as `true`.',
  tag: 'Forms',
  data: { schema: refTo('FormSettings'), example: SETTINGS },
  refusals: ['not_found'],
});

export const changeFormSettingsOperation = managed({
  operationId: 'changeFormSettings',
  summary: 'Update the settings of a form',
  description:
    'Changes the given settings; the others stay. With the `ETag` of the settings as `If-Match`, nothing changes if somebody else has changed them since.',
  tag: 'Forms',
  writes: true,
  data: { schema: refTo('FormSettings'), example: { ...SETTINGS, thread_mails: true } },
  parameters: [IF_MATCH],
  refusals: [
    'invalid_input',
    'not_found',
    'precondition_failed',
    'body_too_large',
    'unsupported_content_type',
    'server_busy',
  ],
});

const FORM_DETAIL = { ...FORM, is_active: true, fields: [] };

export const createFormOperation = managed({
  operationId: 'createForm',
  summary: 'Create a form',
  description:
    'Creates a form without configured fields, so it accepts any. Fields can be configured in the dashboard or with a command.',
  tag: 'Forms',
  writes: true,
  creates: true,
  data: { schema: refTo('FormDetail'), example: FORM_DETAIL },
  refusals: ['invalid_input', 'not_found', 'body_too_large', 'server_busy'],
});

export const deleteFormOperation = managed({
  operationId: 'deleteForm',
  summary: 'Delete a form',
  description:
    'Moves a form with its submissions to the trash. Its endpoint then answers 404. It can be restored for 30 days.',
  tag: 'Forms',
  writes: true,
  data: { schema: refTo('Deleted'), example: { id: FORM_ID, deleted: true } },
  refusals: ['not_found'],
});

export const restoreFormOperation = managed({
  operationId: 'restoreForm',
  summary: 'Restore a form',
  description: 'Takes a form with its submissions out of the trash. Returns 404 for a form that is not in the trash.',
  tag: 'Forms',
  writes: true,
  data: { schema: refTo('FormDetail'), example: FORM_DETAIL },
  refusals: ['not_found'],
});

export const listSubmissionsOperation = managed({
  operationId: 'listSubmissions',
  summary: 'List submissions',
  description:
    'Returns the submissions of a form in pages, newest first. To get the next page, pass `next_cursor` as `before`; it is ' +
    'null on the last page. Each submission is returned once, even if others are added or deleted meanwhile.',
  tag: 'Submissions',
  data: { schema: refTo('SubmissionPage'), example: { items: [SUBMISSION], next_cursor: CREATED_AT } },
  refusals: ['invalid_input', 'not_found'],
});

export const readSubmissionOperation = managed({
  operationId: 'readSubmission',
  summary: 'Retrieve a submission',
  description: 'Returns a submission in the same format as the list.',
  tag: 'Submissions',
  data: { schema: refTo('Submission'), example: SUBMISSION },
  refusals: ['not_found'],
});

export const readFileOperation = managed({
  operationId: 'readFile',
  summary: 'Download a file',
  description:
    'Returns the content of an uploaded file as an attachment. If the stored file turns out to be damaged, the download is aborted.',
  tag: 'Submissions',
  response: {
    description: 'The content of the file.',
    headers: {
      'Content-Disposition': {
        description: 'The file name (RFC 6266).',
        required: true,
        schema: { type: 'string', pattern: '^attachment; ' },
      },
      'X-Content-Type-Options': {
        description: 'Keeps browsers from guessing the content type.',
        required: true,
        schema: { const: 'nosniff' },
      },
      'Content-Security-Policy': {
        description: 'Keeps browsers from running code in the file.',
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
  description: "Permanently deletes a submission and its files. This does not reduce the team's usage.",
  tag: 'Submissions',
  writes: true,
  data: { schema: refTo('DeletedSubmission'), example: { id: SUBMISSION_ID, deleted: true } },
  refusals: ['not_found'],
});

export const listWorkspacesOperation = managed({
  operationId: 'listWorkspaces',
  summary: 'List workspaces',
  description: 'Returns all workspaces of the team, sorted by creation time, oldest first.',
  tag: 'Workspaces',
  data: {
    schema: { type: 'array', items: refTo('Workspace') },
    example: [WORKSPACE],
  },
});

export const createWorkspaceOperation = managed({
  operationId: 'createWorkspace',
  summary: 'Create a workspace',
  description: 'Creates an empty workspace.',
  tag: 'Workspaces',
  writes: true,
  creates: true,
  data: { schema: refTo('Workspace'), example: WORKSPACE },
  refusals: ['invalid_input', 'body_too_large', 'server_busy'],
});

export const renameWorkspaceOperation = managed({
  operationId: 'renameWorkspace',
  summary: 'Rename a workspace',
  description: 'Changes the name of a workspace.',
  tag: 'Workspaces',
  writes: true,
  data: { schema: refTo('Workspace'), example: WORKSPACE },
  refusals: ['invalid_input', 'not_found', 'body_too_large', 'unsupported_content_type', 'server_busy'],
});

export const deleteWorkspaceOperation = managed({
  operationId: 'deleteWorkspace',
  summary: 'Delete a workspace',
  description:
    'Deletes an empty workspace. Returns 409 if it has forms or is the only one of the team. Its forms in the trash move ' +
    'to another workspace.',
  tag: 'Workspaces',
  writes: true,
  data: { schema: refTo('Deleted'), example: { id: WORKSPACE.id, deleted: true } },
  refusals: ['not_found', 'conflict'],
});

export const readKeyOperation = managed({
  operationId: 'readKey',
  summary: 'Retrieve the API key',
  description: 'Returns the API key of the request, with its team and plan. Use it to test a connection.',
  tag: 'API keys',
  data: {
    schema: refTo('Key'),
    example: {
      id: 'key_01a1fd5b4a6f7c3a9d1e3f50b2c4d6e8',
      name: 'Zapier',
      scope: 'read_write',
      expires_at: null,
      team: { id: 'team_01a1fd5b4a6e7a2b8c4d6e8f0a1b3c5d', name: 'Studio' },
      plan: 'pro',
      form_ids: null,
    },
  },
});

export const readUsageOperation = managed({
  operationId: 'readUsage',
  summary: 'Retrieve usage',
  description:
    "Returns the number of submissions accepted in the current calendar month (UTC) and the limit of the team's plan.",
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

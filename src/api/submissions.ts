import { type Static, Type } from '@sinclair/typebox';
import { noSuch } from '../domain/errors.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { noun, Time } from '../lib/schema.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { deleteSubmission } from '../services/submissions/delete-submission.ts';
import { markSubmission } from '../services/submissions/mark-submission.ts';
import { SubmissionOutput, serializeSubmission } from '../services/submissions/serialize-submission.ts';
import { requireForm, requireSubmission } from './find.ts';
import * as input from './input.ts';
import { listFormIds, MAX_PAGE_BYTES, pageJson, pageOfSubmissions } from './list-submissions.ts';
import { operation } from './operation.ts';
import { CREATED_AT, Deleted, FORM_ID, pageSchema, SUBMISSION_ID, serializeDeleted } from './shared-schemas.ts';

const MAX_QUERY = 200;
const MAX_DELETED = 100;

const TeamSubmission = noun(
  'TeamSubmission',
  {
    ...SubmissionOutput.properties,
    form_id: Type.String(),
    is_read: Type.Boolean({ description: 'True if the submission is marked as read in the dashboard.' }),
  },
  {
    example: {
      id: SUBMISSION_ID,
      form_id: FORM_ID,
      created_at: CREATED_AT,
      is_spam: false,
      data: { email: 'ada@example.com', message: 'Hello' },
      file_metadata: null,
      is_read: false,
    },
  },
);

export const submissionOperations = [
  operation('GET', '/v1/forms/:formId/submissions', {
    id: 'listSubmissions',
    summary: 'List submissions',
    description:
      'Returns the submissions of a form in pages, newest first. To get the next page, pass `next_cursor` as `before`; it is ' +
      'null on the last page. Each submission is returned once, even if others are added or deleted meanwhile.',
    query: input.queryObject(input.PAGE),
    output: pageSchema(SubmissionOutput, 'Submissions', Time),
    run: async ({ context, turns, teamId, params, query }) => {
      const limit = Number(query.limit ?? input.DEFAULT_LIMIT);
      const before = input.parseTimeParam('before', query.before, null);
      const { id } = await requireForm(context.store, params.formId, teamId);
      return turns.pages.run(async () => {
        const read = { before, limit, maxBytes: MAX_PAGE_BYTES };
        const { items, hasMore } = (await context.store.submissions.list(teamId, id, read)) ?? noSuch('form');
        // Parsed payloads live one at a time.
        const texts = await mapYielding(items, (item) => JSON.stringify(serializeSubmission(context, item)));
        return pageJson(texts, hasMore ? (items.at(-1)?.createdAt ?? null) : null);
      });
    },
  }),
  operation('GET', '/v1/submissions', {
    id: 'listAllSubmissions',
    summary: 'List submissions of all forms',
    description:
      'Returns the submissions of all forms of the team, or of one, in pages, newest first. To get the next page, pass ' +
      '`next_cursor` as `before`, until it is null.',
    limitedKeys: 'open',
    query: input.queryObject({
      form: Type.Optional(
        Type.String({ description: 'The ID or short ID of a form. Without it, all forms of the team.' }),
      ),
      q: input.optional(
        Type.String({
          maxLength: MAX_QUERY,
          description:
            'Only submissions that contain all these words, ignoring case, as they are shown. A request searches for a ' +
            'limited time: a page can be short, even empty, and `next_cursor` continues the search.',
        }),
        `q must have at most ${MAX_QUERY} characters.`,
      ),
      spam: input.spamFlag('`true` lists only submissions flagged as spam, `false` only others. Without it, both.'),
      since: input.Since,
      ...input.PAGE,
    }),
    output: pageSchema(TeamSubmission, 'Submissions', Time, 'at the end'),
    errors: ['not_found'],
    run: async ({ context, turns, teamId, query, allowsForm }) => {
      const { form, q = '', spam, since, before, limit = input.DEFAULT_LIMIT } = query;
      const from = input.parseTimeParam('since', since, null);
      const until = input.parseTimeParam('before', before, Number.MAX_SAFE_INTEGER);
      const search = { q: q.trim(), before: until, limit: Number(limit) };
      const part = spam === undefined ? 'all' : spam === 'true' ? 'spam' : 'inbox';
      const formIds = await listFormIds(context.store, teamId, form, allowsForm);
      return pageOfSubmissions(context, turns, { formIds, part, from, until: null }, search, (submission) => {
        const { id, ...rest } = serializeSubmission(context, submission);
        const shown = { id, form_id: submission.formId, ...rest, is_read: submission.readAt !== null };
        return JSON.stringify(shown satisfies Static<typeof TeamSubmission>);
      });
    },
  }),
  operation('GET', '/v1/submissions/:submissionId', {
    id: 'readSubmission',
    summary: 'Retrieve a submission',
    description: 'Returns a submission in the same format as the list.',
    output: SubmissionOutput,
    run: async ({ context, teamId, params }) =>
      serializeSubmission(context, await requireSubmission(context.store, params.submissionId, teamId)),
  }),
  operation('PATCH', '/v1/submissions/:submissionId', {
    id: 'changeSubmission',
    summary: 'Mark a submission',
    description: 'Marks a submission as spam or genuine, or as read or unread. Send at least one of the properties.',
    audit: 'submission.marked',
    body: input.strictObject(
      {
        is_spam: input.flag(
          'is_spam',
          '`true` flags the submission as spam, `false` clears it. The first time a submission is cleared that was flagged on arrival, its notifications are sent.',
        ),
        is_read: input.flag('is_read', 'Marks the submission as read or unread in the dashboard.'),
      },
      { is_spam: false, is_read: true },
    ),
    output: noun('ChangedSubmission', {
      id: Type.String({ example: SUBMISSION_ID }),
      is_spam: Type.Boolean(),
      is_read: Type.Boolean({ example: true }),
    }),
    run: async ({ context, teamId, params: { submissionId: id }, body, note }) => {
      const { store, clock, mail } = context;
      const { is_spam: isSpam, is_read: isRead } = body;
      let submission = await requireSubmission(store, id, teamId);
      if (isSpam === undefined) note({}, { action: null });
      else {
        submission = await markSubmission(context, id, isSpam, teamId);
        mail.outbox.wake();
        note({ is_spam: isSpam });
      }
      if (isRead !== undefined) await store.inbox.markRead([id], teamId, isRead ? clock() : null);
      return { id, is_spam: submission.isSpam, is_read: isRead ?? submission.readAt !== null };
    },
  }),
  operation('POST', '/v1/submissions/delete', {
    id: 'deleteSubmissions',
    summary: 'Delete submissions',
    description:
      "Permanently deletes up to 100 submissions and their files. An unknown id deletes nothing. This does not reduce the team's usage.",
    limitedKeys: 'open',
    audit: 'submission.deleted',
    body: input.strictObject({
      ids: input.list(Type.String(), `ids must be a list of 1 to ${MAX_DELETED} ids.`, {
        minItems: 1,
        maxItems: MAX_DELETED,
        description: 'IDs of submissions. Repeated ids count once.',
        example: [SUBMISSION_ID],
      }),
    }),
    output: noun('DeletedSubmissions', {
      ids: Type.Array(Type.String({ example: SUBMISSION_ID })),
      deleted: Type.Literal(true),
    }),
    errors: ['not_found'],
    run: async ({ context, teamId, body, note, allowsForm }) => {
      const ids = [...new Set(body.ids)];
      const formOf = await context.store.submissions.findForms(ids, teamId);
      if (!ids.every((id) => formOf.has(id) && allowsForm(formOf.get(id) ?? ''))) noSuch('submission');
      note({ count: ids.length });
      for (const id of ids) {
        await deleteSubmission(context, id, teamId);
        await yieldToEventLoop();
      }
      return { ids, deleted: true as const };
    },
  }),
  operation('DELETE', '/v1/submissions/:submissionId', {
    id: 'deleteSubmission',
    summary: 'Delete a submission',
    description: "Permanently deletes a submission and its files. This does not reduce the team's usage.",
    audit: 'submission.deleted',
    output: Deleted,
    example: { id: SUBMISSION_ID },
    run: async ({ context, teamId, params: { submissionId: id } }) => {
      await requireSubmission(context.store, id, teamId);
      if (!(await deleteSubmission(context, id, teamId))) noSuch('submission');
      return serializeDeleted(id);
    },
  }),
];

import { Elysia, t } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { BodyMemory } from '../../http/body-memory.ts';
import { type JsonText, strictObject, success, withMessage } from '../../http/envelope.ts';
import { FormParams, SubmissionParams } from '../../http/params.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { deleteSubmission } from '../../services/delete-submission.ts';
import { formNotFound } from '../../services/forms.ts';
import { markSubmission } from '../../services/mark-submission.ts';
import { serializeSubmission } from '../../services/serialize-submission.ts';
import type { SubmissionPage } from '../../storage/records.ts';
import { requireForm } from './find-form.ts';
import { jsonInput } from './json-input.ts';
import type { KeyGuard } from './key-guard.ts';
import { formIdsOf, parseSearch, SearchQuery, submissionLister } from './list-submissions.ts';
import {
  deleteSubmissionOperation,
  listSubmissionsOperation,
  readSubmissionOperation,
} from './openapi/management-operations.ts';
import {
  changeSubmissionOperation,
  deleteSubmissionsOperation,
  listAllSubmissionsOperation,
} from './openapi/submission-operations.ts';
import { MAX_PAGE_BYTES, pageOf } from './page-json.ts';
import { Before, DEFAULT_LIMIT, Limit, timeOf } from './query.ts';

const Page = t.Object({ limit: Limit, before: Before }, { additionalProperties: true });

const SubmissionPatch = strictObject(
  {
    is_spam: t.Optional(
      withMessage(
        t.Boolean({
          description:
            '`true` flags the submission as spam, `false` clears it. The first time a submission is cleared that was flagged on arrival, its notifications are sent.',
        }),
        'is_spam must be true or false.',
      ),
    ),
    is_read: t.Optional(
      withMessage(
        t.Boolean({ description: 'Marks the submission as read or unread in the dashboard.' }),
        'is_read must be true or false.',
      ),
    ),
  },
  { is_spam: false, is_read: true },
);

const MAX_DELETED = 100;
const IDS_MESSAGE = `ids must be a list of 1 to ${MAX_DELETED} ids.`;

const Deletion = strictObject(
  {
    ids: withMessage(
      t.Array(withMessage(t.String(), IDS_MESSAGE), {
        minItems: 1,
        maxItems: MAX_DELETED,
        description: 'IDs of submissions. Repeated ids count once.',
      }),
      IDS_MESSAGE,
    ),
  },
  { ids: ['sub_01a1fd5c9641704595cdd5dffe05afc5'] },
);

/** Registers the routes to list, read, mark and delete submissions. */
export function submissionRoutes(context: Context, guard: KeyGuard, bodies: BodyMemory) {
  const { store, clock, mail } = context;
  // One page at a time in memory: parsed payloads take several times their size.
  const pages = new Semaphore(1);
  const listAll = submissionLister(context, pages);

  return new Elysia()
    .use(guard)
    .get(
      '/v1/forms/:formId/submissions',
      async ({ teamId, params, query }) => {
        const limit = Number(query.limit ?? DEFAULT_LIMIT);
        const before = query.before === undefined ? null : timeOf('before', query.before);
        const { id } = await requireForm(store, params.formId, teamId);
        const read = () => store.submissions.list(teamId, id, { before, limit, maxBytes: MAX_PAGE_BYTES });
        return pages.run(async () => pageJson(context, (await read()) ?? formNotFound()));
      },
      { detail: listSubmissionsOperation, params: FormParams, query: Page },
    )
    .get(
      '/v1/submissions',
      async ({ teamId, query, allowsForm }) => {
        const search = parseSearch(query);
        return listAll(await formIdsOf(store, teamId, query.form, allowsForm), search);
      },
      { detail: listAllSubmissionsOperation, query: SearchQuery },
    )
    .get(
      '/v1/submissions/:submissionId',
      async ({ teamId, params }) => {
        const submission = (await store.submissions.find(params.submissionId, teamId)) ?? submissionNotFound();
        return success(serializeSubmission(context, submission));
      },
      { detail: readSubmissionOperation, params: SubmissionParams },
    )
    .patch(
      '/v1/submissions/:submissionId',
      async ({ teamId, params, body, note }) => {
        const { submissionId: id } = params;
        const { is_spam: isSpam, is_read: isRead } = body;
        let submission = (await store.submissions.find(id, teamId)) ?? submissionNotFound();
        if (isSpam === undefined) note({}, { action: null });
        else {
          submission = await markSubmission(context, id, isSpam, teamId);
          mail?.outbox.wake();
          note({ is_spam: isSpam });
        }
        if (isRead !== undefined) await store.inbox.markRead([id], teamId, isRead ? clock() : null);
        return success({ id, is_spam: submission.isSpam, is_read: isRead ?? submission.readAt !== null });
      },
      { detail: changeSubmissionOperation, params: SubmissionParams, body: SubmissionPatch, ...jsonInput(bodies) },
    )
    .post(
      '/v1/submissions/delete',
      async ({ teamId, body, note, allowsForm }) => {
        const ids = [...new Set(body.ids)];
        const formOf = await store.submissions.findForms(ids, teamId);
        if (!ids.every((id) => formOf.has(id) && allowsForm(formOf.get(id) ?? ''))) submissionNotFound();
        note({ count: ids.length });
        for (const id of ids) {
          await deleteSubmission(context, id, teamId);
          await yieldToEventLoop();
        }
        return success({ ids, deleted: true });
      },
      { detail: deleteSubmissionsOperation, body: Deletion, ...jsonInput(bodies) },
    )
    .delete(
      '/v1/submissions/:submissionId',
      async ({ teamId, params }) => {
        const isListed = (await store.submissions.find(params.submissionId, teamId)) !== null;
        if (!isListed || !(await deleteSubmission(context, params.submissionId, teamId))) submissionNotFound();
        return success({ id: params.submissionId, deleted: true });
      },
      { detail: deleteSubmissionOperation, params: SubmissionParams },
    );
}

/** Returns the envelope of a page as JSON. Parsed payloads live one at a time. */
async function pageJson(context: Context, { items, hasMore }: SubmissionPage): Promise<JsonText> {
  const texts = await mapYielding(items, (submission) => JSON.stringify(serializeSubmission(context, submission)));
  return pageOf(texts, hasMore ? (items.at(-1)?.createdAt ?? null) : null);
}

function submissionNotFound(): never {
  throw new AppError('not_found', 'There is no such submission in this team.');
}

import { Elysia, t } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { success, withMessage } from '../../http/envelope.ts';
import { FormParams, SubmissionParams } from '../../http/params.ts';
import { parseTime } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { deleteSubmission } from '../../services/delete-submission.ts';
import { serializeSubmission } from '../../services/serialize-submission.ts';
import { formNotFound } from './forms.ts';
import type { KeyGuard } from './key-guard.ts';
import {
  deleteSubmissionOperation,
  listSubmissionsOperation,
  readSubmissionOperation,
} from './openapi/management-operations.ts';

const DEFAULT_LIMIT = 50;
/** A page of large submissions ends before this size of sealed payloads. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

const Page = t.Object(
  {
    limit: t.Optional(
      // A string with a pattern: the framework's conversion to a number would also accept `0x10` and `1e1`.
      withMessage(
        t.String({
          pattern: '^(?:[1-9][0-9]?|100)$',
          publishedAs: {
            description: 'Maximum number of submissions per page. A page ends early at 4 MiB of data.',
            type: 'integer',
            minimum: 1,
            maximum: 100,
            default: DEFAULT_LIMIT,
          },
        }),
        'limit must be an integer from 1 to 100.',
      ),
    ),
    before: t.Optional(
      t.String({
        description:
          'A cursor for pagination: the `next_cursor` of the previous page. Any RFC 3339 timestamp works; ' +
          'only submissions created before it are returned.',
      }),
    ),
  },
  { additionalProperties: true },
);

/** Registers the routes to list, read and delete submissions. */
export function submissionRoutes(context: Context, guard: KeyGuard) {
  const { store } = context;

  return new Elysia()
    .use(guard)
    .get(
      '/v1/forms/:formId/submissions',
      async ({ teamId, params, query }) => {
        const limit = Number(query.limit ?? DEFAULT_LIMIT);
        const before = query.before === undefined ? null : parseCursor(query.before);
        const page = { before, limit, maxBytes: MAX_PAGE_BYTES };
        const found = (await store.listSubmissions(teamId, params.formId, page)) ?? formNotFound();
        const items = await mapYielding(found.items, (submission) => serializeSubmission(context, submission));
        return success({ items, next_cursor: found.hasMore ? (items.at(-1)?.created_at ?? null) : null });
      },
      { detail: listSubmissionsOperation, params: FormParams, query: Page },
    )
    .get(
      '/v1/submissions/:submissionId',
      async ({ teamId, params }) => {
        const submission = (await store.findSubmission(params.submissionId, teamId)) ?? submissionNotFound();
        return success(serializeSubmission(context, submission));
      },
      { detail: readSubmissionOperation, params: SubmissionParams },
    )
    .delete(
      '/v1/submissions/:submissionId',
      async ({ teamId, params }) => {
        if (!(await deleteSubmission(context, params.submissionId, teamId))) submissionNotFound();
        return success({ id: params.submissionId, deleted: true });
      },
      { detail: deleteSubmissionOperation, params: SubmissionParams },
    );
}

function parseCursor(text: string): number {
  const time = parseTime(text);
  if (time === null) {
    throw new AppError('invalid_input', 'before must be an RFC 3339 timestamp such as 2026-11-21T08:00:00.000123Z.');
  }
  return time;
}

function submissionNotFound(): never {
  throw new AppError('not_found', 'There is no such submission in this team.');
}

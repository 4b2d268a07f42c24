import { Elysia, t } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { success, withMessage } from '../../http/envelope.ts';
import { FormParams, SubmissionParams } from '../../http/params.ts';
import { parseTime } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding';
import { deleteSubmission } from '../../services/delete-submission.ts';
import { serializeSubmission } from '../../services/serialize-submission';
import { formNotFound } from './forms.ts';
import type { KeyGuard } from './key-guard.ts';
import {
  deleteSubmissionOperation,
  listSubmissionsOperation,
  readSubmissionOperation,
} from './openapi/management-operations.ts';

const DEFAULT_LIMIT = 50;

const Page = t.Object(
  {
    limit: t.Optional(
      // Text with a pattern, because a framework's conversion to a number would also take `0x10` and `1e1`.
      withMessage(
        t.String({
          pattern: '^(?:[1-9][0-9]?|100)$',
          publishedAs: { description: 'Page size.', type: 'integer', minimum: 1, maximum: 100, default: DEFAULT_LIMIT },
        }),
        'limit takes a whole number from 1 to 100.',
      ),
    ),
    before: t.Optional(
      t.String({
        description:
          'Only those created before this RFC 3339 timestamp, whatever its offset: the `next_cursor` of a page.',
      }),
    ),
  },
  { additionalProperties: true },
);

/** Submissions of the team: page, read, delete. They are opened and masked here. */
export function submissionRoutes(context: Context, guard: KeyGuard) {
  const { store } = context;

  return new Elysia()
    .use(guard)
    .get(
      '/v1/forms/:formId/submissions',
      async ({ teamId, params, query }) => {
        const limit = Number(query.limit ?? DEFAULT_LIMIT);
        const before = query.before === undefined ? null : parseCursor(query.before);
        // One more than asked for tells whether anything older is left.
        const page = { before, limit: limit + 1 };
        const found = (await store.listSubmissions(teamId, params.formId, page)) ?? formNotFound();
        const items = await mapYielding(found.slice(0, limit), (submission) =>
          serializeSubmission(context, submission),
        );
        return success({ items, next_cursor: found.length > limit ? (items.at(-1)?.created_at ?? null) : null });
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
    throw new AppError('invalid_input', 'before takes an RFC 3339 timestamp such as 2026-11-21T08:00:00.000123Z.');
  }
  return time;
}

function submissionNotFound(): never {
  throw new AppError('not_found', 'There is no such submission in this team.');
}

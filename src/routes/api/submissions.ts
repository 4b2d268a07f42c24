import { Elysia, t } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { success, withMessage } from '../../http/envelope.ts';
import { FormParams, SubmissionParams } from '../../http/params.ts';
import { formatTime, parseTime } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { deleteSubmission } from '../../services/delete-submission.ts';
import { formNotFound } from '../../services/forms.ts';
import { serializeSubmission } from '../../services/serialize-submission.ts';
import type { SubmissionPage } from '../../storage/store.ts';
import { requireForm } from './find-form.ts';
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
  // One page at a time in memory: parsed payloads take several times their size.
  const pages = new Semaphore(1);

  return new Elysia()
    .use(guard)
    .get(
      '/v1/forms/:formId/submissions',
      async ({ teamId, params, query }) => {
        const limit = Number(query.limit ?? DEFAULT_LIMIT);
        const before = query.before === undefined ? null : parseCursor(query.before);
        const { id } = await requireForm(store, params.formId, teamId);
        const read = () => store.listSubmissions(teamId, id, { before, limit, maxBytes: MAX_PAGE_BYTES });
        const page = await pages.run(async () => pageJson(context, (await read()) ?? formNotFound()));
        return new Response(page, { headers: { 'Content-Type': 'application/json' } });
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
        const isListed = (await store.findSubmission(params.submissionId, teamId)) !== null;
        if (!isListed || !(await deleteSubmission(context, params.submissionId, teamId))) submissionNotFound();
        return success({ id: params.submissionId, deleted: true });
      },
      { detail: deleteSubmissionOperation, params: SubmissionParams },
    );
}

/** Returns the envelope of a page as JSON. Parsed payloads live one at a time. */
async function pageJson(context: Context, { items, hasMore }: SubmissionPage): Promise<string> {
  const texts = await mapYielding(items, (submission) => JSON.stringify(serializeSubmission(context, submission)));
  const last = hasMore ? items.at(-1) : undefined;
  const cursor = JSON.stringify(last ? formatTime(last.createdAt) : null);
  return `{"success":true,"data":{"items":[${texts.join()}],"next_cursor":${cursor}}}`;
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

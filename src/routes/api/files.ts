import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { attachment } from '../../http/attachment.ts';
import type { Downloads } from '../../http/downloads.ts';
import { FileParams } from '../../http/params.ts';
import { openStoredFile, readFiles } from '../../services/read-submission.ts';
import type { KeyGuard } from './key-guard.ts';
import { readFileOperation } from './openapi/management-operations.ts';

/** Registers the download of uploaded files. */
export function fileRoutes(context: Context, guard: KeyGuard, downloads: Downloads) {
  const { store, vault, log } = context;
  return new Elysia().use(guard).get(
    '/v1/submissions/:submissionId/files/:fileId',
    async ({ teamId, key, params, requireValidKey }) => {
      const submission = await store.submissions.find(params.submissionId, teamId);
      const file = submission && readFiles(vault, log, submission).find(({ id }) => id === params.fileId);
      if (!file) throw new AppError('not_found', 'There is no such file in this team.');
      const stored = await openStoredFile(context, submission.id, file);
      const bytes = await downloads.streamPrefetched(key.id, stored, requireValidKey);
      return attachment(bytes, file.name, file.contentType, file.id);
    },
    { detail: readFileOperation, params: FileParams },
  );
}

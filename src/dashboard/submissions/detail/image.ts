import { AppError } from '../../../domain/errors.ts';
import type { UploadedFile } from '../../../domain/submissions/submission.ts';
import { DENY_ALL_CSP } from '../../../http/base-headers.ts';
import { getImageType, IMAGE_TYPES } from '../../../intake/file-type.ts';
import { openStoredFile } from '../../../services/submissions/read-submission.ts';
import type { PageContext } from '../../page.ts';

/** Larger images are offered for download only. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

const HEADERS = {
  'Content-Disposition': 'inline',
  'Content-Security-Policy': `${DENY_ALL_CSP}; sandbox`,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Tells if a page may show a file as an image. `imageAnswer` checks its content. */
export function isImage({ contentType, size }: UploadedFile): boolean {
  return IMAGE_TYPES.includes(contentType) && size <= MAX_IMAGE_BYTES;
}

/** Streams an image for display. Throws `not_found` for a file that is no image by its content, or too large. */
export async function imageAnswer(
  { context, session, requireAccess }: PageContext<'read'>,
  submissionId: string,
  file: UploadedFile,
): Promise<Response> {
  if (!isImage(file)) throw noImage();
  const stored = await openStoredFile(context, submissionId, file);
  const first = await stored.next();
  const type = first.done ? null : await getImageType(first.value);
  if (first.done || type === null) {
    await stored.return(undefined);
    throw noImage();
  }
  const bytes = await context.downloads.streamPrefetched(session.id, joined(first.value, stored), requireAccess);
  return new Response(bytes, { headers: { ...HEADERS, 'Content-Type': type } });
}

async function* joined(first: Uint8Array, rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

function noImage(): AppError {
  return new AppError('not_found', 'This file is not an image. Download it instead.');
}

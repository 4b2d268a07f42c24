/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../../domain/errors.ts';
import type { Form } from '../../../domain/forms/form.ts';
import type { StoredSubmission, UploadedFile } from '../../../domain/submissions/submission.ts';
import { DENY_ALL_CSP } from '../../../http/base-headers.ts';
import { getImageType, IMAGE_TYPES } from '../../../intake/file-type.ts';
import { openStoredFile } from '../../../services/submissions/read-submission.ts';
import type { PageContext } from '../../page.ts';
import { Card } from '../../ui/elements.tsx';
import type { Viewer } from '../../viewer.ts';
import { SUBMISSION_TEXTS } from './texts.ts';

type Props = Readonly<{
  viewer: Viewer;
  submission: Pick<StoredSubmission, 'id'>;
  form: Form;
  files: readonly UploadedFile[];
}>;

/** The files of a submission. An empty list is an error: it can't be read. */
export function Files({ files, ...props }: Props) {
  const t = SUBMISSION_TEXTS[props.viewer.language];
  return (
    <Card id="files" title={t.files}>
      {files.length === 0 ? (
        <p class="error">{t.filesDamaged}</p>
      ) : (
        <ul class="files">
          {files.map((file) => (
            <FileItem {...props} file={file} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function FileItem({ viewer, submission, form, file }: Omit<Props, 'files'> & Readonly<{ file: UploadedFile }>) {
  const t = SUBMISSION_TEXTS[viewer.language];
  const { id, name, field, contentType, size } = file;
  const path = `/dashboard/submissions/${submission.id}`;
  const label = form.fields.find(({ name }) => name === field)?.label || field;
  return (
    <li>
      {isImage(file) && (
        <a class="thumbnail" href={`${path}/images/${id}`} aria-label={t.imageOf(name || id)}>
          <img src={`${path}/images/${id}`} alt="" loading="lazy" decoding="async" />
        </a>
      )}
      <div>
        <bdi>{name || id}</bdi>
        <span class="hint">
          <bdi>{label}</bdi> · {contentType} · {viewer.size(size)}
        </span>
        <a href={`${path}/files/${id}`} download="" aria-label={t.downloadOf(name || id)}>
          {t.download}
        </a>
      </div>
    </li>
  );
}

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

const noImage = (): AppError => new AppError('not_found', 'This file is not an image. Download it instead.');

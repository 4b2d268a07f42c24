/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import type { StoredSubmission, UploadedFile } from '../../../domain/submissions/submission.ts';
import { Card } from '../../ui/elements.tsx';
import type { Viewer } from '../../viewer.ts';
import { isImage } from './image.ts';

type Props = Readonly<{
  viewer: Viewer;
  submission: Pick<StoredSubmission, 'id'>;
  form: Form;
  files: readonly UploadedFile[];
}>;

/** The files of a submission. An empty list is an error: it can't be read. */
export function Files({ files, ...props }: Props) {
  const { submission: t } = props.viewer.texts;
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
  const { submission: t } = viewer.texts;
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

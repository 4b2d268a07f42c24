/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { UploadedFile } from '../../domain/submission.ts';
import type { Viewer } from '../viewer.ts';

type Props = Readonly<{ viewer: Viewer; submissionId: string; files: readonly UploadedFile[] }>;

/** The files of a submission. An empty list is an error: it can't be read. */
export function Files(props: Props) {
  const { submission: t } = props.viewer.texts;
  return (
    <section class="card" aria-labelledby="files">
      <h2 id="files">{t.files}</h2>
      {props.files.length === 0 ? <p class="error">{t.filesDamaged}</p> : <FileTable {...props} />}
    </section>
  );
}

function FileTable({ viewer, submissionId, files }: Props) {
  const { submission: t } = viewer.texts;
  return (
    <div class="scroll" tabindex={0} role="group" aria-labelledby="files">
      <table>
        <thead>
          <tr>
            <th scope="col">{t.fileName}</th>
            <th scope="col">{t.fileType}</th>
            <th scope="col" class="number">
              {t.fileSize}
            </th>
            <th scope="col">
              <span class="visually-hidden">{t.download}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <FileRow viewer={viewer} submissionId={submissionId} file={file} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FileRow({ viewer, submissionId, file }: Omit<Props, 'files'> & Readonly<{ file: UploadedFile }>) {
  const { submission: t } = viewer.texts;
  const { id, name, field, contentType, size } = file;
  const path = `/dashboard/submissions/${submissionId}/files/${id}`;
  return (
    <tr>
      <th scope="row">
        <bdi>{name || id}</bdi>
        <span class="hint">
          <bdi>{field}</bdi>
        </span>
      </th>
      <td>{contentType}</td>
      <td class="number">{viewer.size(size)}</td>
      <td>
        <a href={path} download="" aria-label={t.downloadOf(name || id)}>
          {t.download}
        </a>
      </td>
    </tr>
  );
}

import { makeZip } from 'client-zip';
import type { StoredSubmission, UploadedFile } from '../../domain/submissions/submission.ts';
import { formatTime } from '../../lib/clock.ts';
import { portableFileName, sanitizeFileName, truncateFileName, uniqueFileName } from '../../lib/file-name.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { openStoredFile, readFiles } from '../submissions/read-submission.ts';
import { type Export, type ExportDeps, mapPages, type Progress } from './export.ts';

const MAX_FILE_NAME = 150;

/** Texts for the notes that an archive may contain. */
export type ArchiveTexts = Readonly<{ noFiles: string; unreadable: string }>;

/**
 * Exports all files of submissions in a ZIP archive with one folder per submission. Unreadable files are left out and
 * listed in a text file.
 */
export function archiveExport(texts: ArchiveTexts): Export {
  return async function* (deps, span, progress) {
    const pages = mapPages(deps, span, (page) => page);
    yield* archiveFiles(deps, pages, progress, texts);
  };
}

/** Yields the same archive for pages of submissions. */
export async function* archiveFiles(deps: ExportDeps, pages: Pages, progress: Progress, texts: ArchiveTexts) {
  progress.step = 'writing';
  yield* makeZip(toEntries(deps, pages, progress, texts));
}

type Pages = AsyncIterable<readonly StoredSubmission[]>;

async function* toEntries(deps: ExportDeps, pages: Pages, progress: Progress, texts: ArchiveTexts) {
  const unreadable: string[] = [];
  let count = 0;
  const read = (submission: StoredSubmission) => ({ submission, files: readFiles(deps.vault, deps.log, submission) });
  for await (const page of pages) {
    for (const { submission, files } of await mapYielding(page, read)) {
      const folder = getFolder(submission);
      if (submission.files !== null && files.length === 0) unreadable.push(`${folder}/`);
      const taken = new Set<string>();
      for (const file of files) {
        const name = `${folder}/${getName(file, taken)}`;
        const bytes = await openVerified(deps, submission.id, file);
        count += 1;
        if (bytes === null) unreadable.push(name);
        else yield* entry(name, submission, bytes);
      }
      progress.submissions += 1;
    }
  }
  const textFile = (name: string, text: string) => ({ name, lastModified: new Date(), input: text });
  if (unreadable.length > 0) {
    yield textFile('unreadable-files.txt', [texts.unreadable, '', ...unreadable, ''].join('\r\n'));
  } else if (count === 0) yield textFile('no-files.txt', `${texts.noFiles}\r\n`);
}

async function* entry(name: string, { createdAt }: StoredSubmission, input: AsyncGenerator<Uint8Array>) {
  try {
    yield { name, lastModified: new Date(createdAt / 1000), input };
  } finally {
    // client-zip does not close its input when the download is aborted.
    await input.return(undefined);
  }
}

function getFolder({ id, createdAt }: StoredSubmission): string {
  return `${formatTime(createdAt).slice(0, 19).replaceAll(':', '-').replace('T', '_')}_${id}`;
}

function getName({ id, name }: UploadedFile, taken: Set<string>): string {
  return uniqueFileName(portableFileName(truncateFileName(sanitizeFileName(name, id), MAX_FILE_NAME)), taken);
}

/** Opens a file; null if it is unreadable. It reads the file once before, since an archive entry can't be undone. */
async function openVerified(deps: ExportDeps, submissionId: string, file: UploadedFile) {
  try {
    const trial = await openStoredFile(deps, submissionId, file);
    while (!(await trial.next()).done);
    return await openStoredFile(deps, submissionId, file);
  } catch {
    return null;
  }
}

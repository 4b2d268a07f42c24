import { makeZip } from 'client-zip';
import type { SentFile, StoredSubmission } from '../domain/submission.ts';
import { formatTime } from '../lib/clock.ts';
import { portableName, savedName, shortName, uniqueName } from '../lib/file-name.ts';
import { mapYielding } from '../lib/map-yielding.ts';
import { type Export, type ExportDeps, ofEachPage, type Progress } from './export.ts';
import { openStoredFile, readFiles } from './read-submission.ts';

const MAX_FILE_NAME = 150;

/** What stands in the texts that are put into the archive where there is something to say. */
export type ArchiveWords = Readonly<{ noFiles: string; unreadable: string }>;

/**
 * All files that came with submissions, in a ZIP archive, each submission's in a folder of its own. Those that cannot be
 * read are left out and listed in a text.
 */
export function archiveOf(words: ArchiveWords): Export {
  return async function* (deps, span, progress) {
    yield* archiveFiles(
      deps,
      ofEachPage(deps, span, (page) => page),
      progress,
      words,
    );
  };
}

/** The same of submissions that come in pages. */
export async function* archiveFiles(deps: ExportDeps, pages: Pages, progress: Progress, words: ArchiveWords) {
  progress.step = 'writing';
  yield* makeZip(entriesOf(deps, pages, progress, words));
}

type Pages = AsyncIterable<readonly StoredSubmission[]>;

async function* entriesOf(deps: ExportDeps, pages: Pages, progress: Progress, words: ArchiveWords) {
  const unreadable: string[] = [];
  let count = 0;
  const read = (one: StoredSubmission) => ({ submission: one, files: readFiles(deps.vault, deps.log, one) });
  for await (const page of pages) {
    for (const { submission, files } of await mapYielding(page, read)) {
      const folder = folderOf(submission);
      if (submission.files !== null && files.length === 0) unreadable.push(`${folder}/`);
      const taken = new Set<string>();
      for (const file of files) {
        const name = `${folder}/${nameOf(file, taken)}`;
        const bytes = await openWhole(deps, submission.id, file);
        count += 1;
        if (bytes === null) unreadable.push(name);
        else yield* entry(name, submission, bytes);
      }
      progress.submissions += 1;
    }
  }
  const textFile = (name: string, text: string) => ({ name, lastModified: new Date(), input: text });
  if (unreadable.length > 0) {
    yield textFile('unreadable-files.txt', [words.unreadable, '', ...unreadable, ''].join('\r\n'));
  } else if (count === 0) yield textFile('no-files.txt', `${words.noFiles}\r\n`);
}

async function* entry(name: string, { createdAt }: StoredSubmission, input: AsyncGenerator<Uint8Array>) {
  try {
    yield { name, lastModified: new Date(createdAt / 1000), input };
  } finally {
    // Whoever makes the archive leaves it open when the download is given up.
    await input.return(undefined);
  }
}

function folderOf({ id, createdAt }: StoredSubmission): string {
  return `${formatTime(createdAt).slice(0, 19).replaceAll(':', '-').replace('T', '_')}_${id}`;
}

function nameOf({ id, name }: SentFile, taken: Set<string>): string {
  return uniqueName(portableName(shortName(savedName(name, id), MAX_FILE_NAME)), taken);
}

/** Null if it cannot be read to its end, which is found out beforehand: what is in an archive cannot be taken back. */
async function openWhole(deps: ExportDeps, submissionId: string, file: SentFile) {
  try {
    const trial = await openStoredFile(deps, submissionId, file);
    while (!(await trial.next()).done);
    return await openStoredFile(deps, submissionId, file);
  } catch {
    return null;
  }
}

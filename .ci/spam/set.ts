import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSpamReasons } from '../../src/services/submissions/read-submission.ts';
import { startInstance } from '../../test/support/instance.ts';

/** A labelled text. */
export type Labelled = Readonly<{
  source: string;
  language: string;
  kind: string;
  fields: Record<string, unknown>;
  isSpam: boolean;
}>;

/** A text with the verdict of an instance. */
export type Judged = Labelled &
  Readonly<{ isFlagged: boolean; isMaybe: boolean; length: number; reasons: readonly string[] }>;

type Line = Readonly<{ fields: Record<string, unknown>; language: string; kind?: string }>;

/** Reads the held-back set. Two authors wrote it who had seen no other text; nothing is trained or decided on it. */
export async function readHeldBack(): Promise<Labelled[]> {
  const texts = await readTraining(join(import.meta.dir, 'set'));
  return texts.map((text) => ({ ...text, source: `author ${text.source}` }));
}

/** Reads the training texts: `<author>-genuine.jsonl` and `<author>-spam.jsonl` of each author. */
export async function readTraining(folder: string): Promise<Labelled[]> {
  return readFolder(folder, (line, name) => {
    const { fields, language, kind = '' } = line as Line;
    const [source = '', label = ''] = name.split('-');
    return { source, language, kind, fields, isSpam: label === 'spam' };
  });
}

/** Reads public sets: files with lines of `{ "text", "label": "spam" | "genuine", "lang" }`. */
export async function readPublic(folder: string): Promise<Labelled[]> {
  return readFolder(folder, (line, name) => {
    const { text, label, lang } = line as Readonly<{ text: string; label: string; lang: string }>;
    return { source: name, language: lang, kind: '', fields: { message: text }, isSpam: label === 'spam' };
  });
}

/** Reads the lines of all `*.jsonl` files of a folder. `toText` gets a line and the file's name without its ending. */
async function readFolder<T>(folder: string, toText: (line: unknown, name: string) => T): Promise<T[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const files = names.sort().map(async (name) => {
    const lines = (await Bun.file(join(folder, name)).text()).trimEnd().split('\n');
    return lines.map((line) => toText(JSON.parse(line), name.replace('.jsonl', '')));
  });
  return (await Promise.all(files)).flat();
}

/** Posts texts to a new instance, and returns the verdicts. */
export async function judge(texts: readonly Labelled[]): Promise<Judged[]> {
  const instance = await startInstance();
  const { store, vault, log } = instance.context;
  const { form } = instance.owner;
  const judged: Judged[] = [];
  for (const text of texts) {
    const answer = await instance.post(form.id, text.fields);
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    const [stored] = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
    if (!stored) throw new Error('a text was not stored');
    const reasons = readSpamReasons(vault, log, stored);
    const length = Math.max(...Object.values(text.fields).map((value) => String(value).length));
    judged.push({ ...text, length, reasons, isFlagged: stored.isSpam, isMaybe: stored.isMaybeSpam });
  }
  await instance.stop();
  return judged;
}

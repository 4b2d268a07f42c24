import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Payload } from '../../src/domain/submissions/submission.ts';
import { MINUTE } from '../../src/lib/clock.ts';
import { markSubmission } from '../../src/services/submissions/mark-submission.ts';
import { judge as judgeSpam } from '../../src/spam/spam.ts';
import { SpamMemory } from '../../src/spam/spam-memory.ts';
import { startInstance } from '../../test/support/instance.ts';

/** A labelled text. */
export type Labelled = Readonly<{
  source: string;
  language: string;
  kind: string;
  fields: Record<string, unknown>;
  isSpam: boolean;
}>;

/** Returns the fields of a text as those of a submission. */
export const payloadOf = ({ fields }: Pick<Labelled, 'fields'>) => Object.entries(fields) as unknown as Payload;

/** A text with the verdict of an instance. */
export type Judged = Labelled & Readonly<{ isFlagged: boolean; isMaybe: boolean; isDoubtful: boolean; length: number }>;

type Line = Readonly<{ fields: Record<string, unknown>; language: string; kind?: string }>;

/** Reads the held-back set. Nothing is trained or decided on it. */
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

/** Judges each text as the first one of a server, so that none is recognized by another. */
export async function judge(texts: readonly Labelled[]): Promise<Judged[]> {
  const instance = await startInstance();
  const { context, owner } = instance;
  const judged = texts.map((text) => {
    const payload = payloadOf(text);
    const verdict = judgeSpam({ ...context, spamMemory: new SpamMemory(context) }, owner.form, payload, null);
    const length = Math.max(...Object.values(text.fields).map((value) => String(value).length));
    const isFlagged = verdict.class === 'spam';
    return { ...text, length, isFlagged, isMaybe: verdict.class === 'maybe', isDoubtful: verdict.isDoubtful };
  });
  await instance.stop();
  return judged;
}

/** The verdict of a post, flagged as spam or marked as possible spam. */
export type Marked = Pick<Judged, 'isFlagged' | 'isMaybe'>;

/**
 * Posts texts to one form of a new instance, in this order and a minute apart, and returns the verdicts. With `marked` the
 * owner marks one of so many missed ones as spam.
 */
export async function postInOrder(texts: readonly Labelled[], marked = Number.POSITIVE_INFINITY): Promise<Marked[]> {
  let now = Date.UTC(2026, 6, 1) * 1000;
  const instance = await startInstance({ clock: () => now++ });
  const { store } = instance.context;
  const { form, teamId } = instance.owner;
  const verdicts: Marked[] = [];
  let missed = 0;
  for (const { fields, isSpam } of texts) {
    now += MINUTE;
    const answer = await instance.post(form.id, fields);
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    const [stored] = (await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
    if (!stored) throw new Error('a text was not stored');
    verdicts.push({ isFlagged: stored.isSpam, isMaybe: stored.isMaybeSpam });
    if (!isSpam || stored.isSpam) continue;
    missed += 1;
    if (missed % marked === 0) await markSubmission(instance.context, stored.id, true, teamId);
  }
  await instance.stop();
  return verdicts;
}

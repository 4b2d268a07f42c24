import { join } from 'node:path';
import { makeStamp } from '../../src/intake/spam/stamp.ts';
import { SECOND } from '../../src/lib/clock.ts';
import { readSpamReasons } from '../../src/services/read-submission.ts';
import { startInstance } from '../support/instance.ts';

/** Odd lines are for tuning, even ones are held back: nothing is ever learned from those, or decided by them. */
export type Half = 'tuned on' | 'held back';

/** One submission of the set; `seconds` lie between page and post, null where the page has no stamp. */
export type Labelled = Readonly<{
  id: string;
  language: string;
  form: string;
  seconds: number | null;
  fields: Record<string, unknown>;
  isSpam: boolean;
}>;

/** What became of one. */
export type Judged = Labelled & Readonly<{ isFlagged: boolean; reasons: readonly string[] }>;

/** One half of the set as it was written. */
export async function readHalf(kind: 'genuine' | 'spam', half: Half): Promise<Labelled[]> {
  const text = await Bun.file(join(import.meta.dir, 'set', `${kind}.jsonl`)).text();
  const lines = text.trimEnd().split('\n');
  return lines
    .filter((_, index) => (index % 2 === 0) === (half === 'tuned on'))
    .map((line) => ({ ...JSON.parse(line), isSpam: kind === 'spam' }));
}

/** Posts one half of the set to a new instance, genuine and spam in turn, and tells what was flagged. */
export async function judge(half: Half): Promise<Judged[]> {
  const [genuine, spam] = await Promise.all([readHalf('genuine', half), readHalf('spam', half)]);
  const set = genuine.flatMap((one, index) => [one, ...spam.slice(index, index + 1)]);
  const instance = await startInstance();
  const { store, vault, clock, log } = instance.context;
  const forms = new Map<string, string>();
  const judged: Judged[] = [];
  for (const one of set) {
    const form = forms.get(one.form) ?? (await instance.makeForm(instance.owner, { name: one.form })).id;
    forms.set(one.form, form);
    const stamp = one.seconds === null ? null : makeStamp(vault, form, clock() - one.seconds * SECOND);
    const answer = await instance.post(form, { ...one.fields, ...(stamp && { _stamp: stamp }) });
    if (answer.status !== 200) throw new Error(`${one.id}: ${answer.status} ${await answer.text()}`);
    const [kept] = (await store.listRecentSubmissions(form, { onlySpam: false, limit: 1 })) ?? [];
    if (!kept) throw new Error(`${one.id} is not stored`);
    judged.push({ ...one, isFlagged: kept.isSpam, reasons: readSpamReasons(vault, log, kept) });
  }
  await instance.stop();
  return judged;
}

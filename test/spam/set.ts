import { join } from 'node:path';
import { makeStamp } from '../../src/intake/spam/stamp.ts';
import { SECOND } from '../../src/lib/clock.ts';
import { readSpamReasons } from '../../src/services/read-submission.ts';
import { startInstance } from '../support/instance.ts';

/** Half of the set: odd lines are for tuning; even lines are held back and never used for training or decisions. */
export type Half = 'tuned on' | 'held back';

/** A submission of the set; `seconds` is the time between page and post, null if the page has no stamp. */
export type Labelled = Readonly<{
  id: string;
  language: string;
  form: string;
  seconds: number | null;
  fields: Record<string, unknown>;
  isSpam: boolean;
}>;

/** A submission with the verdict of an instance. */
export type Judged = Labelled & Readonly<{ isFlagged: boolean; reasons: readonly string[] }>;

/** Reads one half of the set. */
export async function readHalf(kind: 'genuine' | 'spam', half: Half): Promise<Labelled[]> {
  const text = await Bun.file(join(import.meta.dir, 'set', `${kind}.jsonl`)).text();
  const lines = text.trimEnd().split('\n');
  return lines
    .filter((_, index) => (index % 2 === 0) === (half === 'tuned on'))
    .map((line) => ({ ...JSON.parse(line), isSpam: kind === 'spam' }));
}

/** Posts one half of the set to a new instance, alternating genuine and spam, and returns the verdicts. */
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
    const [stored] = (await store.listRecentSubmissions(form, { onlySpam: false, limit: 1 })) ?? [];
    if (!stored) throw new Error(`${one.id} was not stored`);
    judged.push({ ...one, isFlagged: stored.isSpam, reasons: readSpamReasons(vault, log, stored) });
  }
  await instance.stop();
  return judged;
}

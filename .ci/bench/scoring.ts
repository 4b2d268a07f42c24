import { join } from 'node:path';
import type { Payload } from '../../src/domain/submissions/submission.ts';
import { judge } from '../../src/spam/spam.ts';
import { SpamMemory } from '../../src/spam/spam-memory.ts';
import { startInstance } from '../../test/support/instance.ts';
import { readTraining } from '../spam/set.ts';
import { showSpread, spreadOf } from './report.ts';
import { ROUNDS, runRounds, show } from './rounds.ts';
import type { Bench } from './run.ts';

const LENGTHS = [50, 170, 500, 2_000, 10_000];
const TEXTS = 400;
const RUN_MS = 300;

/** Measures the processor time of the spam filter for texts of several lengths, beside that of counting their words. */
export async function scoring({ report }: Bench): Promise<void> {
  const instance = await startInstance();
  const deps = { ...instance.context, spamMemory: new SpamMemory(instance.context) };
  const score = (payload: Payload) => judge(deps, instance.owner.form, payload, null).reasons.length;
  const training = await readTraining(join(import.meta.dir, '../spam/training'));
  const messages = (isSpam: boolean) =>
    training
      .filter((text) => text.isSpam === isSpam && text.language === 'en')
      .map(({ fields }) => String(fields.message ?? ''));
  for (const [title, some] of [
    ['genuine messages', messages(false)],
    ['spam', messages(true)],
  ] as const) {
    const rows: string[][] = [];
    for (const length of LENGTHS) rows.push(await row(title, payloadsOf(some, length), length, score));
    report.section(
      `Processor time to judge a submission: ${title}`,
      [['characters', 'judging, µs', 'counting words, µs', 'ratio'], ...rows],
      [
        `English texts of \`.ci/spam/training\`, joined and cut to the length, with a name and an email address; ${ROUNDS} rounds.`,
        'Counting words is the yardstick: a regular expression finds them, and a `Map` counts them. Compare the ratios of two machines.',
      ],
    );
  }
  await instance.stop();
}

async function row(
  title: string,
  payloads: readonly Payload[],
  length: number,
  score: (payload: Payload) => number,
): Promise<string[]> {
  const { judging, counting } = await runRounds(`${title}, ${length} characters`, {
    judging: async () => microsPerText(payloads, score),
    counting: async () => microsPerText(payloads, countWords),
  });
  const ratios = judging.map((micros, round) => micros / (counting[round] ?? Number.NaN));
  return [
    length.toLocaleString('en'),
    show(judging, (x) => x, 1),
    show(counting, (x) => x, 1),
    showSpread(spreadOf(ratios), 2),
  ];
}

/** Returns submissions with messages of one length, each of other texts. */
function payloadsOf(messages: readonly string[], length: number): Payload[] {
  let next = 0;
  return Array.from({ length: TEXTS }, (_, index) => {
    let text = '';
    while (text.length < length) text += `${messages[next++ % messages.length]}\n`;
    const name = ['Ada Miller', 'Tom Berg', 'Lea Sandoval', 'Piet de Vries'][index % 4] ?? '';
    return Object.entries({ name, email: `a${index}@example.com`, message: text.slice(0, length) });
  });
}

function countWords(payload: Payload): number {
  const counts = new Map<string, number>();
  for (const [, value] of payload) {
    for (const [word] of String(value)
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}]+/gu))
      counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts.size;
}

/** Calls `work` with the texts again and again, and returns the processor time of a call. */
function microsPerText(payloads: readonly Payload[], work: (payload: Payload) => number): number {
  const end = performance.now() + RUN_MS;
  const began = process.cpuUsage();
  let calls = 0;
  do {
    for (const payload of payloads) work(payload);
    calls += payloads.length;
  } while (performance.now() < end);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / calls;
}

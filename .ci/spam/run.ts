import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { judge as judgeSpam } from '../../src/spam/spam.ts';
import { SpamMemory } from '../../src/spam/spam-memory.ts';
import { startInstance } from '../../test/support/instance.ts';
import { Report, showSpread, spreadOf } from '../bench/report.ts';
import { type Judged, judge, readHeldBack, readPublic } from './set.ts';

const { values } = parseArgs({ options: { with: { type: 'string' } } });

const INTRO = [
  'Posts labeled texts to a real instance. The held-back set was written for this project by two authors who had seen no',
  'other text: what the forms of twelve small sites receive in a year. Nothing was trained or decided on it. Half of each',
  'public set is among the training texts; the figures here are of that half, and those of a table that was trained without',
  'the set are printed by `bun run generate spam-weights`. Intervals are 95 % (Wilson).',
];

const report = new Report('bun run bench spam', INTRO);
const heldBack = await judge(await readHeldBack());
const sources = [...new Set(heldBack.map(({ source }) => source))];
summarize('The held-back set', heldBack, [
  ...sources.map((source) => [source, (one: Judged) => one.source === source] as const),
  ...lengths(),
  ...languages(heldBack),
]);
if (values.with) {
  const open = await judge(await readPublic(values.with));
  const names = [...new Set(open.map(({ source }) => source))];
  summarize(
    'Public sets',
    open,
    names.map((name) => [name, (one: Judged) => one.source === name] as const),
  );
}
await cost();
await report.write(join(import.meta.dir, 'RESULTS.md'));
process.exit(0);

type Part = readonly [name: string, matches: (one: Judged) => boolean];

function summarize(title: string, judged: readonly Judged[], parts: readonly Part[]): void {
  const row = (name: string, some: readonly Judged[]) => [
    name,
    String(some.length),
    interval(some.filter(({ isFlagged }) => isFlagged).length, some.length),
    interval(some.filter(({ isFlagged, isMaybe }) => isFlagged || isMaybe).length, some.length),
  ];
  const rows = [false, true].flatMap((isSpam) => {
    const some = judged.filter((one) => one.isSpam === isSpam);
    const label = isSpam ? 'spam' : 'genuine';
    const ofParts = parts.map(([name, matches]) => [`${label}, ${name}`, some.filter(matches)] as const);
    return [row(`all ${label}`, some), ...ofParts.filter(([, part]) => part.length >= 5).map((part) => row(...part))];
  });
  report.section(title, [['texts', 'number', 'marked as spam', 'spam or maybe spam'], ...rows]);
}

function lengths(): Part[] {
  const limits = [0, 50, 120, 300, 1_000, Number.POSITIVE_INFINITY];
  return limits.slice(1).map((to, index) => {
    const from = limits[index] ?? 0;
    const name = to === Number.POSITIVE_INFINITY ? `${from} characters and more` : `${from} to ${to - 1} characters`;
    return [name, ({ length }) => length >= from && length < to];
  });
}

function languages(judged: readonly Judged[]): Part[] {
  return [...new Set(judged.map(({ language }) => language))]
    .sort()
    .map((language) => [language === 'und' ? 'no language' : language, (one) => one.language === language]);
}

/** Returns the percentage with its 95 % confidence interval (Wilson 1927). */
function interval(count: number, total: number): string {
  const z = 1.96;
  const share = count / total;
  const middle = (share + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const reach = (z * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total))) / (1 + (z * z) / total);
  const percent = (value: number) => (100 * Math.min(1, Math.max(0, value))).toFixed(1);
  return `${count}: ${percent(share)} % (${percent(middle - reach)} to ${percent(middle + reach)})`;
}

/** Measures the time for texts of several lengths and kinds. */
async function cost(): Promise<void> {
  const instance = await startInstance();
  const { form } = instance.owner;
  const deps = { ...instance.context, spamMemory: new SpamMemory(instance.context) };
  const words = 'I would like to know more about your roof tiles and whether they come in red as well. ';
  const texts: Array<readonly [name: string, unit: string, length: number]> = [
    ['prose', words, 170],
    ['prose', words, 2_000],
    ['prose', words, 10_240],
    ['links', 'https://example.com/a?b=c ', 10_240],
    ['Cyrillic', 'Здравствуйте, хотел бы узнать подробнее о вашей черепице. ', 10_240],
    ['one word', 'a', 10_240],
    ['random letters', 'fJkdQwTzXlOp ', 10_240],
    ['quotation marks', '«', 1 << 20],
    ['letters and points', 'a.', 1 << 20],
    ['tags', '<a ', 1 << 20],
  ];
  const rows = texts.map(([name, unit, length]) => {
    const payload = [['message', unit.repeat(Math.ceil(length / unit.length)).slice(0, length)]] as const;
    const times = Array.from({ length: 400 }, () => {
      const began = performance.now();
      judgeSpam(deps, form, payload, null);
      return (performance.now() - began) * 1_000;
    });
    return [name, String(length), showSpread(spreadOf(times.slice(100)), 1)];
  });
  report.section('Time to judge a text', [['text', 'characters', 'µs'], ...rows]);
  await instance.stop();
}

import { loadavg } from 'node:os';
import { join } from 'node:path';
import { maskPayload } from '../../src/domain/masking.ts';
import { Report, showSpread, spreadOf } from '../bench/report.ts';
import { mask, type Random, randomFrom } from '../fast/domain/masking/support.ts';
import { type Case, cardCases, cardValues, ssnCases } from './cards.ts';
import { hostileValues } from './hostile.ts';
import { BY_CHANCE, FAMILIES, instance, type Shape } from './other-numbers.ts';
import { AMOUNTS, SURROUNDINGS } from './surroundings.ts';

const PER_FAMILY = 10_000;
const GOAL_SHARE = 0.005;
const GOAL_MS = 20;
const ROUNDS = 25;

const seed = seedFrom(Bun.argv.slice(2));
const report = new Report('bun run masking', [
  `Numbers made from seed ${seed}, masked as a payload is before anyone sees it. Another seed: \`bun run masking 2\`.`,
]);
const isComplete = proveCards(randomFrom(seed));
const isSparing = countOthers(randomFrom(seed + 1));
measure(randomFrom(seed + 2));
await report.write(join(import.meta.dir, 'RESULTS.md'));
process.exit(isComplete && isSparing ? 0 : 1);

function seedFrom(given: readonly string[]): number {
  const [text = '1', ...more] = given;
  if (more.length > 0 || !/^\d{1,9}$/.test(text)) {
    process.stderr.write('usage: bun run masking [seed]\n');
    process.exit(2);
  }
  return Number(text);
}

function proveCards(random: Random): boolean {
  const tally = new Map<string, { made: number; missed: string[] }>();
  const count = (kind: string, isMasked: boolean, shown: string) => {
    const { made, missed } = tally.get(kind) ?? { made: 0, missed: [] };
    tally.set(kind, { made: made + 1, missed: isMasked ? missed : [...missed, shown] });
  };
  const check = ({ kind, text, masked }: Case) => {
    const got = mask(text);
    count(kind, got === masked, `${text} -> ${got}`);
  };
  for (const one of cardCases(random, () => [...SURROUNDINGS, ...AMOUNTS])) check(one);
  for (let round = 0; round < 100; round++) {
    for (const one of ssnCases(random, () => SURROUNDINGS)) check(one);
  }
  for (const { value, masked } of cardValues(random, 100_000)) {
    const got = mask(value);
    count('JSON numbers and nested values', Bun.deepEquals(got, masked), JSON.stringify([value, got]));
  }
  const missed = [...tally.values()].flatMap((one) => one.missed);
  for (const one of missed.slice(0, 50)) process.stdout.write(`not as it should be: ${one}\n`);
  report.section(
    'Cards and social security numbers',
    [
      ['kind', 'texts', 'masked'],
      ...[...tally].map(([kind, { made, missed }]) => [kind, thousands(made), percent(made - missed.length, made)]),
    ],
    [
      `${missed.length} of ${thousands([...tally.values()].reduce((sum, { made }) => sum + made, 0))} were not masked, or lost more than they should (goal: none). Every digit but the last four must be a star, and all around it stay.`,
      'Every prefix and length of a brand, with each of the separators, groupings and scripts of `cards.ts`, in all of `surroundings.ts`.',
    ],
  );
  return missed.length === 0;
}

function countOthers(random: Random): boolean {
  const shares = Object.entries(FAMILIES).map(([name, shapes]) => [name, countMasked(random, shapes)] as const);
  const row = (name: string, masked: number) => [
    name,
    thousands(PER_FAMILY),
    String(masked),
    percent(masked, PER_FAMILY),
  ];
  const over = shares.filter(([, masked]) => masked > GOAL_SHARE * PER_FAMILY);
  report.section(
    'Numbers that are something else',
    [['family', 'numbers', 'masked', 'share'], ...shares.map(([name, masked]) => row(name, masked))],
    [
      `${over.length} of ${shares.length} families lie over ${percent(GOAL_SHARE, 1)} (goal: none).`,
      'Half stand alone in a field called `message`, half in a sentence that does not say what they are.',
    ],
  );
  report.section(
    'Numbers that look like cards by chance',
    [
      ['family', 'numbers', 'masked', 'share'],
      ...Object.entries(BY_CHANCE).map(([name, shapes]) => row(name, countMasked(random, shapes))),
      row('random whole numbers of 63 bits, as JSON numbers', countMaskedNumbers(random)),
    ],
    [
      'Nothing tells these from a card: of so many random digits a third begin as some brand does, and a tenth of those pass its check. To spare them would be to show cards.',
      'Every IMEI passes the check of a card; those that are issued begin otherwise than the cards of 15 digits do.',
      'A JSON number over 2^53 has lost its last digits when it arrives, so brand and length must do.',
    ],
  );
  return over.length === 0;
}

function countMasked(random: Random, shapes: readonly Shape[]): number {
  let masked = 0;
  for (let made = 0; made < PER_FAMILY; made++) {
    const number = instance(random, random.pick(shapes));
    const text = random.pick([number, `No. ${number} ok`]);
    if (mask(text) !== text) masked++;
  }
  return masked;
}

function countMaskedNumbers(random: Random): number {
  const numbers = Array.from({ length: PER_FAMILY }, () => random.between(0, 2 ** 31 - 1) * 2 ** 32);
  return numbers.filter((number) => mask(number) !== number).length;
}

function measure(random: Random): void {
  const load = loadavg()[0] ?? 0;
  const measured = Object.entries(hostileValues(random)).map(([name, value]) => {
    const times = Array.from({ length: ROUNDS }, () => timeOf(() => maskPayload([['message', value]])));
    return { name, cpu: spreadOf(times.map(({ cpu }) => cpu)), wall: spreadOf(times.map(({ wall }) => wall)) };
  });
  const worst = measured.toSorted((a, b) => b.cpu.median - a.cpu.median);
  const over = worst.filter(({ cpu }) => cpu.median > GOAL_MS);
  report.section(
    'What 1 MiB costs',
    [
      ['value', 'ms of the processor', 'ms'],
      ...worst.map(({ name, cpu, wall }) => [name, showSpread(cpu, 1), showSpread(wall, 1)]),
    ],
    [
      `${over.length} of ${worst.length} took longer than ${GOAL_MS} ms of the processor (goal: none); the median of ${ROUNDS} with the lowest and highest behind it, the first ones among them.`,
      `Others were at work on this machine: its load was ${load.toFixed(1)} as this began.`,
    ],
  );
}

function timeOf(work: () => void): Readonly<{ cpu: number; wall: number }> {
  const began = performance.now();
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return { cpu: (user + system) / 1000, wall: performance.now() - began };
}

function thousands(count: number): string {
  return count.toLocaleString('en');
}

function percent(count: number, total: number): string {
  return `${((100 * count) / total).toFixed(count === total ? 0 : 2)} %`;
}

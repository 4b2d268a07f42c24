import { loadavg } from 'node:os';
import { join } from 'node:path';
import { maskPayload } from '../../src/domain/masking/masking.ts';
import { mask, type Random, randomFrom } from '../../test/fast/domain/masking/support.ts';
import { Report, showSpread, spreadOf } from '../bench/report.ts';
import { type Case, cardCases, cardValues, ssnCases } from './cards.ts';
import { hostileValues } from './hostile.ts';
import { BY_CHANCE, FAMILIES, instance, type Shape } from './other-numbers.ts';
import { AMOUNTS, SURROUNDINGS } from './surroundings.ts';

const PER_FAMILY = 10_000;
const GOAL_SHARE = 0.005;
const GOAL_MS = 20;
const ROUNDS = 25;

const seed = seedFrom(Bun.argv.slice(2));
const report = new Report('bun run bench masking', [
  `Numbers generated from seed ${seed} and masked like a payload for display. For another seed: \`bun run bench masking 2\`.`,
]);
const areMasked = checkCards(randomFrom(seed));
const arePreserved = checkOtherNumbers(randomFrom(seed + 1));
measure(randomFrom(seed + 2));
await report.write(join(import.meta.dir, 'RESULTS.md'));
process.exit(areMasked && arePreserved ? 0 : 1);

function seedFrom(given: readonly string[]): number {
  const [text = '1', ...more] = given;
  if (more.length > 0 || !/^\d{1,9}$/.test(text)) {
    process.stderr.write('usage: bun run bench masking [seed]\n');
    process.exit(2);
  }
  return Number(text);
}

function checkCards(random: Random): boolean {
  const tally = new Map<string, { total: number; missed: string[] }>();
  const count = (kind: string, isMasked: boolean, shown: string) => {
    const { total, missed } = tally.get(kind) ?? { total: 0, missed: [] };
    tally.set(kind, { total: total + 1, missed: isMasked ? missed : [...missed, shown] });
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
  for (const one of missed.slice(0, 50)) process.stdout.write(`not masked correctly: ${one}\n`);
  report.section(
    'Cards and social security numbers',
    [
      ['kind', 'texts', 'masked'],
      ...[...tally].map(([kind, { total, missed }]) => [kind, thousands(total), percent(total - missed.length, total)]),
    ],
    [
      `${missed.length} of ${thousands([...tally.values()].reduce((sum, { total }) => sum + total, 0))} were not masked or lost other text (goal: none). All digits except the last four must become stars, and the surrounding text must stay.`,
      'Every prefix and length of a brand, with each separator, grouping and script of `cards.ts`, in all contexts of `surroundings.ts`.',
    ],
  );
  return missed.length === 0;
}

function checkOtherNumbers(random: Random): boolean {
  const shares = Object.entries(FAMILIES).map(([name, shapes]) => [name, countMasked(random, shapes)] as const);
  const row = (name: string, masked: number) => [
    name,
    thousands(PER_FAMILY),
    String(masked),
    percent(masked, PER_FAMILY),
  ];
  const over = shares.filter(([, masked]) => masked > GOAL_SHARE * PER_FAMILY);
  report.section(
    'Other numbers',
    [['family', 'numbers', 'masked', 'share'], ...shares.map(([name, masked]) => row(name, masked))],
    [
      `${over.length} of ${shares.length} families exceed ${percent(GOAL_SHARE, 1)} (goal: none).`,
      'Half are alone in a field named `message`, half in a sentence without a hint at their meaning.',
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
      'These cannot be distinguished from cards: a third of random numbers begin like a card brand, and a tenth of those pass the check digit. Showing them would mean showing cards.',
      'Every IMEI has the check digit of a card; issued IMEIs begin differently from cards of 15 digits.',
      'A JSON number over 2^53 has lost its last digits on arrival, so only brand and length are checked.',
    ],
  );
  return over.length === 0;
}

function countMasked(random: Random, shapes: readonly Shape[]): number {
  let masked = 0;
  for (let count = 0; count < PER_FAMILY; count++) {
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
    'Time for 1 MiB',
    [
      ['value', 'CPU time, ms', 'time, ms'],
      ...worst.map(({ name, cpu, wall }) => [name, showSpread(cpu, 1), showSpread(wall, 1)]),
    ],
    [
      `${over.length} of ${worst.length} took more than ${GOAL_MS} ms of CPU time (goal: none). Medians of ${ROUNDS} rounds with minimum and maximum, including the first rounds.`,
      `The machine was shared: its load was ${load.toFixed(1)} at the start.`,
    ],
  );
}

function timeOf(work: () => void): Readonly<{ cpu: number; wall: number }> {
  const startedAt = performance.now();
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return { cpu: (user + system) / 1000, wall: performance.now() - startedAt };
}

function thousands(count: number): string {
  return count.toLocaleString('en');
}

function percent(count: number, total: number): string {
  return `${((100 * count) / total).toFixed(count === total ? 0 : 2)} %`;
}

import { type Report, showSpread, spreadOf } from '../bench/report.ts';
import { HeldServer } from './hold.ts';
import { SHAPES } from './shapes.ts';

const ROUNDS = 7;
const GOAL_MS = 50;

/** Posts each shape several times and reports how long it blocked the server's event loop. */
export async function measureHolds(report: Report, showProgress: (text: string) => void): Promise<void> {
  const server = await HeldServer.start();
  await server.held();
  const scale = await server.held(GOAL_MS);
  const answers = new Map<string, Readonly<{ status: number; ms: number[] }>>();
  for (let round = 1; round <= ROUNDS; round++) {
    for (const shape of SHAPES) {
      showProgress(`round ${round} of ${ROUNDS}: ${shape.name}`);
      const { status, ms } = await server.post(shape);
      answers.set(shape.name, { status, ms: [...(answers.get(shape.name)?.ms ?? []), ms] });
    }
  }
  await server.stop();
  showProgress('');
  const measured = [...answers].map(([name, { status, ms }]) => ({
    name,
    status,
    first: ms[0] ?? 0,
    spread: spreadOf(ms),
  }));
  const worst = measured.toSorted((a, b) => b.spread.median - a.spread.median);
  const over = worst.filter(({ spread }) => spread.median > GOAL_MS);
  report.section(
    'How long one body of nearly 1 MiB holds the event loop',
    [
      ['body', 'answer', 'the first time, ms', 'ms'],
      ...worst.map(({ name, status, first, spread }) => [name, String(status), first.toFixed(0), showSpread(spread)]),
    ],
    [
      `${over.length} of ${worst.length} hold it longer than ${GOAL_MS} ms (goal: none); the median of ${ROUNDS} with the lowest and highest behind it.`,
      'A timer of 1 ms in the server measures it: the longest that one came late between post and answer.',
      `The same timer takes a loop that was held for ${GOAL_MS} ms on purpose for one of ${scale.toFixed(1)} ms.`,
    ],
  );
}

import { parseAddress } from '../../src/domain/mail/email-address.ts';
import { addressMatcher } from '../../src/domain/submissions/person.ts';
import { normalize } from '../../src/lib/normalize.ts';
import { type Report, showSpread, spreadOf } from './report.ts';
import { ROUNDS } from './rounds.ts';

/** Work on hostile input that must not hold the event loop for longer than `budgetMs` on an idle machine. */
type Budget = Readonly<{ name: string; run: () => unknown; budgetMs: number }>;

const MARKS = '\u0301\u0316';
const inLongText = addressMatcher('a@a.a');

const BUDGETS: readonly Budget[] = [
  {
    name: 'normalize a password of 40,000 combining marks',
    run: () => normalize(`a${MARKS.repeat(20_000)}`, 'NFKC'),
    budgetMs: 500,
  },
  { name: 'normalize 200,000 marks to NFC', run: () => normalize(`a${MARKS.repeat(100_000)}`, 'NFC'), budgetMs: 1_000 },
  {
    name: 'normalize 200,000 marks to NFKC',
    run: () => normalize(`a${MARKS.repeat(100_000)}`, 'NFKC'),
    budgetMs: 1_000,
  },
  {
    name: 'refuse an email address with 100,000 marks',
    run: () => parseAddress(`a@a${MARKS.repeat(50_000)}`),
    budgetMs: 100,
  },
  {
    name: 'refuse an email address with 100,000 labels',
    run: () => parseAddress(`a@${'é.'.repeat(100_000)}de`),
    budgetMs: 100,
  },
  {
    name: 'find no address in a text of 120,000 marks',
    run: () => inLongText(`a@a.ab ${MARKS.repeat(60_000)}`),
    budgetMs: 500,
  },
  {
    name: 'find no address in 400,000 characters that addresses have',
    run: () => inLongText(`${'a@'.repeat(100_000)}a@a.ab ${'._+-'.repeat(50_000)}`),
    budgetMs: 500,
  },
];

/** Times each piece of work beside its budget. Sets the exit code to 1 if a median is above it. */
export function budgets(report: Report): void {
  const rows = BUDGETS.map(({ name, run, budgetMs }) => {
    const times = Array.from({ length: ROUNDS }, () => {
      const began = performance.now();
      run();
      return performance.now() - began;
    });
    const spread = spreadOf(times);
    if (spread.median > budgetMs) process.exitCode = 1;
    return [name, showSpread(spread, 1), String(budgetMs)];
  });
  report.section('Hostile input', [['work', 'milliseconds', 'at most'], ...rows]);
}

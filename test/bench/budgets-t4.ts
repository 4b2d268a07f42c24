import { normalise } from '../../src/lib/normalise.ts';

/** A time budget that no test checks: `run` once must take less than `budgetMs` on an idle machine. */
type Budget = Readonly<{ what: string; run: () => void | Promise<void>; budgetMs: number }>;

/** A password of combining marks, whose normalization takes the platform a minute. */
const MARKS = `a${'\u0301\u0316'.repeat(20_000)}`;

export const BUDGETS: readonly Budget[] = [
  {
    what: 'Normalize a password of 40,000 combining marks',
    run: () => {
      normalise(MARKS, 'NFKC');
    },
    budgetMs: 500,
  },
  {
    what: 'Normalize an email address of 40,000 combining marks',
    run: () => {
      normalise(`a@${MARKS}`, 'NFC');
    },
    budgetMs: 500,
  },
];

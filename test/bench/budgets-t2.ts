import { parseAddress } from '../../src/domain/email-address.ts';
import { addressFinder } from '../../src/domain/person.ts';
import { normalise } from '../../src/lib/normalise.ts';

/** Work that must not take longer on the reference machine. */
type Budget = Readonly<{ what: string; run: () => unknown; budgetMs: number }>;

const MARKS = '\u0301\u0316';
const inLongText = addressFinder('a@a.a');

export const budgets: readonly Budget[] = [
  ...(['NFC', 'NFKC'] as const).map((form) => ({
    what: `normalize 200,000 marks to ${form}`,
    run: () => normalise(`a${MARKS.repeat(100_000)}`, form),
    budgetMs: 1_000,
  })),
  {
    what: 'refuse an email address with 100,000 marks',
    run: () => parseAddress(`a@a${MARKS.repeat(50_000)}`),
    budgetMs: 100,
  },
  {
    what: 'refuse an email address with 100,000 labels',
    run: () => parseAddress(`a@${'é.'.repeat(100_000)}de`),
    budgetMs: 100,
  },
  {
    what: 'find no address in a text of 120,000 marks',
    run: () => inLongText(`a@a.ab ${MARKS.repeat(60_000)}`),
    budgetMs: 500,
  },
  {
    what: 'find no address in a text of 400,000 signs that addresses have',
    run: () => inLongText(`${'a@'.repeat(100_000)}a@a.ab ${'._+-'.repeat(50_000)}`),
    budgetMs: 500,
  },
];

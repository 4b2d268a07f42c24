import { Dice } from './dice.ts';

/** What inputs are tried on. */
export type Ground = Readonly<{
  /** Makes one input by the dice, tries it, and says in a word what came of it. Throws where something does not hold. */
  check: (dice: Dice) => string | Promise<string>;
  /** Looks at what all of them left behind, for the report. Throws where something does not hold. */
  close?: () => Promise<readonly string[]>;
}>;

/** One thing that takes input from strangers; `about` says what must hold, `inputs` how many a long run makes. */
export type Target = Readonly<{
  name: string;
  about: string;
  inputs: number;
  /** One at a time unless told. */
  atOnce?: number;
  open: () => Ground | Promise<Ground>;
}>;

/** What did not hold; without a seed for all inputs together. */
export type Failure = Readonly<{ seed: number | null; what: string }>;

/** What a run came to; `outcomes` says how often each word was heard. */
export type Outcome = Readonly<{
  outcomes: ReadonlyMap<string, number>;
  failures: readonly Failure[];
  notes: readonly string[];
  seconds: number;
}>;

type Options = Readonly<{
  /** The input number n has the seed `seed + n`. */
  seed: number;
  inputs: number;
  /** Told after every input. */
  progress?: (done: number) => void;
}>;

/** Tries so many inputs on one target. */
export async function tryOut(target: Target, { seed, inputs, progress = () => {} }: Options): Promise<Outcome> {
  const outcomes = new Map<string, number>();
  const failures: Failure[] = [];
  const began = performance.now();
  const ground = await target.open();
  let next = 0;
  let done = 0;
  const trySome = async () => {
    while (next < inputs) {
      const own = seed + next++;
      try {
        const word = await ground.check(new Dice(own));
        outcomes.set(word, (outcomes.get(word) ?? 0) + 1);
      } catch (error) {
        failures.push({ seed: own, what: explain(error) });
      }
      progress(++done);
    }
  };
  await Promise.all(Array.from({ length: target.atOnce ?? 1 }, trySome));
  try {
    const notes = (await ground.close?.()) ?? [];
    return { outcomes, failures, notes, seconds: (performance.now() - began) / 1000 };
  } catch (error) {
    const all = [...failures, { seed: null, what: explain(error) }];
    return { outcomes, failures: all, notes: [], seconds: (performance.now() - began) / 1000 };
  }
}

function explain(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

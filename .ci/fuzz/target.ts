import { Prng } from './prng.ts';

/** The tested code with its setup. */
export type Ground = Readonly<{
  /** Generates and tests one input and returns its outcome as a label. Throws if a property is violated. */
  check: (prng: Prng) => string | Promise<string>;
  /** Checks the final state and returns notes for the report. Throws if a property is violated. */
  close?: () => Promise<readonly string[]>;
}>;

/** A fuzz target; `about` states the tested property, `inputs` is the number of inputs in a full run. */
export type Target = Readonly<{
  name: string;
  about: string;
  inputs: number;
  /** Inputs tested at the same time; 1 by default. */
  concurrency?: number;
  open: () => Ground | Promise<Ground>;
}>;

/** A violated property; without a seed if it concerns all inputs together. */
export type Failure = Readonly<{ seed: number | null; what: string }>;

/** Result of a run; `outcomes` counts the labels. */
export type Outcome = Readonly<{
  outcomes: ReadonlyMap<string, number>;
  failures: readonly Failure[];
  notes: readonly string[];
  seconds: number;
}>;

type Options = Readonly<{
  /** Input n has the seed `seed + n`. */
  seed: number;
  inputs: number;
  /** Called after each input. */
  progress?: (done: number) => void;
}>;

/** Runs a target with `inputs` inputs. */
export async function runTarget(target: Target, { seed, inputs, progress = () => {} }: Options): Promise<Outcome> {
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
        const word = await ground.check(new Prng(own));
        outcomes.set(word, (outcomes.get(word) ?? 0) + 1);
      } catch (error) {
        failures.push({ seed: own, what: explain(error) });
      }
      progress(++done);
    }
  };
  await Promise.all(Array.from({ length: target.concurrency ?? 1 }, trySome));
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

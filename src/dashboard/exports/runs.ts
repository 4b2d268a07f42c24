import type { Progress } from '../../services/exports/export.ts';
import type { Viewer } from '../viewer.ts';

const MAX_RUNS = 200;

/** Progress of exports by name. Forgets the oldest beyond `MAX_RUNS`. */
export class Runs {
  readonly #runs = new Map<string, Progress>();

  start(name: string): Progress {
    const progress: Progress = { step: 'looking', submissions: 0, atMost: 0 };
    const [oldest] = this.#runs.keys();
    if (oldest !== undefined && this.#runs.size >= MAX_RUNS) this.#runs.delete(oldest);
    this.#runs.set(name, progress);
    return progress;
  }

  find(name: string): Progress | undefined {
    return this.#runs.get(name);
  }
}

/** Returns the progress as the script of the page reads it. */
export function serializeProgress({ texts, number }: Viewer, { step, submissions, atMost }: Progress) {
  const text = texts.exportForm.progress[step];
  return {
    text: text(number(submissions), number(Math.max(submissions, atMost))),
    share: step === 'done' ? 1 : Math.min(1, submissions / Math.max(1, atMost)),
    isOver: step === 'done' || step === 'broken',
  };
}

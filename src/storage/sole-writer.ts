import { SetupError } from '../domain/errors.ts';
import type { Logger } from '../lib/log.ts';
import { type Blobs, filesUnavailable } from './blobs.ts';

/** The reason why uploads are refused, for the log and for doctor. */
export const SEVERAL_WRITERS =
  'several processes serve this database, but files are in the data directory of one. Set S3_URL, or run one process';

/** Guards files on a disk that other processes may not have: they can be stored only by a process that serves alone. */
export class SoleWriter {
  #isAlone = true;

  constructor(private readonly log: Logger) {}

  /** Takes the number of processes that serve the database, and logs a change. */
  observe(processes: number): void {
    const isAlone = processes <= 1;
    if (isAlone === this.#isAlone) return;
    this.#isAlone = isAlone;
    if (isAlone) this.log.info('uploads are accepted again: this process serves alone');
    else this.log.error('uploads are refused', { reason: SEVERAL_WRITERS, processes });
  }

  /** Returns blobs that refuse new ones while there are several processes. */
  guard(blobs: Blobs): Blobs {
    return {
      ...blobs,
      create: async () => {
        if (this.#isAlone) return blobs.create();
        const message = 'Files cannot be stored right now. Please try again later.';
        throw filesUnavailable(new SetupError(SEVERAL_WRITERS), message);
      },
    };
  }
}

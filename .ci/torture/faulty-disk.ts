import { join } from 'node:path';
import { FROM_SOURCE, type Program } from '../../test/support/process.ts';

const [bun = 'bun', main = ''] = FROM_SOURCE.command;

/** The program with `faults.ts` preloaded, so that syncs fail on demand. */
export const ON_FAULTY_DISK: Program = { command: [bun, '--preload', join(import.meta.dir, 'faults.ts'), main] };

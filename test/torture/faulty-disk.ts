import { join } from 'node:path';
import { FROM_SOURCE, type Program } from '../support/process.ts';

const [bun = 'bun', main = ''] = FROM_SOURCE.command;

/** The program on a disk whose syncs fail when it is told so: see `faults.ts`. */
export const ON_FAULTY_DISK: Program = { command: [bun, '--preload', join(import.meta.dir, 'faults.ts'), main] };

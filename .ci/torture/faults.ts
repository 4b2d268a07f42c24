import { cc } from 'bun:ffi';

/**
 * Preload script that makes syncs fail, on Linux: `bun --preload faults.ts src/main.ts serve`. Failing syncs are number
 * `FAIL_SYNC` counted from the start, the next one after each SIGUSR2, and each of a file whose path ends with
 * `FAIL_SYNC_OF`; stderr names the file. If `SYNC_SOCKET` is the path of a socket, the process listening there handles all syncs.
 * See `faults.c`.
 */
const CALLS = {
  x64: { seccomp: 317, pwrite64: 18, fsync: 74, fdatasync: 75 },
  arm64: { seccomp: 277, pwrite64: 68, fsync: 82, fdatasync: 83 },
};

const calls = process.arch === 'arm64' ? CALLS.arm64 : CALLS.x64;
const { symbols } = cc({
  source: new URL('./faults.c', import.meta.url),
  symbols: {
    forwardTo: { args: ['cstring'], returns: 'int' },
    install: { args: ['int', 'int', 'int', 'int'], returns: 'int' },
    failFrom: { args: ['int', 'int'], returns: 'int' },
    failOf: { args: ['buffer'], returns: 'int' },
    failNext: { args: ['int'], returns: 'int' },
  },
});
const syncSocket = process.env.SYNC_SOCKET;
if (syncSocket && symbols.forwardTo(Buffer.from(`${syncSocket}\0`)) !== 0) {
  throw new Error(`cannot connect to ${syncSocket}`);
}
const pwrite64 = syncSocket ? -1 : calls.pwrite64;
const refused = symbols.install(calls.seccomp, pwrite64, calls.fsync, calls.fdatasync);
if (refused) throw new Error(`this kernel does not allow seccomp user notifications (${refused})`);
if (process.env.FAIL_SYNC) symbols.failFrom(Number(process.env.FAIL_SYNC), 1);
if (process.env.FAIL_SYNC_OF) symbols.failOf(Buffer.from(`${process.env.FAIL_SYNC_OF}\0`));
process.on('SIGUSR2', () => {
  symbols.failNext(1);
  process.stderr.write('fault: the next sync fails\n');
});

/**
 * Runs a garbage collection on SIGUSR2 and reports it on stdout. Preload it before the program:
 * `bun --preload collect-garbage.ts src/main.ts serve`.
 */
process.on('SIGUSR2', () => {
  Bun.gc(true);
  process.stdout.write('{"message":"collected"}\n');
});

export {};

/**
 * Preloaded before the program: `bun --preload collector.ts src/main.ts serve`. Collects garbage on SIGUSR2, then says so on
 * stdout.
 */
process.on('SIGUSR2', () => {
  Bun.gc(true);
  process.stdout.write('{"message":"collected"}\n');
});

export {};

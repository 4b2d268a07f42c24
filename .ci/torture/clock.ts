/**
 * Preload script that shifts the clock: `bun --preload clock.ts src/main.ts serve`. `CLOCK_OFFSETS` is a
 * comma-separated list of offsets in milliseconds; each SIGUSR2 switches to the next one.
 */
const offsets = (process.env.CLOCK_OFFSETS ?? '').split(',').map(Number);
const trueNow = Date.now;
Date.now = () => trueNow() + (offsets[0] ?? 0);
process.on('SIGUSR2', () => offsets.shift());

export {};

/**
 * To be loaded before the program: `bun --preload clock.ts src/main.ts serve`. Its clock is off by the first of the
 * milliseconds in `CLOCK_OFFSETS`, which commas separate, and by the next one after each SIGUSR2.
 */
const offsets = (process.env.CLOCK_OFFSETS ?? '').split(',').map(Number);
const trueNow = Date.now;
Date.now = () => trueNow() + (offsets[0] ?? 0);
process.on('SIGUSR2', () => offsets.shift());

export {};

/**
 * Loaded before a server: notes for how long its event loop was held, and tells the process that started it when asked. A
 * timer of a millisecond that comes late was held up by so much.
 */
const TICK_MS = 1;
let held: number[] = [];
let last = performance.now();
const tick = () => {
  const now = performance.now();
  held.push(now - last - TICK_MS);
  last = now;
  setTimeout(tick, TICK_MS);
};
setTimeout(tick, TICK_MS);
process.on('message', () => {
  const longest = held.toSorted((a, b) => b - a);
  process.send?.({ ticks: held.length, longest: longest.slice(0, 1000) });
  held = [];
});

export {};

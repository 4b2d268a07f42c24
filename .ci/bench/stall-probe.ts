/**
 * Measures the delays of the event loop of a server: preload it before the program. A message from the parent process
 * returns the longest delays of a 1 ms timer and resets them.
 */
const TICK_MS = 1;
let delays: number[] = [];
let last = performance.now();
const tick = () => {
  const now = performance.now();
  delays.push(now - last - TICK_MS);
  last = now;
  setTimeout(tick, TICK_MS);
};
setTimeout(tick, TICK_MS);
process.on('message', () => {
  const longest = delays.toSorted((a, b) => b - a);
  process.send?.({ ticks: delays.length, longest: longest.slice(0, 1000) });
  delays = [];
});

export {};

import { startInstance } from '../../test/support/instance.ts';

/** Reply to any message: the longest block of the event loop in milliseconds since the last message. */
export type Held = Readonly<{ held: number }>;

/** First message of the server. */
export type Ready = Readonly<{ url: string; formId: string }>;

const instance = await startInstance();
let last = performance.now();
let longest = 0;

/** Measures the delay of a 1 ms timer, which is the time that the loop was blocked. */
function sample(): void {
  const now = performance.now();
  longest = Math.max(longest, now - last - 1);
  last = now;
}

setInterval(sample, 1);
process.on('message', (message) => {
  if (typeof message === 'number') Bun.sleepSync(message);
  sample();
  process.send?.({ held: longest } satisfies Held);
  longest = 0;
});
process.on('disconnect', () => instance.stop().then(() => process.exit(0)));
process.send?.({ url: instance.url, formId: instance.owner.form.id } satisfies Ready);

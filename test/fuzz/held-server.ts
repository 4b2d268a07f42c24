import { startInstance } from '../support/instance.ts';

/** What the server says of itself when it is asked, by any message: the longest it was held since it was last asked. */
export type Held = Readonly<{ held: number }>;

/** What it says first. */
export type Ready = Readonly<{ url: string; formId: string }>;

const instance = await startInstance();
let last = performance.now();
let longest = 0;

/** A timer of 1 ms that comes late was held up by whatever else the loop had to do. */
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

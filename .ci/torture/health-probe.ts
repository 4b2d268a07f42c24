/** Worker that asks a server for `/healthz` every 20 ms. A message gets the latencies in milliseconds since the last. */
declare const self: Worker;

const EVERY_MS = 20;
const url = process.env.HEALTH_URL ?? '';
let latencies: number[] = [];

self.onmessage = () => {
  self.postMessage(latencies);
  latencies = [];
};

for (;;) {
  const began = performance.now();
  const isUp = await fetch(url).then(
    async (answer) => (await answer.text()) !== '' && answer.ok,
    () => false,
  );
  latencies.push(isUp ? performance.now() - began : Number.POSITIVE_INFINITY);
  await Bun.sleep(EVERY_MS);
}

export {};

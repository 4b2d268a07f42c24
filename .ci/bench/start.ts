import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildBinary } from '../../test/support/binary.ts';
import { temporaryDir } from '../../test/support/instance.ts';
import { spawnServer } from '../../test/support/process.ts';

/**
 * Measures the binary: its size, the time from its start to the first accepted post, and its memory when idle. The data
 * directory exists before, as at every start except the first. Exits with 1 if a figure exceeds its limit.
 */
const STARTS = 25;
const IDLE_MS = 3_000;
const MAX_BYTES = 125e6;
const MAX_IDLE_BYTES = 80e6;

const folder = temporaryDir();
const path = await buildBinary(folder);
const dataDir = join(folder, 'data');

const first = await spawnServer(dataDir, {}, { command: [path] });
const endpoint = new URL(/"endpoint":"([^"]+)"/.exec(first.stdout())?.[1] ?? '');
await first.end();
const env = { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir, PORT: endpoint.port, POSTS_PER_MINUTE: '0' };

/** Posts until a post is accepted, also while the server does not listen yet. */
async function post(): Promise<void> {
  for (;;) {
    const answer = await fetch(endpoint, { method: 'POST', body: new URLSearchParams({ name: 'Ada' }) }).catch(
      () => null,
    );
    if (answer?.status === 200) return;
    await Bun.sleep(1);
  }
}

const times: number[] = [];
let idle = 0;
for (let round = 0; round < STARTS; round++) {
  const began = performance.now();
  const child = Bun.spawn([path, 'serve'], { env, stdout: 'ignore', stderr: 'ignore' });
  await post();
  times.push(performance.now() - began);
  if (round === STARTS - 1) {
    await Bun.sleep(IDLE_MS);
    idle = Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024;
  }
  child.kill();
  await child.exited;
}
times.sort((a, b) => a - b);
const at = (share: number) => `${times[Math.floor(share * (STARTS - 1))]?.toFixed(0)} ms`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const { size } = statSync(path);
process.stdout.write(`size                          ${megabytes(size)} (at most ${megabytes(MAX_BYTES)})
start to first accepted post  ${at(0.5)} (of ${STARTS}: fastest ${at(0)}, slowest ${at(1)})
memory when idle              ${megabytes(idle)} (at most ${megabytes(MAX_IDLE_BYTES)})
`);
rmSync(folder, { recursive: true });
process.exit(size > MAX_BYTES || idle > MAX_IDLE_BYTES ? 1 : 0);

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { spawnServer } from '../../test/support/process.ts';
import { type Figures, Flood } from './flood.ts';
import { createTestData, newFolder, readMetrics, signIn } from './harness.ts';

/** Submissions stored in turn from `bodies`, clients that read them all, and views of the inbox. */
type Size = Readonly<{ posts: number; bodies: readonly string[]; readers: number; views: number; minMs: number }>;

/** Figures of the readers, the submissions that they read, and the seconds of processor time of each view. */
export type PageFigures = Figures & Readonly<{ read: number; viewSeconds: readonly number[] }>;

/** Reads pages of large submissions with parallel clients, then views the inbox. */
export async function readLargePages({ posts, bodies, readers, views, minMs }: Size): Promise<PageFigures> {
  const folder = newFolder();
  const testData = await createTestData(folder);
  const server = await spawnServer(folder, { READS_PER_MINUTE: '0', TRUSTED_PROXIES: '127.0.0.1' });
  const run = new Flood(server, minMs);
  try {
    for (let n = 0; n < posts; n++) {
      const status = await run.post(testData.formId, bodies[n % bodies.length] ?? '');
      if (status !== 200) throw new Error(`a post was answered with ${status}`);
    }
    const viewSeconds: number[] = [];
    const headers = { Cookie: await signIn(server, testData) };
    let read = 0;
    await run.load(`${readers} readers of ${posts} submissions of 1 MiB`, async () => {
      read = await readAll(`${server.url}/v1/forms/${testData.formId}/submissions`, testData.secret, readers);
    });
    const usedSeconds = async () => (await readMetrics(server)).get('process_cpu_seconds_total') ?? 0;
    for (let view = 0; view < views; view++) {
      const before = await usedSeconds();
      const answer = await fetch(`${server.url}/dashboard/inbox`, { headers });
      if (!(await answer.text()).includes('id="submissions"')) throw new Error('the inbox is not shown');
      viewSeconds.push((await usedSeconds()) - before);
    }
    const [figures] = run.figures;
    if (!figures) throw new Error('There are no figures.');
    return { ...figures, read, viewSeconds };
  } finally {
    run.close();
    await server.end();
    rmSync(folder, { recursive: true });
  }
}

/** Reads all pages in a process of its own, with `readers` at once. Returns the number of submissions read. */
async function readAll(url: string, secret: string, readers: number): Promise<number> {
  const client = Bun.spawn(['bun', join(import.meta.dir, 'page-reader.ts'), url, secret, String(readers)], {
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const read = Number(await client.stdout.text());
  if ((await client.exited) !== 0) throw new Error('the readers failed');
  return read;
}

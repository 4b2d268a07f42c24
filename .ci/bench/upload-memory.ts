import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatTable } from '../../src/lib/table.ts';
import { formstead } from '../../test/support/process.ts';
import { type BenchServer, startServer } from './servers.ts';

const CLIENTS = 50;
const MiB = 1024 * 1024;
const SAMPLE_MS = 50;
const GOAL_MIB = 300;

const FILE = Buffer.alloc(10 * MiB, crypto.getRandomValues(new Uint8Array(65_521)));
const HEAD =
  'Content-Disposition: form-data; name="cv"; filename="cv.bin"\r\nContent-Type: application/x-bench\r\n\r\n';
const BODY = Buffer.concat([Buffer.from(`--b\r\n${HEAD}`), FILE, Buffer.from('\r\n--b--\r\n')]);

type Stream = Readonly<{ bytes: number; everyMs: number }>;

/** A transfer rate; null for unlimited. */
type Pace = Stream | null;

/** Uploads over a connection of its own and returns the status of the answer. */
async function upload(endpoint: string, pace: Pace): Promise<number> {
  const { hostname, port, pathname } = new URL(endpoint);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let drained = Promise.withResolvers<void>();
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => resolve(Number(bytes.toString('latin1', 9, 12))),
      drain: () => drained.resolve(),
      close: () => reject(new Error('the connection was closed')),
      error: (_, error) => reject(error),
    },
  });
  const lines = [
    `POST ${pathname} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${BODY.length}`,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  for (let at = 0; at < BODY.length; ) {
    const written = socket.write(BODY.subarray(at, pace ? at + pace.bytes : BODY.length));
    at += Math.max(0, written);
    if (pace) await Bun.sleep(pace.everyMs);
    else if (at < BODY.length) {
      await drained.promise;
      drained = Promise.withResolvers<void>();
    }
  }
  const status = await promise;
  socket.end();
  return status;
}

async function download(url: string, key: string, pace: Pace): Promise<number> {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  let received = 0;
  for await (const bytes of answer.body ?? []) {
    received += bytes.length;
    if (pace) await Bun.sleep((bytes.length / pace.bytes) * pace.everyMs);
  }
  if (received !== FILE.length) throw new Error(`a download had ${received} bytes`);
  return answer.status;
}

type Figures = Readonly<{ before: number; peak: number; after: number; seconds: number }>;

async function measure({ residentMiB }: BenchServer, load: () => Promise<readonly number[]>): Promise<Figures> {
  const before = residentMiB();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMiB());
  }, SAMPLE_MS);
  const began = performance.now();
  const statuses = await load();
  const seconds = (performance.now() - began) / 1000;
  clearInterval(timer);
  const wrong = statuses.find((status) => status !== 200);
  if (wrong !== undefined) throw new Error(`an answer was ${wrong}`);
  return { before, peak, after: residentMiB(), seconds };
}

type Created = { id: string; secret: string };
type Page = { data: { items: ReadonlyArray<{ id: string; file_metadata: { files: ReadonlyArray<{ id: string }> } }> } };

async function administer<Result>(...args: string[]): Promise<Result> {
  return JSON.parse((await formstead(dataDir, [...args, '--json'])).stdout) as Result;
}

/** Returns the URLs of the newest files and an API key. */
async function findFiles(endpoint: string) {
  const [team] = await administer<Created[]>('team', 'list');
  const [form] = await administer<Created[]>('form', 'list', '--team', team?.id ?? '');
  const { secret } = await administer<Created>('key', 'create', '--team', team?.id ?? '', '--name', 'Bench');
  const { origin } = new URL(endpoint);
  const page = await fetch(`${origin}/v1/forms/${form?.id}/submissions?limit=${CLIENTS}`, {
    headers: { Authorization: `Bearer ${secret}` },
  });
  const { data } = (await page.json()) as Page;
  const urls = data.items.flatMap(({ id, file_metadata: { files } }) =>
    files.map((file) => `${origin}/v1/submissions/${id}/files/${file.id}`),
  );
  return { key: secret, urls };
}

const atOnce = <T>(load: () => Promise<T>) => Promise.all(Array.from({ length: CLIENTS }, load));
const show = ({ before, peak, after, seconds }: Figures) =>
  [before, peak, after, seconds].map((figure) => figure.toFixed(1));

const dataDir = mkdtempSync(join(tmpdir(), 'formstead-bench-'));
const server = await startServer('../../src/main.ts', dataDir);
const rows: string[][] = [['load', 'MiB before', 'peak', 'after', 'seconds']];
const peaks: number[] = [];
const note = (name: string, figures: Figures) => {
  rows.push([name, ...show(figures)]);
  process.stdout.write(`${rows.at(-1)?.join('  ')}\n`);
  peaks.push(figures.peak);
};
try {
  const { url } = server;
  const slow = { bytes: 64 * 1024, everyMs: 50 };
  note('50 uploads of 10 MiB, at full speed', await measure(server, () => atOnce(() => upload(url, null))));
  note('the same again', await measure(server, () => atOnce(() => upload(url, null))));
  note('50 uploads of 10 MiB, 1.3 MiB/s each', await measure(server, () => atOnce(() => upload(url, slow))));
  const { key, urls } = await findFiles(url);
  const fetchAll = (pace: Pace) => () => Promise.all(urls.map((file) => download(file, key, pace)));
  note('50 downloads of 10 MiB, at full speed', await measure(server, fetchAll(null)));
  note('50 downloads of 10 MiB, slow', await measure(server, fetchAll(slow)));
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
const isGood = Math.max(...peaks) < GOAL_MIB;
process.stdout.write(`${formatTable(rows)}\n\n${isGood ? 'below' : 'ABOVE'} the goal of ${GOAL_MIB} MiB\n`);
process.exitCode = isGood ? 0 : 1;

import { Database } from 'bun:sqlite';
import { strictEqual } from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { json, type Resource } from '../../test/cli/command-line.ts';
import { temporaryDir } from '../../test/support/instance.ts';
import { spawnServer } from '../../test/support/process.ts';

/** Minimum memory samples and accepted inputs for a statement about memory growth. */
const MIN_SAMPLES = 60;
const MIN_INPUTS = 1_000;
/** Memory growth between the second and the last quarter of a run that counts as a leak. */
const MAX_GROWTH_MIB = 64;

/** A server in its own process, with a form, a read-write key and the expected number of submissions. */
export type ServerGround = Readonly<{
  url: string;
  formId: string;
  key: string;
  /** Adds to the number of accepted submissions. */
  expect: (count: number) => void;
  /** Reads from the management API. */
  read: (path: string) => Promise<Response>;
  close: () => Promise<readonly string[]>;
}>;

/** Starts the server. `isExact` if every stored submission got a success response, so that none was aborted before it. */
export async function serverGround(isExact = true): Promise<ServerGround> {
  const dataDir = temporaryDir();
  const server = await spawnServer(dataDir, { READS_PER_MINUTE: '0', WRITES_PER_MINUTE: '0' });
  const [first] = await json<Resource[]>(dataDir, ['team', 'list']);
  const team = ['--team', String(first?.id)];
  const [form] = await json<Resource[]>(dataDir, ['form', 'list', ...team]);
  const { secret } = await json<Resource>(dataDir, [
    'key',
    'create',
    ...team,
    '--name',
    'Fuzz',
    '--scope',
    'read_write',
  ]);
  const memory: number[] = [];
  const timer = setInterval(() => memory.push(mebibytesOf(server.pid)), 250);
  let due = 0;
  let inputs = 0;
  return {
    url: server.url,
    formId: String(form?.id),
    key: String(secret),
    expect: (count) => {
      due += count;
      inputs++;
    },
    read: (path) => fetch(server.url + path, { headers: { Authorization: `Bearer ${secret}` } }),
    close: async () => {
      clearInterval(timer);
      const alive = await fetch(`${server.url}/healthz`);
      strictEqual(alive.status, 200);
      await alive.arrayBuffer();
      const code = await server.end();
      const faults = server
        .stdout()
        .split('\n')
        .filter((line) => /"status":5\d\d|"level":"error"/.test(line));
      const kept = storedIn(dataDir);
      rmSync(dataDir, { recursive: true });
      strictEqual(code, 0, `the server ended with ${code}`);
      strictEqual(faults.slice(0, 5).join('\n'), '', 'the log has faults');
      if (isExact) strictEqual(kept, due, `${due} were accepted, and ${kept} are stored`);
      else strictEqual(kept >= due, true, `${due} were accepted, and only ${kept} are stored`);
      return [
        `${due.toLocaleString('en')} were accepted, ${kept.toLocaleString('en')} are stored.`,
        inputs < MIN_INPUTS || memory.length < MIN_SAMPLES
          ? 'The run is too short for a statement about memory.'
          : flat(memory),
      ];
    },
  };
}

function mebibytesOf(pid: number): number {
  const kib = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}

function flat(samples: readonly number[]): string {
  const quarter = Math.floor(samples.length / 4);
  const [second, last] = [samples.slice(quarter, 2 * quarter), samples.slice(-quarter)].map(middleOf);
  const said = `The server used ${second?.toFixed(0)} MiB in the second quarter of the run and ${last?.toFixed(0)} MiB in the last.`;
  const grown = (last ?? 0) - (second ?? 0);
  if (grown > MAX_GROWTH_MIB) throw new Error(said);
  return said;
}

function middleOf(figures: readonly number[]): number {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;
}

function storedIn(dataDir: string): number {
  using database = new Database(join(dataDir, 'formstead.db'), { readonly: true });
  const row = database.query<{ stored: number }, []>('select count(*) as stored from submissions').get();
  return row?.stored ?? 0;
}

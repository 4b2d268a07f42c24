import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebian } from '../../test/support/debian.ts';
import { namedBlock } from '../../test/support/documents.ts';
import { stablePort } from '../../test/support/free-port.ts';
import { emptyDatabase } from '../../test/support/postgres.ts';
import { type ServerProcess, spawnServer } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import type { Report } from '../bench/report.ts';
import { createTestData, Ledger, newFolder, newPost, WAIT_TIMEOUT_MS } from './harness.ts';

const DEPLOYS = Number(Bun.env.DEPLOYS ?? 20);
const VISITORS = 8;
const SHUTDOWN_DELAY_SECONDS = 3;
const CHECK_MS = 300;
const POSTS_BETWEEN = 100;

type Outcome = Readonly<{
  posts: number;
  lost: number;
  /** Posts that the deploys failed, and posts without an acknowledgment after a process was killed. */
  failed: number;
  cutOff: number;
  faults: readonly string[];
}>;

/**
 * Restarts two servers behind HAProxy in turns while clients post, then kills one. Returns true if no post failed but
 * those that the killed process had received.
 */
export async function rollingDeploys(report: Report, progress: (text: string) => void): Promise<boolean> {
  const { posts, lost, failed, cutOff, faults } = await deployRepeatedly(DEPLOYS, progress);
  report.section(
    `Two processes on PostgreSQL behind HAProxy: ${DEPLOYS} rolling deploys`,
    [
      ['what', 'figure'],
      ['restarts of a process', String(2 * DEPLOYS)],
      ['posts', posts.toLocaleString('en')],
      ['posts that failed in deploys', String(failed)],
      ['posts that a killed process had received', String(cutOff)],
      ['acknowledged and lost', String(lost)],
    ],
    [
      `HAProxy checks /readyz every ${CHECK_MS} ms; SHUTDOWN_DELAY_SECONDS is ${SHUTDOWN_DELAY_SECONDS}. A deploy ends each process by SIGTERM and starts it again, one after the other, once HAProxy uses the other one.`,
      `${VISITORS} clients post all the time, each post once. Required: every answer is 200, and each id that was returned is stored.`,
      `At the end one process is killed. Required: only posts on its connections fail, at most two of each client.`,
      faults.length === 0 ? 'Passed.' : `Failed: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

/** Restarts two servers on one database so many times each, then kills one of them. */
export async function deployRepeatedly(deploys: number, progress: (text: string) => void): Promise<Outcome> {
  const folder = newFolder();
  try {
    return await deployIn(folder, deploys, progress);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function deployIn(folder: string, deploys: number, progress: (text: string) => void): Promise<Outcome> {
  const url = await emptyDatabase();
  const env = { DATABASE_URL: url, ENCRYPTION_KEY: '07'.repeat(32) };
  const testData = await createTestData(join(folder, 'data'), env);
  const ports = [stablePort(), stablePort()] as const;
  const start = (port: number) =>
    spawnServer(join(folder, String(port)), {
      ...{ ...env, PORT: String(port), SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_SECONDS) },
      ...{ READS_PER_MINUTE: '0' },
    });
  const servers: ServerProcess[] = [];
  for (const port of ports) servers.push(await start(port));
  const proxy = await startHaproxy(folder, ports);
  const ledger = new Ledger();
  const faults: string[] = [];
  let sent = 0;
  let isOver = false;
  const visitor = async () => {
    while (!isOver) await ledger.send(proxy, testData.formId, newPost(String(sent++), 'json'));
  };
  try {
    await until(() => proxy.servesBoth(), 'HAProxy to use both servers', WAIT_TIMEOUT_MS);
    const visitors = Array.from({ length: VISITORS }, visitor);
    for (let deploy = 1; deploy <= deploys; deploy++) {
      progress(`deploy ${deploy} of ${deploys}, ${sent} posts`);
      for (const [index, port] of ports.entries()) {
        const goal = ledger.acknowledged.size + POSTS_BETWEEN;
        await until(() => ledger.acknowledged.size >= goal, 'posts before a restart', WAIT_TIMEOUT_MS);
        const code = await servers[index]?.end();
        if (code !== 0) faults.push(`a process ended with ${code}`);
        servers[index] = await start(port);
        await until(() => proxy.servesBoth(), 'HAProxy to use both servers', WAIT_TIMEOUT_MS);
      }
    }
    const failed = ledger.refused;
    for (const [what, count] of ledger.refusals) faults.push(`${count} posts failed: ${what}`);
    ledger.refusals.clear();
    progress('killing a process');
    await servers[0]?.end('SIGKILL');
    const goal = ledger.acknowledged.size + POSTS_BETWEEN;
    await until(() => ledger.acknowledged.size >= goal, 'posts after the kill', WAIT_TIMEOUT_MS);
    await until(async () => !(await proxy.servesBoth()), 'HAProxy to notice the kill', WAIT_TIMEOUT_MS);
    isOver = true;
    await Promise.all(visitors);
    progress('comparing');
    const { missing, stored } = await ledger.compare(proxy, testData);
    const { size } = ledger.acknowledged;
    // A post that the killed process had received may be stored without an answer.
    const cutOff = ledger.refused;
    if (stored < size || stored > size + cutOff) faults.push(`${stored} rows for ${size} posts`);
    // One in flight, and one on a connection that HAProxy kept open to the killed process.
    if (cutOff > 2 * VISITORS) faults.push(`${cutOff} posts failed after a kill`);
    if (ledger.refusals.keys().some((what) => what.startsWith('503'))) faults.push('HAProxy waited for the killed one');
    for (const what of missing) faults.push(`lost: ${what}`);
    return { posts: sent, lost: missing.length, failed, cutOff, faults };
  } finally {
    isOver = true;
    await Promise.all(servers.map((server) => server.end()));
    await proxy.stop();
  }
}

/** Returns the backend of the manual, which uses both servers for the clients at one address. */
function backendOf([first, second]: readonly number[]): string {
  return namedBlock('haproxy')
    .replace('balance source', 'balance roundrobin')
    .replace('10.0.0.1:3000', `127.0.0.1:${first}`)
    .replace('10.0.0.2:3000', `127.0.0.1:${second}`);
}

/** Starts Debian's HAProxy in front of two servers. */
async function startHaproxy(folder: string, ports: readonly number[]) {
  const programs = join(folder, 'haproxy');
  mkdirSync(programs);
  const libraries = await unpackDebian(programs, ['haproxy']);
  const [port, stats] = [stablePort(), stablePort()];
  const configuration = join(folder, 'haproxy.cfg');
  writeFileSync(
    configuration,
    `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend web
  bind 127.0.0.1:${port}
  default_backend formstead
frontend stats
  bind 127.0.0.1:${stats}
  http-request use-service prometheus-exporter if { path /metrics }
${backendOf(ports)}`,
  );
  const child = Bun.spawn([join(programs, 'usr/sbin/haproxy'), '-db', '-f', configuration], {
    env: { PATH: Bun.env.PATH, LD_LIBRARY_PATH: libraries },
    stdout: 'ignore',
    stderr: Bun.file(join(folder, 'haproxy.log')),
  });
  return {
    url: `http://127.0.0.1:${port}`,
    servesBoth: async () => {
      const metrics = await fetch(`http://127.0.0.1:${stats}/metrics`).then(
        (answer) => answer.text(),
        () => '',
      );
      const up = metrics.match(/^haproxy_server_status\{.*state="UP"\} 1$/gm) ?? [];
      return up.length === ports.length;
    },
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}

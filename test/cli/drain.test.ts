import { expect, test } from 'bun:test';
import { connect } from 'node:net';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
import { createTeamWithForm, instances } from './command-line.ts';

const instance = instances();

const DELAY = {
  SHUTDOWN_DELAY_SECONDS: '2',
  POSTS_PER_MINUTE: '0',
  PLANS: JSON.stringify({ pro: { api_access: true, submissions_limit: null } }),
};

/** A server with its form, behind the load balancer. */
type Backend = { server: ServerProcess; formId: string; isReady: boolean };

test('goes on serving for SHUTDOWN_DELAY_SECONDS while it is not ready', async () => {
  const dataDir = instance();
  const { form } = await createTeamWithForm(dataDir);
  const server = await spawnServer(dataDir, DELAY);
  const kept = await keptOpen(server.url);
  expect(await kept.get('/healthz')).not.toMatch(/^connection:/im);

  const ended = server.end();
  const isDraining = async () => (await fetch(`${server.url}/readyz`)).status === 503;
  await until(isDraining, 'the server to drain');
  const answer = await fetch(`${server.url}/readyz`);
  expect([answer.headers.get('connection'), await answer.json()]).toEqual([
    'close',
    { success: false, error: 'Not ready. The server is stopping.', statusCode: 503 },
  ]);
  expect((await submit(server.url, form.id)).status).toBe(200);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${server.url}/nowhere`)).headers.get('connection')).toBe('close');
  expect(await kept.get('/docs')).toMatch(/^connection: close\r$/im);
  await kept.closed;
  expect(await ended).toBe(0);
  expect(server.stdout()).toContain('"message":"draining","seconds":2');
});

test('loses no post behind a load balancer that heeds /readyz, in four restarts', async () => {
  const backends = await Promise.all([startBackend(), startBackend()]);
  const balancer = startBalancer(backends);
  const statuses: number[] = [];
  let isDone = false;
  const clients = [1, 2, 3, 4].map(async () => {
    while (!isDone) statuses.push((await submit(balancer.url, 'form')).status);
  });
  for (const backend of [...backends, ...backends]) {
    const posts = statuses.length;
    await backend.restart();
    await until(() => backend.isReady && statuses.length > posts, 'the load balancer to use the server again');
  }
  isDone = true;
  await Promise.all(clients);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(backends.length);
  await balancer.stop();
  await Promise.all(backends.map(({ server }) => server.end('SIGKILL')));
});

function submit(url: string, formId: string): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(`${url}/v1/forms/${formId}/submissions`, { method: 'POST', headers, body: '{"name":"Ada"}' });
}

/** Starts a server with a form. `restart` stops it by SIGTERM and starts it on another port. */
async function startBackend(): Promise<Backend & { restart: () => Promise<void> }> {
  const dataDir = instance();
  const { form } = await createTeamWithForm(dataDir);
  const backend = {
    server: await spawnServer(dataDir, DELAY),
    formId: form.id,
    isReady: true,
    restart: async () => {
      expect(await backend.server.end()).toBe(0);
      backend.server = await spawnServer(dataDir, DELAY);
    },
  };
  return backend;
}

/** Starts a load balancer that checks the servers all the time, sends posts in turn, and never tries one twice. */
function startBalancer(backends: readonly Backend[]) {
  let [turn, isStopped] = [0, false];
  const checks = backends.map(async (backend) => {
    while (!isStopped) {
      const answer = await fetch(`${backend.server.url}/readyz`).catch(() => null);
      backend.isReady = answer?.status === 200;
      await Bun.sleep(20);
    }
  });
  const listener = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const ready = backends.filter(({ isReady }) => isReady);
      const backend = ready[turn++ % ready.length];
      if (!backend) return new Response(null, { status: 503 });
      const body = await request.arrayBuffer();
      const path = `${backend.server.url}/v1/forms/${backend.formId}/submissions`;
      const answer = await fetch(path, { method: 'POST', headers: request.headers, body }).catch(() => null);
      return new Response(null, { status: answer?.status ?? 502 });
    },
  });
  const stop = async () => {
    isStopped = true;
    await Promise.all([...checks, listener.stop(true)]);
  };
  return { url: listener.url.origin, stop };
}

/** Opens a connection that stays open between requests. */
async function keptOpen(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const get = async (path: string) => {
    received = '';
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await until(() => received.includes('\r\n\r\n'), 'the response');
    return received.slice(0, received.indexOf('\r\n\r\n') + 2);
  };
  return { get, closed };
}

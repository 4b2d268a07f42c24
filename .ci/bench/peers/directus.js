import { spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** Directus on Node and SQLite. Anyone may create submissions; all other settings are defaults. Prints its address once it answers. */
const PUBLIC_POLICY = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17';
const admin = { email: 'admin@example.com', password: 'of the benchmark' };

const probe = createServer().listen(0, '127.0.0.1');
await new Promise((resolve) => probe.once('listening', resolve));
const { port } = probe.address();
await new Promise((resolve) => probe.close(resolve));

const url = `http://127.0.0.1:${port}`;
const options = {
  env: {
    PATH: process.env.PATH,
    NODE_ENV: 'production',
    SECRET: 'of the benchmark, of the benchmark',
    DB_CLIENT: 'sqlite3',
    DB_FILENAME: join(process.env.DATA_DIR ?? '.', 'directus.db'),
    HOST: '127.0.0.1',
    PORT: String(port),
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    TELEMETRY: 'false',
    LOG_LEVEL: 'error',
  },
  stdio: 'ignore',
};
const cli = join(import.meta.dirname, 'node_modules/directus/cli.js');
spawnSync(process.execPath, [cli, 'bootstrap'], options);
const server = spawn(process.execPath, [cli, 'start'], options);
process.on('SIGTERM', () => {
  server.kill();
  process.exit();
});
server.on('exit', () => process.exit(1));

async function call(path, body, token) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return answer.status === 204 ? null : (await answer.json()).data;
}

while (!(await fetch(`${url}/server/ping`).catch(() => null))?.ok)
  await new Promise((resolve) => setTimeout(resolve, 200));
const { access_token: token } = await call('/auth/login', admin);
const fields = ['name', 'email', 'message'].map((field) => ({ field, type: 'text', schema: {}, meta: {} }));
await call('/collections', { collection: 'submissions', schema: {}, meta: {}, fields }, token);
await call(
  '/permissions',
  { policy: PUBLIC_POLICY, collection: 'submissions', action: 'create', fields: ['*'] },
  token,
);
process.stdout.write(`${url}/items/submissions ${server.pid}\n`);

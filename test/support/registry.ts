import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const VERDACCIO = join(import.meta.dir, '../verdaccio');
const START_MS = 60_000;

/** A package registry on this machine. */
export type Registry = Readonly<{
  /** Environment for npm, npx, Bun and bunx: this registry, with empty caches and an empty home directory. */
  env: Readonly<Record<string, string>>;
  /** Publishes the package in `folder`. */
  publish: (folder: string) => Promise<void>;
  stop: () => Promise<void>;
}>;

/**
 * Starts Verdaccio with its files in `folder`. It serves packages that tests publish, which must be listed in `own`, and
 * forwards requests for others to the configured registry of npm.
 */
export async function startRegistry(folder: string, own: readonly string[]): Promise<Registry> {
  await run(VERDACCIO, ['bun', 'install', '--frozen-lockfile', '--silent'], {});
  const upstream = (await run(folder, ['npm', 'config', 'get', 'registry'], {})).trim();
  const config = {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream } },
    packages: {
      ...Object.fromEntries(own.map((name) => [name, { access: '$all', publish: '$anonymous' }])),
      '**': { access: '$all', proxy: 'upstream' },
    },
    // npm sends a package as base64 in one request.
    max_body_size: '50mb',
    log: { type: 'stdout', level: 'warn' },
  };
  // JSON is also YAML.
  writeFileSync(join(folder, 'verdaccio.yaml'), JSON.stringify(config));
  const url = `http://localhost:${freePort()}/`;
  const server = Bun.spawn(
    ['node', 'node_modules/verdaccio/bin/verdaccio', '--config', join(folder, 'verdaccio.yaml'), '--listen', url],
    { cwd: VERDACCIO, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
  );
  const answers = () =>
    fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => server.exitCode !== null,
    );
  await until(answers, 'the registry to answer', START_MS);
  const home = join(folder, 'home');
  mkdirSync(home);
  const env = {
    HOME: home,
    PATH: Bun.env.PATH ?? '',
    BUN_INSTALL_CACHE_DIR: join(home, '.bun-cache'),
    npm_config_registry: url,
    npm_config_update_notifier: 'false',
  };
  return {
    env,
    publish: async (from) => {
      // npm publishes only with a token, although the registry asks for none.
      await run(from, ['npm', 'publish', `--${url.replace('http:', '')}:_authToken=none`], env);
    },
    stop: async () => {
      server.kill();
      await server.exited;
    },
  };
}

/** Runs a command and returns its stdout. Throws if it fails. */
async function run(cwd: string, command: string[], env: Record<string, string>): Promise<string> {
  const child = Bun.spawn(command, {
    cwd,
    env: { ...Bun.env, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebian } from './debian.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

const PYTHON = '/usr/bin/python3';
const START_MS = 60_000;
const BUCKET = 'forms';
const KINDS = ['account', 'container', 'object'] as const;

/** OpenStack Swift with its S3 interface, and one bucket. */
export type Swift = Readonly<{
  endpoint: string;
  bucket: string;
  credentials: Readonly<{ accessKeyId: string; secretAccessKey: string; sessionToken: null }>;
  stop: () => Promise<void>;
}>;

/** Downloads Swift from Debian and starts it with one replica in `folder`. Its bucket keeps versions if `isVersioned`. */
export async function startSwift(folder: string, { isVersioned = false } = {}): Promise<Swift> {
  const debian = join(folder, 'debian');
  const libraries = await unpackDebian(debian, [...KINDS.map((kind) => `swift-${kind}`), 'swift-proxy', 'memcached']);
  const modules = join(debian, 'usr/lib/python3/dist-packages');
  const settings = join(folder, 'etc');
  mkdirSync(settings);
  mkdirSync(join(folder, 'devices/d1'), { recursive: true });
  patch(modules, settings);
  const env = { ...Bun.env, PYTHONPATH: modules, LD_LIBRARY_PATH: libraries };
  const program = (name: string) => join(debian, 'usr/bin', name);
  const started: Array<ReturnType<typeof Bun.spawn>> = [];
  const start = (command: string[]) => {
    started.push(Bun.spawn(command, { env, cwd: settings, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }));
  };
  const [proxyPort, cachePort] = [freePort(), freePort()];
  for (const kind of KINDS) {
    const port = freePort();
    for (const step of [['create', '4', '1', '1'], ['add', `r1z1-127.0.0.1:${port}/d1`, '1'], ['rebalance']]) {
      const command = [PYTHON, program('swift-ring-builder'), `${kind}.builder`, ...step];
      await Bun.spawn(command, { env, cwd: settings, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }).exited;
    }
    writeFileSync(join(settings, `${kind}.conf`), storageSettings(folder, kind, port));
    start([PYTHON, program(`swift-${kind}-server`), join(settings, `${kind}.conf`)]);
  }
  writeFileSync(join(settings, 'proxy.conf'), proxySettings(folder, proxyPort, cachePort));
  start([program('memcached'), '-u', 'root', '-l', '127.0.0.1', '-p', String(cachePort), '-m', '16']);
  start([PYTHON, program('swift-proxy-server'), join(settings, 'proxy.conf')]);
  const endpoint = `http://127.0.0.1:${proxyPort}`;
  await until(() => createBucket(endpoint, isVersioned), 'Swift to create a bucket', START_MS);
  return {
    endpoint,
    bucket: BUCKET,
    credentials: { accessKeyId: 'test.tester', secretAccessKey: 'testing', sessionToken: null },
    stop: async () => {
      for (const child of started) child.kill('SIGTERM');
      await Promise.all(started.map(({ exited }) => exited));
    },
  };
}

/** Moves `/etc/swift`, and accepts `test.tester` for `test:tester`: Bun signs a colon in another way than Swift. */
function patch(modules: string, settings: string): void {
  const swift = join(modules, 'swift');
  for (const name of readdirSync(swift, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.py')) continue;
    const text = readFileSync(join(swift, name), 'utf8');
    const changed = text
      .replaceAll('/etc/swift', settings)
      .replace(
        /^( +)(self\.access_key, self\.signature = self\._parse_auth_info\(\))$/m,
        "$1$2\n$1self.access_key = self.access_key.replace('.', ':')",
      );
    if (changed !== text) writeFileSync(join(swift, name), changed);
  }
  writeFileSync(
    join(settings, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n[storage-policy:0]\nname = one\ndefault = yes\n',
  );
}

function storageSettings(folder: string, kind: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = root
swift_dir = ${folder}/etc
devices = ${folder}/devices
mount_check = false
workers = 0
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;
}

function proxySettings(folder: string, port: number, cachePort: number): string {
  const filters = ['catch_errors', 'gatekeeper', 'cache', 'listing_formats', 's3api', 'tempauth', 'copy', 'bulk'];
  const options: Record<string, string> = {
    cache: `memcache_servers = 127.0.0.1:${cachePort}`,
    s3api: 'location = us-east-1',
    tempauth: 'user_test_tester = testing .admin',
  };
  const sections = filters.map(
    (name) => `[filter:${name}]\nuse = egg:swift#${name === 'cache' ? 'memcache' : name}\n${options[name] ?? ''}\n`,
  );
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = root
swift_dir = ${folder}/etc
workers = 0
[pipeline:main]
pipeline = ${filters.join(' ')} slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_object_versioning = true
[filter:symlink]
use = egg:swift#symlink
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
${sections.join('')}`;
}

/** Creates the bucket by Swift's own interface. Returns false if it does not answer yet. */
async function createBucket(endpoint: string, isVersioned: boolean): Promise<boolean> {
  try {
    const headers = { 'X-Auth-User': 'test:tester', 'X-Auth-Key': 'testing' };
    const token = (await fetch(`${endpoint}/auth/v1.0`, { headers })).headers.get('x-auth-token') ?? '';
    const options = { method: 'PUT', headers: { 'X-Auth-Token': token, 'X-Versions-Enabled': String(isVersioned) } };
    return (await fetch(`${endpoint}/v1/AUTH_test/${BUCKET}`, options)).ok;
  } catch {
    return false;
  }
}

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackDebian } from './debian.ts';

/**
 * Builds the image with the Dockerfile of this project and runs it, without an engine and without a registry: buildah
 * from Debian builds it over bases made of Debian's packages, which stand in for those that the Dockerfile names. Needs
 * root, because both change the root directory and mount.
 */

export type Architecture = 'amd64' | 'arm64';

export const NATIVE: Architecture = process.arch === 'arm64' ? 'arm64' : 'amd64';

/** What the image says about its process. */
type ImageConfig = Readonly<{
  User: string;
  Env: readonly string[];
  Entrypoint: readonly string[];
  Cmd: readonly string[];
  WorkingDir: string;
  Volumes: Readonly<Record<string, object>>;
  Labels: Readonly<Record<string, string>>;
  Healthcheck: Readonly<{ Test: readonly string[] }>;
}>;

export type Image = Readonly<{
  config: ImageConfig;
  /**
   * Starts a command line in a container: as the image's user, on a read-only root file system, without new privileges,
   * with `volume` at /data and the network of this machine. The process is that of the command.
   */
  spawn: (
    command: readonly string[],
    volume: string,
    env?: Record<string, string>,
  ) => Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
}>;

const ROOT = join(import.meta.dir, '../..');
/** Downloads, kept between runs. */
const CACHE = join(tmpdir(), 'formstead-image');
/** The emulator of another architecture. Its processor with vector extensions crashes Bun. */
const EMULATOR = ['/qemu-aarch64-static', '-cpu', 'cortex-a72'];

/** Mounts what a container gets, leaves root, and becomes the command. */
const ENTER = `set -e
root=$1 volume=$2 user=$3
shift 3
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$volume" "$root/data"
mount -o remount,ro,bind "$root"
exec setpriv --no-new-privs chroot --userspec="$user" "$root" "$@"`;

/** Runs buildah with its libraries, which it also needs where it has changed its environment. */
const WITH_LIBRARIES = `mount -t overlay overlay -o lowerdir="$1:$2" "$2" && shift 2 && exec "$@"`;

/** Builds the image in `folder`, which the caller removes. Throws where that is impossible, with the reason. */
export async function buildImage(folder: string, architecture: Architecture): Promise<Image> {
  await requireRoot();
  const libraries = await unpackOnce('buildah', ['buildah']);
  const buildah = await openBuildah(folder, libraries);
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const [builder = '', base = ''] = Array.from(
    dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm),
    ([, name]) => name,
  );
  if (builder !== `oven/bun:${Bun.version}`) throw new Error(`The Dockerfile uses ${builder}, not Bun ${Bun.version}.`);
  // Both say that they are for the platform of the image; the builder's programs are those of this machine.
  await makeBase(buildah, folder, architecture, 'builder', await builderFiles(folder));
  await makeBase(buildah, folder, architecture, 'base', await packagesFor(architecture, ['base-files', 'libc6']));
  await buildah(
    ...['bud', '--pull-never', '--format=docker', `--platform=linux/${architecture}`, '--tag=localhost/formstead'],
    ...[`--build-arg=BUILDARCH=${NATIVE}`, `--build-arg=FORMSTEAD_COMMIT=${'0123456789ab'.repeat(3)}abcd`],
    `--build-context=${builder}=container-image://localhost/builder`,
    `--build-context=${base}=container-image://localhost/base`,
    ROOT,
  );
  const { Docker } = JSON.parse(await buildah('inspect', '--type=image', 'localhost/formstead'));
  const container = await buildah('from', '--pull-never', `--platform=linux/${architecture}`, 'localhost/formstead');
  const root = await buildah('mount', container);
  const emulator = architecture === NATIVE ? [] : EMULATOR;
  if (emulator.length > 0) {
    await unpackOnce('qemu', ['qemu-user-static']);
    await cp(join(CACHE, 'qemu/usr/bin/qemu-aarch64-static'), join(root, 'qemu-aarch64-static'));
  }
  const config: ImageConfig = Docker.config;
  return {
    config,
    spawn: (command, volume, env = {}) => {
      const own = Object.fromEntries(config.Env.map((line) => line.split(/=(.*)/s, 2)));
      return Bun.spawn(
        ['unshare', '--mount', 'sh', '-c', ENTER, 'sh', root, volume, config.User, ...emulator, ...command],
        { env: { PATH: Bun.env.PATH, ...own, ...env }, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
      );
    },
  };
}

async function requireRoot(): Promise<void> {
  const why = 'This test builds and runs the image, which needs';
  if (process.getuid?.() !== 0) throw new Error(`${why} root. Run the suite as root.`);
  await run(['unshare', '--mount', 'true']).catch(() => {
    throw new Error(`${why} permission to mount. Start the container of the tests with --privileged.`);
  });
}

type Buildah = (...args: string[]) => Promise<string>;

async function openBuildah(folder: string, libraries: string): Promise<Buildah> {
  const at = (name: string) => join(folder, name);
  writeFileSync(at('policy.json'), '{"default":[{"type":"insecureAcceptAnything"}]}');
  writeFileSync(at('registries.conf'), 'unqualified-search-registries = []');
  const [graph, state] = [at('storage'), at('run')];
  writeFileSync(at('storage.conf'), `[storage]\ndriver = "vfs"\ngraphroot = "${graph}"\nrunroot = "${state}"\n`);
  const env = {
    ...{ ...Bun.env, BUILDAH_ISOLATION: 'chroot', XDG_RUNTIME_DIR: folder, TMPDIR: folder },
    ...{ CONTAINERS_STORAGE_CONF: at('storage.conf'), CONTAINERS_REGISTRIES_CONF: at('registries.conf') },
  };
  const program = join(CACHE, 'buildah/usr/bin/buildah');
  const target = libraries.slice(join(CACHE, 'buildah').length);
  return (command, ...args) => {
    const policy = command === 'bud' || command === 'from' ? [`--signature-policy=${at('policy.json')}`] : [];
    const inside = ['sh', '-c', WITH_LIBRARIES, 'sh', libraries, target];
    return run(['unshare', '--mount', ...inside, program, command ?? '', ...policy, ...args], env);
  };
}

/** Makes a base of the files of folders. */
async function makeBase(
  buildah: Buildah,
  folder: string,
  architecture: Architecture,
  name: string,
  files: string,
): Promise<void> {
  const dockerfile = join(folder, `${name}.Dockerfile`);
  const trust = 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt';
  writeFileSync(dockerfile, `FROM scratch\nCOPY . /\n${name === 'builder' ? trust : ''}\n`);
  await buildah(
    'bud',
    '-q',
    `--platform=linux/${architecture}`,
    `--file=${dockerfile}`,
    `--tag=localhost/${name}`,
    files,
  );
}

/** Returns a folder with Bun, a shell and the certificates of this machine. */
async function builderFiles(folder: string): Promise<string> {
  const root = join(folder, 'builder');
  await cp(await packagesFor(NATIVE, ['base-files', 'libc6', 'busybox-static']), root, { recursive: true });
  for (const name of ['sh', 'mkdir']) symlinkSync('busybox', join(root, 'bin', name));
  const bundle = Bun.env.SSL_CERT_FILE ?? '/etc/ssl/certs/ca-certificates.crt';
  await cp(process.execPath, join(root, 'usr/local/bin/bun'));
  await cp(bundle, join(root, 'etc/ssl/certs/ca-certificates.crt'));
  return root;
}

/** Returns a folder with the unpacked packages of an architecture, which this machine may lack in its lists. */
async function packagesFor(architecture: Architecture, packages: readonly string[]): Promise<string> {
  const folder = join(CACHE, `${architecture}-${packages.join('-')}`);
  const root = join(folder, 'root');
  if (existsSync(join(folder, 'complete'))) return root;
  for (const name of ['lists/partial', 'cache/archives/partial', 'root'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'status'), '');
  const options = Object.entries({
    ...{ 'APT::Architecture': architecture, 'APT::Architectures::': architecture, 'Debug::NoLocking': '1' },
    ...{ 'Dir::State': folder, 'Dir::State::status': join(folder, 'status'), 'Dir::Cache': join(folder, 'cache') },
  }).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  await run(['apt-get', ...options, '-q', 'update']);
  await run(['apt-get', ...options, '-q', 'download', ...packages], Bun.env, folder);
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.deb'))) {
    await run(['dpkg-deb', '-x', join(folder, name), root]);
  }
  writeFileSync(join(folder, 'complete'), '');
  return root;
}

/** Unpacks programs of Debian once, and returns the folder of their libraries. */
async function unpackOnce(name: string, packages: readonly string[]): Promise<string> {
  const folder = join(CACHE, name);
  const mark = join(folder, 'libraries');
  if (existsSync(mark)) return readFileSync(mark, 'utf8');
  rmSync(folder, { recursive: true, force: true });
  const libraries = await unpackDebian(folder, packages);
  writeFileSync(mark, libraries);
  return libraries;
}

/** Runs a program and returns its output. Throws with its error output. */
async function run(
  command: readonly string[],
  env: Record<string, string | undefined> = Bun.env,
  cwd = '/',
): Promise<string> {
  const child = Bun.spawn([...command], { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${stderr.slice(-4_000)}`);
  return stdout.trim();
}

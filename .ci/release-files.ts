import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { packTar } from 'modern-tar';

/**
 * Builds the files of a release into `dist/release`: `bun .ci/release-files.ts [system…]`. These are one archive per
 * platform, or only those of the named systems; install.sh with the address of the repository; the bill of materials;
 * and SHA256SUMS of everything in the folder. Archives of the same source and commit are identical byte for byte.
 */

/** Names of downloads and the targets of `bun build` behind them. Bun's x64 build for Linux needs no AVX2. */
const TARGETS = {
  'linux-x64': 'bun-linux-x64',
  'linux-x64-musl': 'bun-linux-x64-musl',
  'linux-arm64': 'bun-linux-arm64',
  'linux-arm64-musl': 'bun-linux-arm64-musl',
  'darwin-x64': 'bun-darwin-x64',
  'darwin-arm64': 'bun-darwin-arm64',
  'windows-x64': 'bun-windows-x64',
} as const;

type Platform = keyof typeof TARGETS;
type ArchiveFile = Readonly<{ name: string; mode: number; bytes: Uint8Array<ArrayBuffer> }>;

const ROOT = join(import.meta.dir, '..');
const OUT = join(ROOT, 'dist/release');
/** Fixed time of files in archives. ZIP knows none before 1980. */
const TIME = new Date('1980-01-01T12:00:00Z');

/** Builds the binary for a platform and returns its bytes. */
async function build(platform: Platform): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(ROOT, 'dist/binaries', platform, 'formstead');
  await run('bun', '.ci/build.ts', `--target=${TARGETS[platform]}`, `--outfile=${path}`);
  // The x64 binary still has the signature of the bare runtime, which does not match.
  if (platform.startsWith('darwin') && process.platform === 'darwin') {
    await run('codesign', '--remove-signature', path);
    await run('codesign', '--sign', '-', path);
    await run('codesign', '--verify', '--strict', path);
  }
  return await Bun.file(platform.startsWith('windows') ? `${path}.exe` : path).bytes();
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')} failed. Its output is above.`);
}

/** Writes the archive of a platform: a ZIP for Windows, a compressed tar for all others. */
async function writeArchive(platform: Platform): Promise<void> {
  const isWindows = platform.startsWith('windows');
  const files: ArchiveFile[] = [
    { name: isWindows ? 'formstead.exe' : 'formstead', mode: 0o755, bytes: await build(platform) },
    { name: 'LICENSE', mode: 0o644, bytes: await Bun.file(join(ROOT, 'LICENSE')).bytes() },
  ];
  const name = `formstead-${platform}${isWindows ? '.zip' : '.tar.gz'}`;
  await Bun.write(join(OUT, name), isWindows ? zip(files) : await tarGz(files));
}

function zip(files: readonly ArchiveFile[]): Uint8Array<ArrayBuffer> {
  const entries = files.map(({ name, bytes }) => [name, bytes] as const);
  return zipSync(Object.fromEntries(entries), { mtime: TIME }) as Uint8Array<ArrayBuffer>;
}

async function tarGz(files: readonly ArchiveFile[]): Promise<Uint8Array<ArrayBuffer>> {
  const entries = files.map(({ name, mode, bytes }) => ({
    header: { name, mode, size: bytes.length, mtime: TIME, uid: 0, gid: 0 },
    body: bytes,
  }));
  return Bun.gzipSync((await packTar(entries)) as Uint8Array<ArrayBuffer>, { level: 9 });
}

/** Writes install.sh with the address that it downloads from. */
async function writeInstaller(): Promise<void> {
  const { GITHUB_SERVER_URL = 'https://github.com', GITHUB_REPOSITORY } = Bun.env;
  if (!GITHUB_REPOSITORY) throw new Error('GITHUB_REPOSITORY is not set. Set it to OWNER/REPOSITORY.');
  const script = await Bun.file(join(import.meta.dir, 'install.sh')).text();
  const filled = script.replace("'@RELEASES@'", `'${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/releases'`);
  await Bun.write(join(OUT, 'install.sh'), filled);
}

async function writeSbom(): Promise<void> {
  await run('bun', '.ci/sbom.ts');
  await Bun.write(join(OUT, 'formstead.cdx.json'), Bun.file(join(ROOT, 'dist/formstead.cdx.json')));
}

async function writeChecksums(): Promise<void> {
  const names = readdirSync(OUT).filter((name) => name !== 'SHA256SUMS');
  const lines = names.sort().map(async (name) => {
    const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(join(OUT, name)).bytes());
    return `${hash.digest('hex')}  ${name}\n`;
  });
  await Bun.write(join(OUT, 'SHA256SUMS'), (await Promise.all(lines)).join(''));
}

const systems = Bun.argv.slice(2);
const platforms = Object.keys(TARGETS) as Platform[];
for (const platform of platforms) {
  if (systems.length === 0 || systems.some((system) => platform.startsWith(system))) await writeArchive(platform);
}
await writeInstaller();
await writeSbom();
await writeChecksums();

import { expect, test } from 'bun:test';
import { dirname, join, relative } from 'node:path';

const SRC = join(import.meta.dir, '../../src');

/** Parts that the engines share. */
const OF_ENGINES = [
  ...[
    'accept-decision',
    'counters',
    'choose-lanes',
    'database',
    'group-commit',
    'map-methods',
    'migrations',
    'schema',
    'sealed-tables',
    'submission-row',
    'unavailable',
  ].map((name) => `storage/${name}.ts`),
  'storage/stores',
];

const PORTS = [
  ...[
    'store',
    'records',
    'movable-tables',
    'at-rest',
    'blobs',
    'quarantine',
    'sole-writer',
    'data-dir',
    'disk-watch',
  ].map((name) => `storage/${name}.ts`),
  'mail/mailer.ts',
];
const BELOW = ['domain', 'lib'];
/** The kinds of webhooks with their settings and texts, which entrances list. */
const KINDS = 'delivery/targets/index.ts';
const FOR_ENTRANCES = ['intake', 'spam', 'services', KINDS, 'http', ...PORTS, ...BELOW, '../package.json'];

/**
 * Who may import whom, by the longest prefix of a path. `type` marks what may be imported as types only. Whatever is not
 * named here may import nothing, so a new folder needs a line.
 */
const MAY_IMPORT: Record<string, { from: string[]; types?: string[] }> = {
  lib: { from: ['lib'] },
  domain: { from: BELOW },
  'storage/records.ts': { from: BELOW },
  'storage/store.ts': { from: ['storage/records.ts', ...BELOW], types: ['storage/stores'] },
  'storage/map-methods.ts': { from: [] },
  'storage/accept-decision.ts': { from: ['storage/counters.ts', 'storage/records.ts', ...BELOW] },
  'storage/counters.ts': { from: BELOW },
  'storage/movable-tables.ts': { from: ['storage/records.ts', ...BELOW] },
  'storage/move-mark.ts': { from: BELOW },
  'storage/submission-row.ts': { from: ['storage/records.ts', ...BELOW], types: ['storage/accept-decision.ts'] },
  'storage/choose-lanes.ts': { from: ['storage/records.ts', ...BELOW] },
  'storage/database.ts': { from: [] },
  'storage/migrations.ts': { from: BELOW },
  'storage/schema.ts': { from: BELOW, types: ['storage/records.ts'] },
  'storage/unavailable.ts': { from: BELOW },
  'storage/stores': {
    from: [
      ...['storage/stores', 'storage/accept-decision.ts', 'storage/counters.ts'],
      'storage/database.ts',
      ...['storage/schema.ts', 'storage/sealed-tables.ts'],
      ...['storage/records.ts', 'storage/unavailable.ts', ...BELOW],
    ],
  },
  'storage/group-commit.ts': { from: BELOW },
  'storage/sealed-tables.ts': { from: ['storage/records.ts', ...BELOW] },
  'storage/blobs.ts': { from: BELOW },
  'storage/sole-writer.ts': { from: ['storage/blobs.ts', ...BELOW] },
  'storage/at-rest.ts': { from: ['storage/records.ts', ...BELOW] },
  'storage/data-dir.ts': { from: BELOW },
  'storage/quarantine.ts': { from: ['storage/blobs.ts', ...BELOW] },
  'storage/disk-watch.ts': { from: BELOW },
  'storage/watched-store.ts': { from: ['storage/sqlite', 'storage/map-methods.ts', ...PORTS, ...BELOW] },
  'mail/mailer.ts': { from: BELOW },
  mail: { from: ['mail', 'vault', ...PORTS, ...BELOW] },
  'storage/disk': { from: ['storage/disk', ...PORTS, ...BELOW] },
  'storage/sqlite': {
    from: ['storage/sqlite', 'storage/move-mark.ts', ...OF_ENGINES, ...PORTS, ...BELOW, '../drizzle'],
  },
  'storage/postgres': { from: ['storage/postgres', ...OF_ENGINES, ...PORTS, ...BELOW, '../drizzle'] },
  'storage/layered-blobs.ts': { from: ['storage/blobs.ts'] },
  'storage/s3': { from: ['storage/s3', ...PORTS, ...BELOW] },
  vault: { from: ['vault', ...PORTS, ...BELOW] },
  delivery: { from: ['delivery', 'mail', 'vault', ...PORTS, ...BELOW] },
  spam: { from: ['spam', 'vault', ...PORTS, ...BELOW] },
  intake: { from: ['intake', 'spam', 'vault', ...PORTS, ...BELOW] },
  imports: { from: ['imports', 'intake', 'vault', ...PORTS, ...BELOW] },
  services: { from: ['services', 'mail', 'delivery', 'vault', ...PORTS, ...BELOW] },
  jobs: { from: ['jobs', 'services', 'spam', 'vault', ...PORTS, ...BELOW] },
  http: { from: ['http', ...PORTS, ...BELOW] },
  api: { from: ['api', ...FOR_ENTRANCES], types: ['context'] },
  'api/openapi': { from: ['api/openapi', 'http', ...BELOW, '../package.json'], types: ['api/operation.ts'] },
  // It previews what visitors see.
  dashboard: {
    from: [
      'dashboard',
      'visitor/hosted-page.tsx',
      'visitor/look.ts',
      'visitor/page.tsx',
      'visitor/i18n/index.ts',
      ...FOR_ENTRANCES,
    ],
    types: ['context'],
  },
  visitor: { from: ['visitor', 'api/openapi', ...FOR_ENTRANCES], types: ['context'] },
  docs: {
    from: ['docs', 'api/openapi', 'manual', 'services/setup/setup-file.ts', 'http', ...BELOW],
    types: ['context', 'api/operation.ts'],
  },
  client: { from: ['client'] },
  manual: { from: [] },
  cli: {
    from: ['../package.json', 'version.ts', 'cli', 'imports', 'services', KINDS, 'vault', ...PORTS, ...BELOW],
    types: ['context'],
  },
  'version.ts': { from: ['../package.json'] },
  config: { from: ['config', 'vault', ...BELOW] },
  'context/context.ts': {
    from: ['config', 'context', 'http', 'jobs', 'mail', 'delivery', 'services', 'vault', 'storage', ...BELOW],
    types: ['version.ts'],
  },
  'context/server-context.ts': { from: ['http', 'intake'], types: ['context'] },
  context: { from: ['context', 'storage', ...BELOW], types: ['config'] },
  'context/open-move.ts': {
    from: ['config/config.ts', 'context/context.ts', 'services', 'vault', 'storage', ...BELOW],
  },
  'app.ts': {
    from: ['api', 'context/server-context.ts', 'dashboard', 'docs', 'visitor', 'http', 'intake', ...BELOW],
    types: ['context'],
  },
  'serve.ts': { from: ['app.ts', 'http', 'services', 'vault', ...BELOW], types: ['context'] },
  'bin.js': { from: ['bun-version.js', 'main.ts'] },
  'main.ts': {
    from: ['config', 'demo/demo.ts', 'run-program.ts', 'serve.ts', 'version.ts'],
    types: ['cli/command.ts'],
  },
  demo: {
    from: [
      ...['demo', 'config/config.ts', 'context', 'serve.ts', 'visitor/receiver.ts', 'dashboard/demo/paths.ts'],
      ...['mail/memory-mailer.ts', 'services', ...BELOW],
    ],
  },
  'run-program.ts': { from: ['config', 'context', 'cli', ...BELOW], types: ['version.ts'] },
  testing: {
    from: [
      'testing',
      'bun-version.js',
      'config/config.ts',
      'context/context.ts',
      'serve.ts',
      'services',
      'mail/memory-mailer.ts',
      ...PORTS,
      ...BELOW,
    ],
  },
};

/** Packages that only these places may name. */
const ONLY_IN: Record<string, string[]> = {
  'drizzle-orm': ['storage/database.ts', 'storage/schema.ts', 'storage/sqlite', 'storage/postgres', 'storage/stores'],
  pg: ['storage/postgres'],
  'bun:sqlite': ['storage/sqlite'],
  elysia: ['app.ts', 'http', 'api', 'docs', 'visitor', 'dashboard/runner.ts'],
  '@elysiajs/bearer': ['api'],
  '@modelcontextprotocol/server': ['api/mcp/server.ts'],
  hono: ['dashboard', 'visitor', 'docs', 'mail', 'lib/markup.ts'],
  commander: ['cli'],
  yaml: ['services/setup'],
  nodemailer: ['mail/smtp.ts'],
  'altcha-lib': ['intake/challenge'],
  'csv-stringify': ['services'],
  'csv-parse': ['imports'],
  'client-zip': ['services'],
  fflate: ['services'],
  minisearch: ['docs/search.ts'],
  'file-type': ['intake'],
  'content-disposition': ['intake/decode', 'http'],
  re2js: ['domain'],
  'openid-client': ['services/users/oidc-provider.ts'],
  otpauth: ['services/users/second-factor.ts'],
  '@simplewebauthn/server': ['services/users/passkeys.ts'],
  '@simplewebauthn/browser': ['dashboard/users/passkeys/script.js'],
  uqr: ['dashboard/users/account/second-factor.tsx'],
  '@zxcvbn-ts/language-common': ['domain/users/password.ts'],
  react: ['client/react.ts'],
  vue: ['client/vue.ts'],
};

type Import = Readonly<{ file: string; target: string; typeOnly: boolean; onDemand: boolean }>;

async function importsOf(file: string): Promise<Import[]> {
  const text = await Bun.file(join(SRC, file)).text();
  const found = text.matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'|import\('([^']+)'\)/g);
  return Array.from(found, ([, type, fixed, dynamic]) => {
    const target = fixed ?? dynamic ?? '';
    const path = target.startsWith('.') ? relative(SRC, join(SRC, dirname(file), target)) : target;
    return { file, target: path, typeOnly: type !== undefined, onDemand: fixed === undefined };
  });
}

function isUnder(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

const files = Array.from(new Bun.Glob('**/*.{ts,tsx,js}').scanSync(SRC)).filter((file) => !file.endsWith('.d.ts'));
const imports = (await Promise.all(files.map(importsOf))).flat();

test('every import goes in an allowed direction', () => {
  const isAllowed = ({ file, target, typeOnly }: Import) => {
    const room = Object.keys(MAY_IMPORT)
      .filter((place) => isUnder(file, place))
      .sort((a, b) => b.length - a.length)[0];
    const { from = [], types = [] } = MAY_IMPORT[room ?? ''] ?? {};
    return [...from, ...(typeOnly ? types : [])].some((place) => isUnder(target, place));
  };
  const own = imports.filter(({ target }) => files.includes(target) || target.startsWith('../'));
  expect(own.length).toBeGreaterThan(100);
  expect(own.filter((edge) => !isAllowed(edge)).map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
});

/** The folder of a page's feature, such as `forms/new`; null for what all features share, such as their texts and styles. */
function featureOf(path: string): string | null {
  const [, noun = '', inner = ''] = path.startsWith('dashboard/') ? path.split('/') : [];
  if (!noun || /\/(texts\.ts|assets\.ts|[a-z]+\.css|script\.js)$/.test(path) || noun.includes('.') || noun === 'ui')
    return null;
  return !inner || inner.includes('.') ? noun : `${noun}/${inner}`;
}

test('no feature of the dashboard imports another', () => {
  const features = new Set(files.map(featureOf).filter((feature) => feature !== null));
  expect(features.size).toBeGreaterThan(10);
  const strays = imports.filter(({ file, target }) => {
    if (!isUnder(file, 'dashboard') || file === 'dashboard/index.ts') return false;
    const other = featureOf(target);
    return other !== null && other !== featureOf(file);
  });
  expect(strays.map(({ file, target }) => `${file} -> ${target}`)).toEqual([]);
});

test('a server without requests to the dashboard loads nothing of it but the guard of a demo', () => {
  const loaded = new Set(['serve.ts']);
  for (const file of loaded) {
    for (const edge of imports) if (edge.file === file && !edge.typeOnly && !edge.onDemand) loaded.add(edge.target);
  }
  expect(loaded.size).toBeGreaterThan(100);
  expect([...loaded].filter((file) => isUnder(file, 'dashboard')).sort()).toEqual([
    'dashboard/demo/guard.ts',
    'dashboard/demo/paths.ts',
  ]);
});

test('every package is named only where it may be', () => {
  const strays = imports.filter(({ file, target }) =>
    Object.entries(ONLY_IN).some(
      ([name, places]) => isUnder(target, name) && !places.some((place) => isUnder(file, place)),
    ),
  );
  expect(strays).toEqual([]);
});

test('only main.ts, bin.js and the server of tests touch the process', async () => {
  const texts = await Promise.all(files.map(async (file) => [file, await Bun.file(join(SRC, file)).text()] as const));
  const touching = texts.filter(([, text]) => /\bprocess\.[a-z]|\bBun\.env\b/.test(text)).map(([file]) => file);
  expect(touching.filter((file) => !isUnder(file, 'testing')).sort()).toEqual(['bin.js', 'main.ts']);
});

test('every .tsx file names its JSX runtime, and its lines have at most 120 columns', async () => {
  const components = files.filter((file) => file.endsWith('.tsx'));
  expect(components.length).toBeGreaterThan(3);
  for (const file of components) {
    const lines = (await Bun.file(join(SRC, file)).text()).split('\n');
    // Bun takes JSX settings from the tsconfig.json of the working directory, which may be any project.
    expect([file, lines[0]]).toEqual([file, '/** @jsxRuntime automatic @jsxImportSource hono/jsx */']);
    expect([file, lines.filter((line) => line.length > 120)]).toEqual([file, []]);
  }
});

/** Returns the files that import each other in a circle with a file; empty if there are none. */
function circleOf(file: string, targets: ReadonlyMap<string, readonly string[]>): string[] {
  const reached = (start: string) => {
    const seen = new Set<string>();
    const open = [...(targets.get(start) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (!seen.has(next)) open.push(...(targets.get(next) ?? []));
      seen.add(next);
    }
    return seen;
  };
  const below = reached(file);
  return below.has(file) ? [...below].filter((other) => reached(other).has(file)).sort() : [];
}

test('no files import each other in a circle', () => {
  const targets = new Map(files.map((file) => [file, [] as string[]]));
  for (const { file, target } of imports) if (targets.has(target)) targets.get(file)?.push(target);
  const circles = new Set(files.map((file) => circleOf(file, targets).join(', ')).filter((circle) => circle !== ''));
  expect([...circles]).toEqual([]);
});

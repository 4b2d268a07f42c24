import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, CHAPTERS, commandFolder, commandsOf, DOCUMENTS } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';
import { spawnServer } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';

const QUICK_START = 'src/manual/quick-start.md';

/** Named blocks and the test file that runs each of them. */
const RUN_BY: Readonly<Record<string, string>> = {
  server: 'release/readme.test.ts',
  binary: 'release/readme.test.ts',
  test: 'release/readme.test.ts',
  ...named('release/package.test.ts', 'bunx npx'),
  ...named('release/deployment.test.ts', 'build targets service compose container scrape litestream'),
  ...named('browser/examples.test.ts', 'plain quick csp upload fetch astro altcha honeypot'),
  ...named('browser/frameworks.test.ts', 'react vue svelte'),
  ...named('fast/client/forward.test.ts', 'sveltekit nextjs'),
  ...named('cli/backup/drill.test.ts', 'keep drill rehearse'),
  ...named('release/fail2ban.test.ts', 'filter jail'),
  ...named('release/install.test.ts', 'install provenance'),
  package: 'browser/core.test.ts',
  verify: 'fast/outbox/verify.test.ts',
  client: 'release/client-package.test.ts',
  sheets: 'cli/webhook.test.ts',
  ...named('cli/mcp.test.ts', 'cursor vscode'),
  haproxy: '../.ci/torture/rolling-deploys.ts',
  account: 'slow/storage/postgres-instances.test.ts',
  ...named('crash/postgres-pooler.test.ts', 'pgbouncer role'),
  ...named('release/processes.test.ts', 'processes secrets deploy'),
  ...named('release/proxies.test.ts', 'caddy nginx apache traefik traefik-routes'),
  ...named('release/recipes.test.ts', 'next-page svelte-page contact-form-7'),
  ...named('release/platforms.test.ts', 'platform fly'),
  ...named('release/proxy-sign-in.test.ts', 'caddy-sign-in nginx-sign-in'),
  logrotate: 'release/log-rotation.test.ts',
  ...named('release/testing.test.ts', 'page-to-test page-test vitest'),
  revert: 'cli/upgrade.test.ts',
  ...named('cli/move.test.ts', 'move move-back'),
  ...named('release/postgres-backup.test.ts', 'dump rclone restore-dump'),
};

function named(file: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, file]));
}

test.each(CHAPTERS)('the commands of %s work in order', async (chapter) => {
  const folder = temporaryDir();
  const dataDir = join(folder, 'data');
  const smtp = await startSmtp();
  const server = await spawnServer(dataDir, { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.com' });
  try {
    const bin = await commandFolder(folder);
    const commands = chapter === QUICK_START ? commandsOf(chapter) : commandsOf(QUICK_START) + commandsOf(chapter);
    const shell = Bun.spawn(
      ['bash', '-euo', 'pipefail', '-c', commands.replaceAll('http://127.0.0.1:3000', server.url)],
      {
        cwd: folder,
        env: {
          PATH: `${bin}:${Bun.env.PATH}`,
          DATA_DIR: dataDir,
          PORT: new URL(server.url).port,
          SMTP_URL: smtp.url,
          MAIL_FROM: 'forms@example.com',
        },
        stdin: 'ignore',
        stdout: 'pipe',
        stderr: 'pipe',
      },
    );
    const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
    expect({ code, stderr: code === 0 ? '' : stderr + stdout }).toEqual({ code: 0, stderr: '' });
  } finally {
    await server.end();
    await smtp.stop();
    rmSync(folder, { recursive: true });
  }
});

test('every block of README and manual is output or is run by a test', () => {
  const known = Object.keys(RUN_BY);
  const strays = DOCUMENTS.flatMap(blocksOf).filter(({ language, name }) => {
    if (name !== '') return !known.includes(name);
    // The unit is compared by cli/service.test.ts.
    return !['sh', 'text', 'ini'].includes(language);
  });
  expect(strays.map(({ file, line, language, name }) => `${file}:${line} ${language} ${name}`)).toEqual([]);
});

test('every named block occurs in the test that runs it', async () => {
  const missing = Object.entries(RUN_BY).map(async ([name, file]) => {
    const text = await Bun.file(join(import.meta.dir, '..', file)).text();
    return text.includes(`'${name}'`) || text.includes(`"${name}"`) ? null : `${name}: ${file}`;
  });
  expect((await Promise.all(missing)).filter((each) => each !== null)).toEqual([]);
});

import { expect, test } from 'bun:test';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { binaryOfSource } from '../support/binary.ts';
import { blocksOf, CHAPTERS, commandsOf, DOCUMENTS } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';
import { spawnServer } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';

const QUICK_START = 'src/manual/quick-start.md';

/** Named blocks, each with the test that runs it. `text` blocks are output. */
const RUN_BY: Readonly<Record<string, string>> = {
  server: 'release/readme.test.ts',
  binary: 'release/readme.test.ts',
};

test.each(CHAPTERS)('the commands of %s work one after the other', async (chapter) => {
  const folder = temporaryDir();
  const dataDir = join(folder, 'data');
  const smtp = await startSmtp();
  const server = await spawnServer(dataDir, { SMTP_URL: smtp.url, MAIL_FROM: 'forms@example.com' });
  try {
    const command = join(folder, 'bin/formstead');
    await Bun.write(command, `#!/bin/sh\nexec '${await binaryOfSource()}' "$@"\n`);
    chmodSync(command, 0o755);
    const commands = chapter === QUICK_START ? commandsOf(chapter) : commandsOf(QUICK_START) + commandsOf(chapter);
    const shell = Bun.spawn(
      ['bash', '-euo', 'pipefail', '-c', commands.replaceAll('http://127.0.0.1:3000', server.url)],
      {
        cwd: folder,
        env: {
          PATH: `${join(folder, 'bin')}:${Bun.env.PATH}`,
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

test('every block of the README and the manual is output, a command that is run in order, or run by a test', () => {
  const known = Object.keys(RUN_BY);
  const strays = DOCUMENTS.flatMap(blocksOf).filter(({ language, name }) => {
    if (name !== '') return !known.includes(name);
    return language !== 'sh' && language !== 'text';
  });
  expect(strays.map(({ file, line, language, name }) => `${file}:${line} ${language} ${name}`)).toEqual([]);
});

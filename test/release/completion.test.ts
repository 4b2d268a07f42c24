import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebian } from '../support/debian.ts';
import { temporaryDir } from '../support/instance.ts';
import { formstead } from '../support/process.ts';
import { limit } from '../support/speed.ts';

const folder = temporaryDir();
afterAll(() => rmSync(folder, { recursive: true }));

let libraries = '';
beforeAll(async () => {
  libraries = await unpackDebian(folder, ['zsh', 'fish']);
  for (const shell of ['zsh', 'fish']) {
    const { stdout } = await formstead(join(folder, 'data'), ['completion', shell]);
    writeFileSync(join(folder, `formstead.${shell}`), stdout);
  }
  writeFileSync(join(folder, '.zshrc'), ZSHRC);
}, limit(120));

/** Settings of the shell that completes: a plain prompt, and a key that lists the completions. */
const ZSHRC = `
module_path=($LIBRARIES/zsh/*(/))
fpath=($ZDOTDIR/usr/share/zsh/functions/**/*(/))
autoload -Uz compinit && compinit -D -u
source $ZDOTDIR/formstead.zsh
PS1='> '
bindkey '^I' list-choices
`;

/** Types a line and the key at a terminal, and prints all up to the line after the list. */
const TYPE = `
module_path=($LIBRARIES/zsh/*(/))
zmodload zsh/zpty
zpty shell $ZDOTDIR/bin/zsh -i
zpty -r shell out '*> *'
zpty -w -n shell "$1"$'\\t'
zpty -r shell out '*> formstead*'
print -r -- "$out"
zpty -d shell
`;

const LINES: ReadonlyArray<readonly [line: string, completions: readonly string[]]> = [
  ['formstead te', ['team']],
  ['formstead team member ', ['list', 'remove', 'set']],
  ['formstead key create --s', ['--scope']],
  ['formstead key create --scope ', ['read', 'read_write']],
  ['formstead team list --', ['--help', '--json']],
  ['formstead completion ', ['bash', 'fish', 'zsh']],
];

/** Runs a shell and returns its output. */
async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], {
    env: {
      PATH: Bun.env.PATH,
      HOME: folder,
      ZDOTDIR: folder,
      LIBRARIES: libraries,
      LD_LIBRARY_PATH: libraries,
      TERM: 'dumb',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  expect(stderr).toBe('');
  return stdout;
}

test.each(LINES)('zsh completes "%s"', async (line, completions) => {
  const output = await run([join(folder, 'bin/zsh'), '-f', '-c', TYPE, 'type', line]);
  const [, ...listed] = output.replaceAll('\r', '').split('\n');
  const words = listed
    .filter((text) => text.trim() !== '' && !text.startsWith('>'))
    .flatMap((text) =>
      text
        .replace(/ -- .*/, '')
        .trim()
        .split(/\s+/),
    );
  expect(words.sort()).toEqual([...completions]);
});

test.each(LINES)('fish completes "%s"', async (line, completions) => {
  const program = `source ${folder}/formstead.fish; complete -C '${line}'`;
  const output = await run([join(folder, 'usr/bin/fish'), '--no-config', '-c', program]);
  const words = output
    .split('\n')
    .filter(Boolean)
    .map((text) => text.split('\t')[0] ?? '');
  expect(words.sort()).toEqual([...completions]);
});

test('zsh and fish complete names of files where a command may take one', async () => {
  const line = `formstead apply ${folder}/formstead.`;
  const listed = await run([join(folder, 'bin/zsh'), '-f', '-c', TYPE, 'type', line]);
  expect(listed).toMatch(/formstead\.fish +formstead\.zsh/);
  const program = `source ${folder}/formstead.fish; complete -C '${line}'`;
  const names = await run([join(folder, 'usr/bin/fish'), '--no-config', '-c', program]);
  expect(names).toBe(`${folder}/formstead.fish\n${folder}/formstead.zsh\n`);
});

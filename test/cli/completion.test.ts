import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { formstead } from '../support/process.ts';
import { dataDirs, run } from './command-line.ts';

const fresh = dataDirs();

/** Returns the completions of bash for the last word of a command line. */
async function complete(script: string, ...words: string[]): Promise<string[]> {
  const line = ['formstead', ...words].map((word) => `'${word}'`).join(' ');
  const program = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}; _formstead; echo "\${COMPREPLY[@]}"`;
  const child = Bun.spawn(['bash', '--norc', '-uc', program], { stdout: 'pipe', stderr: 'inherit' });
  const [stdout, code] = await Promise.all([child.stdout.text(), child.exited]);
  expect(code).toBe(0);
  return stdout.split(/\s/).filter(Boolean);
}

describe('completion', () => {
  test('completes commands, options and choices in bash', async () => {
    const dataDir = fresh();
    // A file of settings that cannot be read must not break the start of a shell.
    const { code, stdout, stderr } = await formstead(dataDir, ['--env-file', '/none', 'completion', 'bash']);
    expect([code, stderr, existsSync(dataDir)]).toEqual([0, '', false]);
    const script = stdout;
    expect(await complete(script, 'tea')).toEqual(['team']);
    expect(await complete(script, 'team', '')).toEqual(['create', 'update', 'list', 'delete', 'member', '--help']);
    expect(await complete(script, 'team', 'member', 's')).toEqual(['set']);
    expect(await complete(script, 'key', 'create', '--')).toEqual([
      '--team',
      '--name',
      '--scope',
      '--form',
      '--expires-at',
      '--json',
      '--help',
    ]);
    expect(await complete(script, 'key', 'create', '--team', 'team_1', '--scope', '')).toEqual(['read', 'read_write']);
    expect(await complete(script, 'submission', 'export', '--format', 'x')).toEqual(['xlsx']);
    // A value is completed to names of files by bash itself, and a value that equals a command is not one.
    expect(await complete(script, 'key', 'create', '--name', '')).toEqual([]);
    expect(await complete(script, 'workspace', 'update', 'list', '--n')).toEqual(['--name']);
    expect(await complete(script, 'completion', '')).toEqual(['bash', 'zsh', 'fish', '--help']);
  });

  test('names every command in the scripts of all shells', async () => {
    const dataDir = fresh();
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await run(dataDir, ['completion', shell]);
      expect([shell, code]).toEqual([shell, 0]);
      for (const path of ["' webhook rotate-secret'", "' team member remove'", "' doctor'"]) {
        expect(stdout).toContain(path);
      }
    }
    expect(await run(dataDir, ['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Allowed choices are bash, zsh, fish'),
    });
  });
});

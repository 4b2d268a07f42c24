import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { formstead } from '../support/process.ts';
import { dataDirs, run } from './command-line.ts';

const fresh = dataDirs();

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  serve: [],
  demo: [],
  init: [],
  instance: ['list'],
  team: ['create', 'update', 'list', 'delete', 'member'],
  'team member': ['list', 'add', 'update', 'set', 'remove'],
  user: ['create', 'reset', 'sign-out', 'delete', 'operator', 'list'],
  workspace: ['create', 'list', 'update', 'delete'],
  form: ['create', 'update', 'list', 'show', 'move', 'delete', 'restore', 'routes'],
  submission: ['list', 'show', 'delete', 'mark', 'export', 'erase'],
  import: [],
  key: ['create', 'revoke', 'list'],
  webhook: ['create', 'list', 'update', 'delete', 'rotate-secret', 'test', 'deliveries', 'redeliver'],
  apply: [],
  diff: [],
  pull: [],
  outbox: ['list', 'retry'],
  mail: ['test'],
  audit: ['export'],
  backup: [],
  restore: [],
  move: [],
  files: ['restore'],
  vault: ['rotate', 'list', 'check', 'remove'],
  clock: ['repair'],
  config: [],
  doctor: [],
  health: [],
  service: ['install'],
};

/** Returns the names under "Commands:" in a help text. */
function commandsIn(help: string): string[] {
  const [, list = ''] = help.split('Commands:\n');
  return [...list.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

describe('--help', () => {
  test('lists every command at every level, exits with 0 and creates nothing', async () => {
    const dataDir = fresh();
    const help = async (...words: string[]) => {
      const { code, stdout, stderr } = await run(dataDir, [...words, '--help']);
      expect({ words, code, stderr, usage: stdout.startsWith('Usage: formstead') }).toEqual({
        words,
        code: 0,
        stderr: '',
        usage: true,
      });
      return stdout;
    };
    const walk = async (name: string, children: readonly string[]) => {
      expect(commandsIn(await help(...name.split(' ')))).toEqual([...children]);
      const leaves = children.filter((child) => !(`${name} ${child}` in COMMANDS));
      for (const text of await Promise.all(leaves.map((leaf) => help(...name.split(' '), leaf))))
        expect(text).toContain('--json');
    };
    expect(commandsIn(await help())).toEqual(Object.keys(COMMANDS).filter((name) => !name.includes(' ')));
    await Promise.all(Object.entries(COMMANDS).map(([name, children]) => walk(name, children)));
    expect(existsSync(dataDir)).toBe(false);
  });

  test('works as a process of its own', async () => {
    const help = [['--help'], ['-h'], ['serve', '--help'], ['form', 'update', '--help']];
    const outcomes = await Promise.all(help.map((args) => formstead(fresh(), args)));
    expect(outcomes).toEqual(
      help.map(() => ({ code: 0, stdout: expect.stringMatching(/^Usage: formstead/), stderr: '' })),
    );
  });

  test('lists choices and values of options', async () => {
    const dataDir = fresh();
    expect((await run(dataDir, ['key', 'create', '--help'])).stdout).toMatch(/"read", "read_write".*"read"/s);
    expect((await run(dataDir, ['form', 'update', '--help'])).stdout).toContain('<true|false>');
  });
});

describe('wrong usage exits with 2, prints the reason on stderr and creates nothing', () => {
  const cases: ReadonlyArray<readonly [args: readonly string[], says: string]> = [
    [['bogus'], "unknown command 'bogus'"],
    [['team', 'bogus'], "unknown command 'bogus'"],
    [['key', 'delete', 'key_1'], "unknown command 'delete'"],
    [['team'], 'Usage: formstead team'],
    [['--bogus'], "unknown option '--bogus'"],
    [['--json'], "unknown option '--json'"],
    [['serve', '--port', '80'], "unknown option '--port'"],
    [['team', 'list', '--bogus'], "unknown option '--bogus'"],
    [['form', 'create', '--workspace', 'w', '--name', 'n', '--active', 'true'], "unknown option '--active'"],
    [['team', 'create'], "required option '--name <name>'"],
    [['workspace', 'create', '--name', 'n'], "required option '--team <id>'"],
    [['workspace', 'list'], "required option '--team <id>'"],
    [['form', 'create', '--name', 'n'], "required option '--workspace <id>'"],
    [['form', 'create', '--workspace', 'w'], "required option '--name <name>'"],
    [['form', 'list'], "required option '--team <id>'"],
    [['key', 'create', '--team', 't'], "required option '--name <name>'"],
    [['key', 'list'], "required option '--team <id>'"],
    [['team', 'create', '--name'], 'argument missing'],
    [['team', 'update'], "missing required argument 'id'"],
    [['form', 'update', '--active', 'true'], "missing required argument 'id'"],
    [['team', 'update', 'team_1'], 'pass at least one of --name, --plan'],
    [['form', 'update', 'frm_1', '--json'], 'pass at least one of --public-name, --hosted-page'],
    [['key', 'revoke'], "missing required argument 'id'"],
    [['key', 'revoke', 'key_1'], 'pass --yes'],
    [['forms'], "unknown command 'forms'\n(Did you mean form?)"],
    [['bakcup'], "unknown command 'bakcup'\n(Did you mean backup?)"],
    [['export'], 'unknown command \'export\'\n(Did you mean "formstead submission export"?)'],
    [['vault', 'status'], 'unknown command \'status\'\n(Did you mean "formstead doctor"?)'],
    [['status'], 'unknown command \'status\'\n(Did you mean "formstead doctor"?)'],
    [['version'], 'unknown command \'version\'\n(Did you mean "formstead --version"?)'],
    [['logs'], "unknown command 'logs'\n(The server writes its log to stdout"],
    [['help', 'form'], "unknown command 'help'\n(Write --help after the command"],
    [['-v'], 'unknown option \'-v\'\n(Did you mean "formstead --version"?)'],
    [['--json', 'form', 'list'], "unknown option '--json'\\n(Write --json after the command"],
    [['form', '--json', 'list'], "unknown option '--json'\\n(Write --json after the command"],
    [['form', 'list', '--team', 't', '--quiet'], "unknown option '--quiet'\n(Results are on stdout"],
    [['vault', 'remove'], "missing required argument 'id'"],
    [['vault', 'remove', '0a1b2c3d'], 'pass --yes'],
    [['team', 'list', 'extra'], 'too many arguments'],
    [['serve', 'extra'], 'too many arguments'],
    [['key', 'create', '--team', 't', '--name', 'n', '--scope', 'write'], 'Allowed choices are read, read_write'],
    [['form', 'update', 'frm_1', '--active', 'yes'], 'Expected true or false'],
    [['form', 'update', 'frm_1', '--active', ''], 'Expected true or false'],
    [['form', 'update', 'frm_1', '--active', 'TRUE'], 'Expected true or false'],
  ];

  test.each(cases.map(([args, says]) => [args.join(' '), args, says] as const))('%s', async (_, args, says) => {
    const dataDir = fresh();
    expect(await run(dataDir, args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
    expect(existsSync(dataDir)).toBe(false);
  });
  test('as a process of its own', async () => {
    const dataDir = fresh();
    const wrong = [['bogus'], ['team', 'list', '--bogus'], ['serve', 'extra'], ['key', 'revoke']];
    const outcomes = await Promise.all(wrong.map((args) => formstead(dataDir, args, { PORT: '0' })));
    expect(outcomes).toEqual(
      wrong.map(() => ({ code: 2, stdout: '', stderr: expect.stringMatching(/^error: .*\n\(see --help\)\n$/) })),
    );
    expect(existsSync(dataDir)).toBe(false);
  });
});

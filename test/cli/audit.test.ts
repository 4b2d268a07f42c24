import { describe, expect, test } from 'bun:test';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { newProgram } from '../../src/cli/program.ts';
import { commandPath } from '../../src/cli/record.ts';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { type AuditAction, COMMAND_AUDIT_ACTIONS } from '../../src/domain/audit.ts';
import { formstead } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';
import { createTeamWithForm, expectRefused, instances, json, type Resource, run } from './command-line.ts';

const fresh = instances();
const CANARY = 'kanarienvogel';

type Line = Readonly<{
  id: number;
  at: string;
  team_id: string | null;
  actor: Readonly<{ kind: string; id: string | null; name: string | null }>;
  address: string | null;
  action: AuditAction;
  details: Readonly<Record<string, unknown>>;
}>;

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Returns all audit entries except those of the exports themselves. */
async function entriesIn(dataDir: string, args: readonly string[] = []): Promise<Line[]> {
  const { code, stdout, stderr } = await run(dataDir, ['audit', 'export', ...args]);
  expect([code, stderr]).toEqual([0, '']);
  return linesOf(stdout).filter(({ action }) => action !== 'audit.exported');
}

/** Returns all subcommands that have none themselves. */
function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

test('ACTION_OF has exactly one row for each command', () => {
  const none = async () => {};
  const open = () => Promise.reject(new Error('must not be called'));
  const listenAddress = () => ({ host: '127.0.0.1', port: 0 });
  const backups = {
    backupConfig: open,
    openMove: open,
    openMoveSource: open,
    stdin: () => new Blob().stream(),
    isStderrTty: false,
  };
  const printing = { stdout: none, stderr: none };
  const settings = {
    readEnvironment: () => {},
    settings: open,
    variable: () => undefined,
    secretSettings: () => new Map(),
  };
  const program = newProgram({
    ...printing,
    ...backups,
    ...settings,
    open,
    listenAddress,
    program: [],
    serve: none,
    runDemo: none,
    prompt: null,
  });
  const rows = Object.keys(COMMAND_AUDIT_ACTIONS);
  expect(leavesOf(program).map(commandPath).sort()).toEqual(rows.sort());
});

describe('a command with an effect', () => {
  test('writes one entry with the user, ids and names of settings, but no values', async () => {
    const dataDir = fresh();
    const smtp = await startSmtp();
    const env = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
    const { team, workspace, form, key } = await createTeamWithForm(dataDir);
    const made = await entriesIn(dataDir);
    const { username } = userInfo();
    const name = username === 'unknown' ? null : username;
    for (const { actor, address, team_id } of made) {
      expect([actor, address, team_id]).toEqual([{ kind: 'command', id: null, name }, null, team]);
    }
    // createTeamWithForm runs two commands at once.
    expect(made.map(({ action }) => action).sort()).toEqual([
      'form.created',
      'key.created',
      'team.created',
      'workspace.created',
    ]);
    const detailsOf = (action: AuditAction) => made.find((entry) => entry.action === action)?.details;
    expect(detailsOf('form.created')).toEqual({ workspace_id: workspace, form_id: form.id, settings: 'name' });
    expect(detailsOf('key.created')).toEqual({ team_id: team, key_id: key.id, settings: 'name, scope' });
    expect(detailsOf('workspace.created')).toEqual({ team_id: team, workspace_id: workspace, settings: 'name' });

    const commands: ReadonlyArray<readonly [action: AuditAction, details: Record<string, unknown>, args: string[]]> = [
      ['team.changed', { settings: 'name' }, ['team', 'update', team, '--name', CANARY]],
      [
        'form.changed',
        { form_id: form.id, settings: 'blockedWords, challenge, challengeSecret, name' },
        ['form', 'update', form.id, '--name', CANARY, '--blocked-words', CANARY].concat(
          ['--challenge', 'turnstile'],
          ['--challenge-secret', CANARY],
        ),
      ],
      [
        'welcome_link.made',
        { team_id: team, settings: 'email' },
        ['user', 'create', '--team', team, '--email', `${CANARY}@example.com`],
      ],
      ['mail.retried', { count: 0, settings: 'dead' }, ['outbox', 'retry', '--dead']],
      ['mail.tested', { settings: 'to' }, ['mail', 'test', '--to', `${CANARY}@example.com`]],
      ['key.revoked', { key_id: key.id, settings: 'yes' }, ['key', 'revoke', key.id, '--yes']],
    ];
    for (const [action, details, args] of commands) {
      const before = await entriesIn(dataDir);
      const { code, stderr } = await run(dataDir, args, env);
      expect([args.slice(0, 2), code, stderr]).toEqual([args.slice(0, 2), 0, '']);
      const [entry, ...others] = (await entriesIn(dataDir)).slice(before.length);
      expect(others).toEqual([]);
      expect([entry?.action, entry?.details]).toEqual([action, details]);
      expect(entry?.team_id).toBe(action.startsWith('mail.') ? null : team);
    }
    expect((await run(dataDir, ['audit', 'export'])).stdout).not.toContain(CANARY);
    await smtp.stop();
  });

  test('writes no entry if it is refused, nor does a read-only command', async () => {
    const dataDir = fresh();
    const { team, form } = await createTeamWithForm(dataDir);
    const before = await entriesIn(dataDir);
    await expectRefused(dataDir, [
      [['form', 'update', 'frm_none', '--name', 'x'], /there is no form/],
      [['key', 'revoke', 'key_none', '--yes'], /there is no key/],
      [['workspace', 'create', '--team', 'team_none', '--name', 'x'], /There is no team/],
    ]);
    expect((await run(dataDir, ['form', 'update', form.id])).code).toBe(2);
    for (const args of [
      ['team', 'list'],
      ['form', 'list', '--team', team],
      ['user', 'list'],
    ]) {
      expect((await run(dataDir, args)).code).toBe(0);
    }
    // doctor opens the database in this process.
    expect((await run(dataDir, ['doctor'])).stdout).toContain('data directory');
    expect(await entriesIn(dataDir)).toEqual(before);
  });

  test('writes an entry from a process of its own too', async () => {
    const dataDir = fresh();
    const { team } = await createTeamWithForm(dataDir);
    const before = await entriesIn(dataDir);
    expect((await formstead(dataDir, ['team', 'update', team, '--plan', 'free'])).code).toBe(0);
    const added = (await entriesIn(dataDir)).slice(before.length);
    expect(added).toMatchObject([{ action: 'team.changed', team_id: team, actor: { kind: 'command' } }]);
  });
});

describe('audit export', () => {
  test('prints one JSON object per line, oldest first, optionally of one team and from a time on', async () => {
    const dataDir = fresh();
    const { team } = await createTeamWithForm(dataDir);
    const other = await json<Resource>(dataDir, ['team', 'create', '--name', 'Other']);
    const all = await entriesIn(dataDir);
    expect(all).toHaveLength(5);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((a, b) => a - b));
    expect((await entriesIn(dataDir, ['--team', team])).every(({ team_id }) => team_id === team)).toBe(true);
    expect(await entriesIn(dataDir, ['--team', other.id])).toEqual(all.slice(4));
    const since = all[4]?.at ?? '';
    expect(since).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(await entriesIn(dataDir, ['--since', since])).toEqual(all.slice(4));
    await expectRefused(dataDir, [[['audit', 'export', '--team', 'team_none'], /There is no team "team_none"/]]);
    expect(await run(dataDir, ['audit', 'export', '--since', 'yesterday'])).toMatchObject({ code: 2, stdout: '' });
  });

  test('writes an entry about itself with the number of exported entries', async () => {
    const dataDir = fresh();
    const { team } = await createTeamWithForm(dataDir);
    expect((await run(dataDir, ['audit', 'export', '--team', team])).code).toBe(0);
    const lines = linesOf((await run(dataDir, ['audit', 'export'])).stdout);
    expect(lines.at(-1)).toMatchObject({
      action: 'audit.exported',
      team_id: team,
      details: { team_id: team, count: 4 },
    });
  });

  test('is an empty array with --json if there are no entries', async () => {
    expect((await run(fresh(), ['audit', 'export', '--json'])).stdout).toBe('[]\n');
  });

  test('prints several pages of entries from a process of its own', async () => {
    const dataDir = fresh();
    const { team } = await createTeamWithForm(dataDir);
    const context = await openContext({
      config: loadConfig({ DATA_DIR: dataDir }),
      secrets: loadSecrets({}, () => ''),
      writeLog: () => {},
      prettyLog: false,
    });
    const actor = { kind: 'system' as const, id: 'system', name: null, address: null };
    const entry = { at: context.clock(), teamId: team, actor, action: 'form.changed' as const };
    await context.store.audit.record(Array.from({ length: 1700 }, (_, count) => ({ ...entry, details: { count } })));
    await context.close();
    const { code, stdout } = await formstead(dataDir, ['audit', 'export']);
    expect(code).toBe(0);
    const counts = linesOf(stdout).flatMap(({ action, details }) => (action === 'form.changed' ? details.count : []));
    expect(counts).toEqual(Array.from({ length: 1700 }, (_, count) => count));
    const array = await json<Line[]>(dataDir, ['audit', 'export']);
    expect(array.slice(0, -1)).toEqual(linesOf(stdout));
  });
});

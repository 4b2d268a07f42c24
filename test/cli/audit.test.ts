import { describe, expect, test } from 'bun:test';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { newProgram } from '../../src/cli/program.ts';
import { pathOf } from '../../src/cli/record.ts';
import { loadConfig, loadSecrets } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { ACTION_OF, type AuditAction } from '../../src/domain/audit.ts';
import { formstead } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';
import { dataDirs, expectRefused, household, json, run, type Shown } from './command-line.ts';

const fresh = dataDirs();
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

/** All entries but those of the exports themselves. */
async function entriesIn(dataDir: string, args: readonly string[] = []): Promise<Line[]> {
  const { code, stdout, stderr } = await run(dataDir, ['audit', 'export', ...args]);
  expect([code, stderr]).toEqual([0, '']);
  return linesOf(stdout).filter(({ action }) => action !== 'audit.exported');
}

/** Those that do something, however deep they are. */
function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

test('every command has a row in the table, and every row a command', () => {
  const none = async () => {};
  const open = () => Promise.reject(new Error('nothing is run here'));
  const address = () => ({ host: '127.0.0.1', port: 0 });
  const backups = { atRest: open, input: () => new Blob().stream(), isWatched: false };
  const printing = { stdout: none, stderr: none };
  const program = newProgram({ ...printing, ...backups, open, address, program: [], serve: none, ask: null });
  const rows = Object.keys(ACTION_OF).filter((name) => !name.includes('/'));
  expect(leavesOf(program).map(pathOf).sort()).toEqual(rows.sort());
});

describe('a command that changes something', () => {
  test('leaves one entry each, with who ran it, ids and names of settings, and nothing that was typed', async () => {
    const dataDir = fresh();
    const smtp = await startSmtp();
    const env = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
    const { team, workspace, form, key } = await household(dataDir);
    const made = await entriesIn(dataDir);
    const { username } = userInfo();
    const name = username === 'unknown' ? null : username;
    for (const { actor, address, team_id } of made) {
      expect([actor, address, team_id]).toEqual([{ kind: 'command', id: null, name }, null, team]);
    }
    // The household makes two of them at once.
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
      ['key.revoked', { key_id: key.id }, ['key', 'revoke', key.id]],
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

  test('leaves none when it is refused, nor does one that only reads', async () => {
    const dataDir = fresh();
    const { team, form } = await household(dataDir);
    const before = await entriesIn(dataDir);
    await expectRefused(dataDir, [
      [['form', 'update', 'frm_none', '--name', 'x'], /there is no form/],
      [['key', 'revoke', 'key_none'], /there is no key/],
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
    // Made in this process, the database may be opened by others, which it says.
    expect((await run(dataDir, ['doctor'])).stdout).toContain('data directory');
    expect(await entriesIn(dataDir)).toEqual(before);
  });

  test('by a process of its own too', async () => {
    const dataDir = fresh();
    const { team } = await household(dataDir);
    const before = await entriesIn(dataDir);
    expect((await formstead(dataDir, ['team', 'update', team, '--plan', 'free'])).code).toBe(0);
    const added = (await entriesIn(dataDir)).slice(before.length);
    expect(added).toMatchObject([{ action: 'team.changed', team_id: team, actor: { kind: 'command' } }]);
  });
});

describe('audit export', () => {
  test('prints one JSON object a line, oldest first, of all teams or one, since a time', async () => {
    const dataDir = fresh();
    const { team } = await household(dataDir);
    const other = await json<Shown>(dataDir, ['team', 'create', '--name', 'Other']);
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

  test('is recorded itself, with how many entries it gave out', async () => {
    const dataDir = fresh();
    const { team } = await household(dataDir);
    expect((await run(dataDir, ['audit', 'export', '--team', team])).code).toBe(0);
    const lines = linesOf((await run(dataDir, ['audit', 'export'])).stdout);
    expect(lines.at(-1)).toMatchObject({
      action: 'audit.exported',
      team_id: team,
      details: { team_id: team, count: 4 },
    });
  });

  test('gives out all of many, over several pages, as a process of its own', async () => {
    const dataDir = fresh();
    const { team } = await household(dataDir);
    const context = await openContext({
      config: loadConfig({ DATA_DIR: dataDir }),
      secrets: loadSecrets({}, () => ''),
      writeLog: () => {},
      logForPerson: false,
    });
    const actor = { kind: 'system' as const, id: 'system', name: null, address: null };
    const entry = { at: context.clock(), teamId: team, actor, action: 'form.changed' as const };
    await context.store.recordAudit(Array.from({ length: 1700 }, (_, count) => ({ ...entry, details: { count } })));
    await context.close();
    const { code, stdout } = await formstead(dataDir, ['audit', 'export']);
    expect(code).toBe(0);
    const counts = linesOf(stdout).flatMap(({ action, details }) => (action === 'form.changed' ? details.count : []));
    expect(counts).toEqual(Array.from({ length: 1700 }, (_, count) => count));
  });
});

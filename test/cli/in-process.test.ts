import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTeamWithForm, instances, json, run, typing } from './command-line.ts';

const fresh = instances();

test('commands in the process of a test change neither its environment nor its listeners', async () => {
  const state = () => [
    { ...process.env },
    process.cwd(),
    process.umask(),
    process.exitCode,
    process.eventNames().map((name) => [name, process.listenerCount(name)]),
    process.stdout.listenerCount('error'),
  ];
  const dataDir = fresh();
  const before = state();
  const { form, team } = await createTeamWithForm(dataDir);
  const settings = join(dirname(dataDir), 'settings.env');
  writeFileSync(settings, 'BASE_URL=https://forms.example.com\n');
  await json(dataDir, ['--env-file', settings, 'user', 'create', '--email', 'ada@example.com']);
  const outcomes = [
    await run(dataDir, ['doctor']),
    await run(dataDir, ['backup', join(dirname(dataDir), 'backups'), '--with-key']),
    await run(dataDir, ['vault', 'rotate']),
    await run(dataDir, ['submission', 'export', '--form', form.id]),
    await run(dataDir, ['team', 'delete', team], {}, typing('no')),
    await run(dataDir, ['team', 'list'], { PORT: 'eighty' }),
    await run(dataDir, ['team', 'list', '--bogus']),
    await run(dataDir, ['form', 'show', 'frm_none']),
  ];
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 78, 2, 1]);
  expect(state()).toEqual(before);
});

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { FROM_SOURCE, type Program, type ServerProcess, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
import { createTeamWithForm, instances, json, post, read, refused, run, type TeamWithForm } from './command-line.ts';

const fresh = instances();
const DAY = 86_400_000;

const [bun = 'bun', main = ''] = FROM_SOURCE.command;
const WITH_CLOCK: Program = { command: [bun, '--preload', join(import.meta.dir, '../../.ci/torture/clock.ts'), main] };

/** Returns a data directory with one submission of ten days ahead. */
async function afterLeap(): Promise<TeamWithForm & { dataDir: string }> {
  const dataDir = fresh();
  const team = await createTeamWithForm(dataDir);
  const server = await spawnServer(dataDir, { CLOCK_OFFSETS: String(10 * DAY) }, WITH_CLOCK);
  expect((await post(server.url, team.form.id, 'ahead')).status).toBe(200);
  expect(await server.end()).toBe(0);
  return { dataDir, ...team };
}

/** Returns the values and the days ahead of all submissions, newest first. */
async function itemsOf(server: ServerProcess, { form, key }: TeamWithForm) {
  const answer = await read(server.url, `/v1/forms/${form.id}/submissions`, key.secret);
  const { data } = (await answer.json()) as { data: { items: Array<{ created_at: string; data: { name: string } }> } };
  return data.items.map((item) => [item.data.name, Math.round((Date.parse(item.created_at) - Date.now()) / DAY) || 0]);
}

const clockOf = async (dataDir: string) => {
  const { stdout } = await run(dataDir, ['doctor', '--json']);
  return (JSON.parse(stdout) as Array<{ check: string }>).find(({ check }) => check === 'clock');
};

test('a clock that was ahead is logged, named by doctor and repaired', async () => {
  const team = await afterLeap();
  const { dataDir, form } = team;
  expect(await clockOf(dataDir)).toMatchObject({
    state: 'broken',
    message: expect.stringContaining('stop the server and run "formstead clock repair"'),
  });
  const server = await spawnServer(dataDir);
  const warnings = () => server.stdout().match(/"level":"warn".*dated later than now.*formstead clock repair/g) ?? [];
  await until(() => warnings().length > 0, 'the warning');
  expect((await post(server.url, form.id, 'right')).status).toBe(200);
  expect(await itemsOf(server, team)).toEqual([
    ['right', 10],
    ['ahead', 10],
  ]);
  expect(await run(dataDir, ['clock', 'repair', '--yes'])).toMatchObject(
    refused(/a server uses this data directory\. Stop it and run this command again\./),
  );
  expect(await server.end()).toBe(0);
  expect(warnings()).toHaveLength(1);

  const repaired = await run(dataDir, ['clock', 'repair', '--yes', '--json']);
  expect({ ...repaired, stdout: JSON.parse(repaired.stdout) }).toMatchObject({ code: 0, stdout: { redated: 2 } });
  expect(repaired.stderr).toMatch(/^It is .*Z\. Newest submission: .*Z\.\n$/);
  expect(await clockOf(dataDir)).toMatchObject({ state: 'ok' });
  expect(await json(dataDir, ['clock', 'repair', '--yes'])).toEqual({ redated: 0 });

  const next = await spawnServer(dataDir);
  expect((await post(next.url, form.id, 'next')).status).toBe(200);
  expect(await itemsOf(next, team)).toEqual([
    ['next', 0],
    ['right', 0],
    ['ahead', 0],
  ]);
  expect(await next.end()).toBe(0);
  expect(next.stdout()).not.toContain('dated later than now');
});

test('the repair of the clock asks for a confirmation', async () => {
  const dataDir = fresh();
  await createTeamWithForm(dataDir);
  const { code, stderr } = await run(dataDir, ['clock', 'repair']);
  expect([code, stderr]).toEqual([2, expect.stringContaining('pass --yes to confirm')]);
});

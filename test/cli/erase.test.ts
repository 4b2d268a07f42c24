import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { createTeamWithForm, expectRefused, instances, json, run, type TeamWithForm } from './command-line.ts';

const fresh = instances();
const dataDir = fresh();
let server: ServerProcess;
beforeAll(async () => {
  server = await spawnServer(dataDir);
});
afterAll(async () => {
  expect(await server.end()).toBe(0);
});

async function teamWith(...emails: string[]): Promise<TeamWithForm> {
  const house = await createTeamWithForm(dataDir);
  for (const email of emails) {
    const body = new FormData();
    body.append('email', email);
    body.append('cv', new File(['x'], 'cv.txt'));
    const answer = await fetch(`${server.url}/v1/forms/${house.form.id}/submissions`, { method: 'POST', body });
    expect(answer.status).toBe(200);
  }
  return house;
}

const emailsOf = async (form: string) => {
  const listed = await json<Array<{ data: { email: string } }>>(dataDir, ['submission', 'list', '--form', form]);
  return listed.map(({ data }) => data.email);
};
const erase = (team: string, ...options: string[]) => ['submission', 'erase', '--team', team, ...options];

describe('submission erase', () => {
  test('deletes submissions with the address while the server runs, and prints a receipt', async () => {
    const { team, form } = await teamWith('ada@example.com', 'bob@example.com', 'Ada@Example.com');
    const { code, stdout, stderr } = await run(dataDir, erase(team, '--email', 'ADA@example.com', '--yes', '--json'));
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      team_id: team,
      address_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      searched: 3,
      found: 2,
      submissions: 2,
      files: 2,
      saved_views: 0,
      files_left: 0,
      mails: 0,
      status: 'complete',
      expected_at: null,
    });
    expect(stdout.toLowerCase()).not.toContain('ada@');
    expect(stderr).toContain('2 found, 3 searched, 0 damaged.\n');
    expect(await emailsOf(form.id)).toEqual(['bob@example.com']);
  });

  test('is pending until the server may purge the database again, and complete at once without a server', async () => {
    const { team } = await teamWith('ada@example.com');
    const command = erase(team, '--email', 'ada@example.com', '--yes');
    expect(await json(dataDir, command)).toMatchObject({
      submissions: 1,
      status: 'pending rewrite',
      expected_at: expect.stringMatching(/Z$/),
    });
    const next = await teamWith('ada@example.com');
    expect(await server.end()).toBe(0);
    const receipt = await json(dataDir, erase(next.team, '--email', 'ada@example.com', '--yes'));
    server = await spawnServer(dataDir);
    expect(receipt).toMatchObject({ submissions: 1, status: 'complete', expected_at: null });
  });

  test('prints the receipt as lines without --json', async () => {
    const { team } = await teamWith('ada@example.com');
    const { stdout } = await run(dataDir, erase(team, '--email', 'ada@example.com', '--yes'));
    expect(stdout).toMatch(/^submissions +1$/m);
    expect(stdout).toMatch(/^files +1$/m);
  });

  test('deletes nothing without --yes and without a terminal', async () => {
    const { team, form } = await teamWith('ada@example.com');
    const { code, stdout, stderr } = await run(dataDir, erase(team, '--email', 'ada@example.com'));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('--yes');
    expect(await emailsOf(form.id)).toHaveLength(1);
  });

  test('exports first to a new private file, and never overwrites a file', async () => {
    const { team, form } = await teamWith('ada@example.com', 'bob@example.com');
    const file = join(dataDir, '..', `ada-${form.id}.jsonl`);
    const command = erase(team, '--email', 'ada@example.com', '--yes', '--export', file);
    expect((await run(dataDir, command)).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).data),
    ).toEqual([{ email: 'ada@example.com' }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const again = erase(team, '--email', 'bob@example.com', '--yes', '--export', file);
    const { code, stderr } = await run(dataDir, again);
    expect(code).toBe(1);
    expect(stderr).toContain('EEXIST');
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(await emailsOf(form.id)).toEqual(['bob@example.com']);
  });

  test('finds nothing in other teams', async () => {
    const { form } = await teamWith('ada@example.com');
    const other = await createTeamWithForm(dataDir);
    const receipt = await json(dataDir, erase(other.team, '--email', 'ada@example.com', '--yes'));
    expect(receipt).toMatchObject({ searched: 0, found: 0, submissions: 0 });
    expect(await emailsOf(form.id)).toHaveLength(1);
  });

  test('refuses an invalid address and an unknown team', async () => {
    const { team } = await teamWith();
    await expectRefused(dataDir, [
      [erase(team, '--email', 'ada', '--yes'), /not an email address/],
      [erase('team_1', '--email', 'ada@example.com', '--yes'), /no team "team_1"/],
    ]);
  });
});

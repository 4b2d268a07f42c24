import { describe, expect, test } from 'bun:test';
import { expectRefused, instances, json, type Resource, run } from './command-line.ts';

const fresh = instances();

const create = (dataDir: string, name: string, ...options: string[]) =>
  json<Resource>(dataDir, ['team', 'create', '--name', name, ...options]);
const list = (dataDir: string) => json<Resource[]>(dataDir, ['team', 'list']);

describe('team', () => {
  test('works before the first start, on an empty data directory', async () => {
    const dataDir = fresh();
    expect(await list(dataDir)).toEqual([]);
    expect(await run(dataDir, ['team', 'list'])).toEqual({ code: 0, stdout: 'No results.\n', stderr: '' });
  });

  test('is created with a plan, changed and listed, oldest first', async () => {
    const dataDir = fresh();
    const acme = await create(dataDir, ' Acme ', '--plan', 'pro');
    expect(acme).toEqual({
      id: expect.stringMatching(/^team_\w+$/),
      name: 'Acme',
      plan: 'pro',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
    const beta = await create(dataDir, 'Beta');
    expect(beta.plan).toBe('unlimited');

    const renamed = await json(dataDir, ['team', 'update', acme.id, '--name', 'Acme & Söhne']);
    expect(renamed).toEqual({ ...acme, name: 'Acme & Söhne' });
    const moved = await json(dataDir, ['team', 'update', acme.id, '--plan', 'free']);
    expect(moved).toEqual({ ...renamed, plan: 'free' });
    expect(await list(dataDir)).toEqual([moved as Resource, beta]);
  });

  test('is printed as a table without --json, without control characters', async () => {
    const dataDir = fresh();
    const { id } = await create(dataDir, 'Acme');
    const trick = await create(dataDir, 'e\u001b[31mvil\u0007\u009b2J\r\nrow\u007f');
    expect(trick.name).toBe('e\u001b[31mvil\u0007\u009b2J\r\nrow\u007f');
    const { stdout } = await run(dataDir, ['team', 'list']);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]?.split(/ +/)).toEqual(['id', 'name', 'plan', 'created_at']);
    expect(lines[1]).toStartWith(`${id}  Acme `);
    const one = await run(dataDir, ['team', 'update', trick.id, '--plan', 'pro']);
    expect(one.stdout.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(one.stdout.trimEnd().split('\n')).toHaveLength(4);
  });

  test('can have a name of any 200 characters', async () => {
    const dataDir = fresh();
    const name = '🦊'.repeat(200);
    expect((await create(dataDir, name)).name).toBe(name);
    expect(await list(dataDir)).toMatchObject([{ name }]);
  });

  test('is neither created nor changed with invalid values', async () => {
    const dataDir = fresh();
    const team = await create(dataDir, 'Acme');
    await expectRefused(dataDir, [
      [['team', 'update', 'two\nlines\u001b[2J', '--plan', 'free'], /no team "two.lines.\[2J"/],
      [['team', 'create', '--name', 'Beta', '--plan', 'gold'], /no plan "gold"\. .*free, pro, business, unlimited/],
      [['team', 'create', '--name', 'Beta', '--plan', 'toString'], /no plan "toString"/],
      [['team', 'create', '--name', ''], /The name must have 1 to 200 characters \(got 0\)/],
      [['team', 'create', '--name', ' \t '], /name must have 1 to 200 characters/],
      [['team', 'create', '--name', 'x'.repeat(201)], /\(got 201\)/],
      [['team', 'update', team.id, '--plan', 'gold'], /no plan "gold"/],
      [['team', 'update', team.id, '--name', 'Beta', '--plan', 'gold'], /no plan "gold"/],
      [['team', 'update', team.id, '--name', ' '], /name must have 1 to 200 characters/],
      [['team', 'update', 'team_1', '--name', 'Beta'], /no team "team_1"\. See "team list"/],
      [['team', 'update', "' OR 1=1 --", '--plan', 'free'], /no team "' OR 1=1 --"/],
    ]);
    expect(await list(dataDir)).toEqual([team]);
  });
});

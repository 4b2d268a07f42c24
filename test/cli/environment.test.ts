import { describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { formstead, spawnServer } from '../support/process.ts';
import {
  createTeamWithForm,
  dataDirs,
  instances,
  json,
  post,
  type Resource,
  read,
  refused,
  run,
} from './command-line.ts';

const fresh = dataDirs();
const instance = instances();

describe('a start with an invalid setting exits with one line and creates nothing', () => {
  test.each([
    ['PORT', 'eighty', /PORT must be a whole number .*\(got "eighty"\)/],
    ['BASE_URL', 'forms.example.com', /BASE_URL must be the http or https URL .*\(got "forms.example.com"\)/],
    [
      'BASE_URL',
      'https://example.com/forms',
      /BASE_URL must be .* without a path, .*\(got "https:\/\/example.com\/forms"\)/,
    ],
    ['TRUSTED_PROXIES', 'proxy', /TRUSTED_PROXIES must be addresses .*\(got "proxy"\)/],
    ['PLANS', '{"tiny":\n5}', /PLANS must be JSON/],
    ['LOG_LEVEL', 'loud', /LOG_LEVEL must be one of debug.*\(got "loud"\)/],
    ['MAX_BODY_BYTES', '1MB', /MAX_BODY_BYTES must be a whole number .*\(got "1MB"\)/],
    ['ENCRYPTION_KEY', 'correct horse', /ENCRYPTION_KEY must be a 32-byte key .*\(got 13 characters\)/],
    [
      'ENCRYPTION_KEY_FILE',
      '/nowhere/key',
      /ENCRYPTION_KEY_FILE must be the path of a readable file .*"\/nowhere\/key"/,
    ],
  ])('%s=%s', async (name, value, says) => {
    const dataDir = fresh();
    const outcomes = await Promise.all([
      formstead(dataDir, ['serve'], { PORT: '0', [name]: value }),
      run(dataDir, ['team', 'list'], { [name]: value }),
    ]);
    expect(outcomes).toEqual([refused(says, 78), refused(says, 78)]);
    expect(JSON.stringify(outcomes)).not.toContain('correct horse');
    expect(existsSync(dataDir)).toBe(false);
  });

  test('DATA_DIR is a file', async () => {
    const parent = dirname(fresh());
    const file = join(parent, 'file');
    writeFileSync(file, 'mine');
    expect(await formstead(file, ['serve'])).toEqual(refused(/Could not create DATA_DIR ".*file"/));
    expect(await run(file, ['team', 'list'])).toEqual(refused(/There is no instance in .*file\./));
    expect(await Bun.file(file).text()).toBe('mine');
  });
});

describe('PLANS', () => {
  test('defines a plan with a limit', async () => {
    const dataDir = instance();
    const env = { PLANS: '{"tiny":{"api_access":true,"submissions_limit":2}}' };
    const { team, form, key } = await createTeamWithForm(dataDir);
    expect(await run(dataDir, ['team', 'update', team, '--plan', 'tiny'])).toEqual(refused(/no plan "tiny"/));
    expect(await json<Resource>(dataDir, ['team', 'update', team, '--plan', 'tiny'], env)).toMatchObject({
      plan: 'tiny',
    });

    const server = await spawnServer(dataDir, env);
    const statuses = [];
    for (const name of ['a', 'b', 'c']) statuses.push((await post(server.url, form.id, name)).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(await (await read(server.url, '/v1/usage', key.secret)).json()).toMatchObject({
      data: { submissions_used: 2, submissions_limit: 2, remaining: 0 },
    });
    await server.end();
  });

  test('that lacks the plan of a team logs a warning at start; the team keeps getting submissions but loses API access', async () => {
    const dataDir = instance();
    const { team, form, key } = await createTeamWithForm(dataDir);
    const env = { PLANS: '{"tiny":{"api_access":true,"submissions_limit":2}}' };
    await json(dataDir, ['team', 'update', team, '--plan', 'tiny'], env);
    const server = await spawnServer(dataDir);
    expect(server.stdout()).toMatch(/"level":"warn".*PLANS.*/);
    expect((await post(server.url, form.id)).status).toBe(200);
    expect((await read(server.url, '/v1/forms', key.secret)).status).toBe(403);
    await server.end();
  });
});

describe('rate limits', () => {
  test('are set by their own variables, and 0 turns one off', async () => {
    const dataDir = instance();
    const { form, key } = await createTeamWithForm(dataDir);
    const env = { POSTS_PER_MINUTE: '0', READS_PER_MINUTE: '0', WRITES_PER_MINUTE: '2' };
    const server = await spawnServer(dataDir, env);
    const posts = await Promise.all(Array.from({ length: 601 }, (_, n) => post(server.url, form.id, `${n}`)));
    expect(new Set(posts.map(({ status }) => status))).toEqual(new Set([200]));
    const reads = await Promise.all(Array.from({ length: 121 }, () => read(server.url, '/v1/forms', key.secret)));
    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]));
    const writes = [];
    for (const name of ['One', 'Two', 'Three']) {
      const answer = await fetch(`${server.url}/v1/forms/${form.id}`, {
        method: 'PATCH',
        headers: { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name }),
      });
      writes.push(answer.status);
    }
    expect(writes).toEqual([200, 200, 429]);
    await server.end();

    const strict = await spawnServer(dataDir, { POSTS_PER_MINUTE: '1', READS_PER_MINUTE: '1' });
    expect([(await post(strict.url, form.id)).status, (await post(strict.url, form.id)).status]).toEqual([200, 429]);
    const [first, second] = [
      await read(strict.url, '/v1/forms', key.secret),
      await read(strict.url, '/v1/forms', key.secret),
    ];
    expect([first.status, second.status]).toEqual([200, 429]);
    await strict.end();
  });
});

describe('MAX_BODY_BYTES', () => {
  test('is the size of the largest body that is accepted', async () => {
    const dataDir = instance();
    const { form } = await createTeamWithForm(dataDir);
    const server = await spawnServer(dataDir, { MAX_BODY_BYTES: '1024' });
    const statuses = await Promise.all(
      [1024, 1025].map(async (size) => (await post(server.url, form.id, 'x'.repeat(size - 'name='.length))).status),
    );
    expect(statuses).toEqual([200, 413]);
    await server.end();
  });
});

import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { seed } from '../../.ci/bench/seed.ts';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { createTeamWithForm, json, post, storedNames } from '../cli/command-line.ts';
import { temporaryDir } from '../support/instance.ts';
import { createInstance, FROM_SOURCE, formstead, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';

/** The number of kills and of submissions. `bun run bench rotation` sets higher ones. */
const ROUNDS = Number(Bun.env.ROUNDS ?? 2);
const ROWS = Number(Bun.env.ROWS ?? 3_000);

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

type Key = Readonly<{ id: string; state: string; records: number }>;

/** Starts a process that rotates the keys: a server, or the command without a server. */
async function startRotating(dataDir: string, by: 'server' | 'command') {
  if (by === 'server') return spawnServer(dataDir);
  const child = Bun.spawn([...FROM_SOURCE.command, 'vault', 'rotate'], {
    env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir },
    stdout: 'ignore',
    stderr: 'ignore',
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await child.exited;
  };
  return { url: null, end };
}

/** Finishes the rotation, removes the old keys and expects `records` readable records under the new key. */
async function expectFinished(dataDir: string, records: number): Promise<void> {
  expect(await json<object>(dataDir, ['vault', 'rotate'], {}, formstead)).toMatchObject({ done: true, damaged: 0 });
  const keys = await json<Key[]>(dataDir, ['vault', 'list']);
  const old = keys.slice(0, -1);
  expect(keys).toEqual([
    ...old.map(({ id }) => expect.objectContaining({ id, state: 'unused', records: 0 })),
    expect.objectContaining({ state: 'current', records }),
  ]);
  for (const { id } of old) await json(dataDir, ['vault', 'remove', id, '--yes']);
  expect(await json<object[]>(dataDir, ['vault', 'check'], {}, formstead)).toEqual([]);
}

test(`a rotation of ${ROWS} submissions killed ${ROUNDS} times ends with every one sealed under the new key`, async () => {
  const dataDir = join(dir, 'many');
  const { form, key } = await createTeamWithForm(await createInstance(dataDir));
  const context = await openContext({
    config: loadConfig({ DATA_DIR: dataDir }),
    secrets: loadSecrets({}, () => ''),
    writeLog: () => {},
    prettyLog: false,
  });
  await seed(context, ROWS);
  let old = context.vault.keyId;
  const recordsOf = async (keyId: number) => (await context.store.sealedRecords.count()).records.get(keyId) ?? 0;
  const posted: string[] = [];
  let underWay = 0;
  for (let round = 0; underWay < ROUNDS; round++) {
    const isOver = (await recordsOf(old)) === 0;
    if (isOver) {
      // The kill was too late. Finish the rotation, so that the next command starts another.
      expect(await formstead(dataDir, ['vault', 'rotate'])).toMatchObject({ code: 0 });
      const { records } = await context.store.sealedRecords.count();
      [old = old] = records.keys();
      expect([...records.keys()]).toEqual([old]);
    }
    const goal = (await recordsOf(old)) * (1 - 1 / (ROUNDS - underWay + 1));
    const rotating = await startRotating(dataDir, isOver || round % 2 === 0 ? 'command' : 'server');
    if (rotating.url !== null) {
      posted.push(`${round}`);
      expect((await post(rotating.url, form.id, `${round}`)).status).toBe(200);
    }
    await until(async () => (await recordsOf(old)) <= goal, `${old} to have at most ${goal} records`);
    // Kill at a random moment; no assertion depends on it.
    await Bun.sleep(Math.random() * 5);
    await rotating.end('SIGKILL');
    if ((await recordsOf(old)) > 0) underWay += 1;
  }
  await context.close();

  await expectFinished(dataDir, ROWS + posted.length);
  const server = await spawnServer(dataDir);
  expect((await storedNames(server.url, form, key.secret)).sort()).toEqual(posted.sort());
  expect(await server.end()).toBe(0);
});

test(`a key change killed ${2 * ROUNDS} times loses no key`, async () => {
  const dataDir = join(dir, 'keys');
  const { form } = await createTeamWithForm(await createInstance(dataDir));
  let server = await spawnServer(dataDir);
  for (const name of ['a', 'b', 'c']) expect((await post(server.url, form.id, name)).status).toBe(200);
  expect(await server.end()).toBe(0);
  const began = performance.now();
  expect(await formstead(dataDir, ['vault', 'rotate'], {}, FROM_SOURCE)).toMatchObject({ code: 0 });
  const took = performance.now() - began;
  /** Waits until a random moment of a rotation; no assertion depends on it. */
  const moment = () => Bun.sleep((0.3 + Math.random() * 0.9) * took);
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await startRotating(dataDir, 'command');
    await moment();
    await alone.end('SIGKILL');
    server = await spawnServer(dataDir);
    const beside = await startRotating(dataDir, 'command');
    await moment();
    await Promise.all([beside.end('SIGKILL'), server.end('SIGKILL')]);
  }
  // A start must succeed with any files left behind.
  server = await spawnServer(dataDir);
  expect((await post(server.url, form.id, 'd')).status).toBe(200);
  expect(await server.end()).toBe(0);
  await expectFinished(dataDir, 4);
});

import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { seed } from '../bench/seed.ts';
import { household, json, post, storedNames } from '../cli/command-line.ts';
import { temporaryDir } from '../support/instance.ts';
import { FROM_SOURCE, formstead, spawnServer } from '../support/process.ts';

/** How often it is killed, and how many submissions there are. `bun run rotation` does more of both. */
const ROUNDS = Number(Bun.env.ROUNDS ?? 2);
const ROWS = Number(Bun.env.ROWS ?? 3_000);
const PATIENCE_MS = 30_000 + ROUNDS * 10_000 + ROWS;

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

type Key = Readonly<{ id: string; state: string; records: number }>;

/** A process that rotates: the server, or the command itself where none runs. */
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

/** Finishes the rotation and removes the old keys: so many records are there then, under the new one, and all open. */
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

test(
  `killed ${ROUNDS} times on ${ROWS} submissions, it ends with every one opened by the new key`,
  async () => {
    const dataDir = join(dir, 'many');
    const { form, key } = await household(dataDir);
    const context = await openContext({
      config: loadConfig({ DATA_DIR: dataDir }),
      secrets: loadSecrets({}, () => ''),
      writeLog: () => {},
      logForPerson: false,
    });
    await seed(context, ROWS);
    const { keyId } = context.vault;
    const left = async () => (await context.store.countSealed()).records.get(keyId) ?? 0;
    const posted: string[] = [];
    let underWay = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const goal = ROWS * (1 - (round + 1) / (ROUNDS + 1));
      const rotating = await startRotating(dataDir, round % 2 === 0 ? 'command' : 'server');
      if (rotating.url !== null) {
        posted.push(`${round}`);
        expect((await post(rotating.url, form.id, `${round}`)).status).toBe(200);
      }
      while ((await left()) > goal) await Bun.sleep(1);
      await Bun.sleep(Math.random() * 5);
      await rotating.end('SIGKILL');
      if ((await left()) > 0) underWay += 1;
    }
    await context.close();
    expect(underWay).toBeGreaterThanOrEqual(ROUNDS / 2);

    await expectFinished(dataDir, ROWS + posted.length);
    const server = await spawnServer(dataDir);
    expect((await storedNames(server.url, form, key.secret)).sort()).toEqual(posted.sort());
    expect(await server.end()).toBe(0);
  },
  PATIENCE_MS,
);

test(
  `killed ${2 * ROUNDS} times while keys are written, it loses none`,
  async () => {
    const dataDir = join(dir, 'keys');
    const { form } = await household(dataDir);
    let server = await spawnServer(dataDir);
    for (const name of ['a', 'b', 'c']) expect((await post(server.url, form.id, name)).status).toBe(200);
    expect(await server.end()).toBe(0);
    for (let round = 0; round < ROUNDS; round++) {
      const alone = await startRotating(dataDir, 'command');
      await Bun.sleep(100 + Math.random() * 250);
      await alone.end('SIGKILL');
      server = await spawnServer(dataDir);
      const beside = await startRotating(dataDir, 'command');
      await Bun.sleep(100 + Math.random() * 250);
      await Promise.all([beside.end('SIGKILL'), server.end('SIGKILL')]);
    }
    // Whatever was left behind, a start opens it.
    server = await spawnServer(dataDir);
    expect((await post(server.url, form.id, 'd')).status).toBe(200);
    expect(await server.end()).toBe(0);
    await expectFinished(dataDir, 4);
  },
  PATIENCE_MS,
);

import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Checkpointer } from '../../../src/storage/sqlite/checkpointer.ts';
import { openDatabase } from '../../../src/storage/sqlite/database.ts';

const dir = mkdtempSync(join(tmpdir(), 'formstead-checkpointer-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('a long log is checkpointed, and closing waits for a checkpoint at any moment', async () => {
  for (let index = 0; index < 12; index++) {
    const db = openDatabase(join(dir, `${index}.db`));
    const checkpointer = new Checkpointer(db, () => 1);
    const progress = db.$client.query<{ log: number; checkpointed: number }, []>('PRAGMA wal_checkpoint(NOOP)');
    db.$client.run('CREATE TABLE long (body BLOB)');
    db.$client.run('INSERT INTO long VALUES (zeroblob(5000000))');
    expect(progress.get()).toMatchObject({ log: expect.any(Number), checkpointed: 0 });
    checkpointer.start();
    if (index % 3 === 1) await checkpointer.maintain(false);
    if (index % 3 === 2) await new Promise(setImmediate);
    await checkpointer.maintain(index % 2 === 0);
    const { log, checkpointed } = progress.get() ?? { log: 1, checkpointed: 0 };
    expect(checkpointed).toBe(log);
    if (index % 2 === 0) expect(log).toBe(0);
    await checkpointer.close();
    db.$client.close();
  }
});

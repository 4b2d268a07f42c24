import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { expectAccepted } from '../submit/helpers.ts';
import { startInstance } from '../support/instance.ts';
import { flood } from './flood.ts';

const instance = await startInstance();
afterAll(instance.stop);

test('no body of thousands is answered with anything but yes or what is wrong with it, and only yes is stored', async () => {
  const { url, owner, dataDir, post } = instance;
  const { failures, accepted, statuses } = await flood({ url, formId: owner.form.id, seed: 1, count: 3_000 });
  expect(failures.map(({ seed, what }) => `seed ${seed} ${what}`)).toEqual([]);
  expect(statuses.keys().toArray()).toEqual(expect.arrayContaining([0, 200, 400, 415]));
  await expectAccepted(await post(owner.form.id, { a: 'good' }));
  const database = new Database(join(dataDir, 'formstead.db'), { readonly: true });
  expect(database.query('select count(*) as stored from submissions').get()).toEqual({ stored: accepted + 1 });
  database.close();
}, 30_000);

import { expect, test } from 'bun:test';
import { shareRuns } from '../../../src/lib/share-runs.ts';
import { until } from '../../support/until.ts';

test('calls during a run share the next one, and a failed run rejects its own callers only', async () => {
  const runs: Array<PromiseWithResolvers<void>> = [];
  const call = shareRuns(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const first = call();
  await until(() => runs.length === 1, 'the first run');
  const [second, third] = [call(), call()];
  runs[0]?.reject(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  await until(() => runs.length === 2, 'the second run');
  const fourth = call();
  runs[1]?.resolve();
  await Promise.all([second, third]);
  await until(() => runs.length === 3, 'the third run');
  runs[2]?.resolve();
  await fourth;
  expect(runs).toHaveLength(3);
});

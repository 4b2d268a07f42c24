import { expect, test } from 'bun:test';
import { TurnQueue } from '../../../src/lib/turn-queue.ts';

test('each caller gets a turn of the event loop of its own, in order', async () => {
  let turn = 0;
  let isCounting = true;
  const count = () => {
    turn++;
    if (isCounting) setImmediate(count);
  };
  count();
  const queue = new TurnQueue();
  const turns = await Promise.all(Array.from({ length: 5 }, () => queue.next().then(() => turn)));
  isCounting = false;
  expect(turns).toEqual([...new Set(turns)].sort((a, b) => a - b));
});

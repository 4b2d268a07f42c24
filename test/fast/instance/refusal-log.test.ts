import { expect, jest, test } from 'bun:test';
import { RefusalLog } from '../../../src/http/failure.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { startInstance } from '../../support/instance.ts';

type Line = Record<string, unknown>;

function recorder() {
  const lines: Line[] = [];
  const write = (line: string) => {
    const { time: _, level: __, ...rest } = JSON.parse(line) as Line;
    lines.push(rest);
  };
  return { lines, log: createLogger({ level: 'info', isPretty: false, write }) };
}

test('the first refusal of a kind is a line, further ones are a count each minute, until there are none', () => {
  jest.useFakeTimers();
  try {
    const { lines, log } = recorder();
    const refusals = new RefusalLog(log);
    const [missing, limited] = [
      { route: 'none', status: 404 },
      { route: 'none', status: 429 },
    ];
    for (let number = 1; number <= 1000; number++) refusals.note('info', missing, { request: number });
    refusals.note('info', limited, { request: 1001 });
    const first = [
      { message: 'request refused', request: 1, ...missing },
      { message: 'request refused', request: 1001, ...limited },
    ];
    expect(lines).toEqual(first);
    jest.advanceTimersByTime(60_000);
    const counted = { message: 'further requests refused', ...missing, count: 999, seconds: 60 };
    expect(lines.slice(2)).toEqual([counted]);
    refusals.note('info', missing, { request: 1002 });
    refusals.note('info', limited, { request: 1003 });
    jest.advanceTimersByTime(60_000);
    const again = { message: 'request refused', request: 1003, ...limited };
    expect(lines.slice(3)).toEqual([again, { ...counted, count: 1 }]);
    jest.advanceTimersByTime(600_000);
    expect(lines.slice(5)).toEqual([]);
  } finally {
    jest.useRealTimers();
  }
});

test('a flood of refusals writes a few lines', async () => {
  const instance = await startInstance({ env: { POSTS_PER_MINUTE: '10' } });
  const before = instance.logs.length;
  const requests = Array.from({ length: 100 }, async (_, number) => {
    await fetch(`${instance.url}/none/${number}`);
    await fetch(`${instance.url}/v1/usage`);
    await fetch(`${instance.url}/v1/forms/none/submissions`, { method: 'POST', body: 'a=b' });
  });
  await Promise.all(requests);
  const lines = instance.logs.slice(before).map((line) => JSON.parse(line) as Line);
  expect(lines.map(({ route, status }) => [status, route]).sort()).toEqual([
    [401, '/v1/usage'],
    [404, '/v1/forms/:formId/submissions'],
    [404, 'none'],
    [429, '/v1/forms/:formId/submissions'],
  ]);
  await instance.stop();
});

test('a full disk is one error line with its code, whatever the number of posts', async () => {
  const instance = await startInstance({ env: { MIN_FREE_BYTES: String(2 ** 50) } });
  const before = instance.logs.length;
  const posts = Array.from({ length: 100 }, () => instance.post(instance.owner.form.id, { message: 'Hello' }));
  expect(new Set((await Promise.all(posts)).map(({ status }) => status))).toEqual(new Set([500]));
  const lines = instance.logs.slice(before).map((line) => JSON.parse(line) as Line);
  expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
    { message: 'request failed', code: 'storage_unavailable', status: 500 },
  ]);
  await instance.stop();
});

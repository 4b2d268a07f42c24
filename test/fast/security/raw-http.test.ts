import { afterAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { startInstance } from '../../support/instance.ts';

const instance = await startInstance();
afterAll(instance.stop);

/** Returns everything the server sends until it closes the connection or has sent `count` responses. */
function answersTo(bytes: string, count = Number.POSITIVE_INFINITY): Promise<string> {
  const { hostname, port } = new URL(instance.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      answer += chunk;
      if (answer.split('HTTP/1.1 ').length > count) socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

/** A second request that a proxy may treat as part of the first. */
const SMUGGLED = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

test.each([
  ['a length and chunks', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 6'],
  ['a length with a sign', 'Content-Length: +5'],
  ['an encoding that nobody knows', 'Transfer-Encoding: xchunked'],
  ['a space before the colon', 'Transfer-Encoding : chunked'],
  ['a bare line feed', 'X: a\nTransfer-Encoding: chunked'],
])('a message of ambiguous length is refused and nothing after it is processed: %s', async (_, headers) => {
  const path = `/v1/forms/${instance.owner.form.id}/submissions`;
  const answer = await answersTo(`POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n0\r\n\r\n${SMUGGLED}`);
  expect(answer).toStartWith('HTTP/1.1 400 ');
  expect(answer.split('HTTP/1.1 ')).toHaveLength(2);
});

test.each(['/healthz', '/dashboard/sign-in', '/v1/forms', '/nothing-here'])(
  'a request for %s with two Host headers is refused',
  async (path) => {
    for (const second of ['x', 'y', 'X, y']) {
      const answer = await answersTo(`GET ${path} HTTP/1.1\r\nHost: x\r\nA: b\r\nhost: ${second}\r\n\r\n`, 1);
      expect(answer).toStartWith('HTTP/1.1 400 ');
      expect(answer).toContain('more than one Host header');
    }
  },
);

test('a post with two Host headers is refused and not stored', async () => {
  const path = `/v1/forms/${instance.owner.form.id}/submissions`;
  const post = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b';
  const answer = await answersTo(`POST ${path} HTTP/1.1\r\nHost: x\r\nHost: x\r\n${post}`, 1);
  expect(answer).toStartWith('HTTP/1.1 400 ');
  expect(await instance.stored(instance.owner)).toEqual([]);
});

test('TRACE does not return the request', async () => {
  const answer = await answersTo('TRACE / HTTP/1.1\r\nHost: x\r\nCookie: a=secret-of-mine\r\n\r\n', 1);
  expect(answer).toStartWith('HTTP/1.1 405 ');
  expect(answer).not.toContain('secret-of-mine');
});

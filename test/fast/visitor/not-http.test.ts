import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { expectAccepted, kept, URLENCODED } from './helpers.ts';
import { exchange, head } from './wire.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { id } = instance.owner.form;

const get = (line: string, ...headers: string[]) =>
  `${[line, 'Host: localhost', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
const chunkedHead = head(id, `Content-Type: ${URLENCODED}`, 'Transfer-Encoding: chunked');

// Bun answers these requests itself, so they have no body with a reason.
test.each([
  ['no HTTP at all', 'x\r\n\r\n', 400],
  ['a header without a colon', get('GET /healthz HTTP/1.1', 'x'), 400],
  ['a header with a NUL', get('GET /healthz HTTP/1.1', 'X: \0'), 400],
  ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['two lengths', head(id, 'Content-Length: 3', 'Content-Length: 4'), 400],
  ['a length that is none', head(id, 'Content-Length: -1'), 400],
  ['a length and chunks', head(id, 'Content-Length: 3', 'Transfer-Encoding: chunked'), 400],
  ['a chunk whose length is none', `${chunkedHead}g\r\na=b\r\n0\r\n\r\n`, 400],
  ['a head of 70 KB', get('GET /healthz HTTP/1.1', `X: ${'x'.repeat(70_000)}`), 431],
  ['another version', get('GET /healthz HTTP/2.0'), 505],
])('%s is refused without a body', async (_, bytes, status) => {
  const answer = await exchange(instance, bytes);
  expect([answer.status, await answer.text()]).toEqual([status, '']);
});

test('a pipelined request behind a pending post ends the connection; the outcome of the post is unknown', async () => {
  const owner = await instance.makeOwner();
  const body = 'a=b';
  const line = `POST /v1/forms/${owner.form.id}/submissions HTTP/1.1`;
  const post = `${line}\r\nHost: localhost\r\nContent-Type: ${URLENCODED}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const answer = await exchange(instance, post + get('GET /healthz HTTP/1.1')).catch(() => null);
  expect(answer).toBeNull();
  await expectAccepted(await instance.post(owner.form.id, { a: 'c' }));
  expect(await kept(instance, owner)).toContainEqual([['a', 'c']]);
});

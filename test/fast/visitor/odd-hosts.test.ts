import { afterAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { startInstance } from '../../support/instance.ts';

const instance = await startInstance();
afterAll(instance.stop);

/** Sends the bytes and returns the whole response. */
function exchange(request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(instance.url).port), '127.0.0.1', () => socket.write(request));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
      socket.end();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

test.each(['', '[::', 'a b:99999999', 'x'.repeat(300)])(
  'an unknown path under the Host "%s" is a 404 in the envelope, and no address is logged',
  async (host) => {
    const answer = await exchange(`GET /canary?email=canary HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect(answer).not.toContain('Something went wrong');
    expect(instance.logs.join('')).not.toContain('canary');
  },
);

test.each(['[::1', 'a b', 'x@y', 'localhost%00', 'a/b', 'a#b'])(
  'a page of the dashboard under the Host "%s" is a 400',
  async (host) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const answer = await exchange(
        `${method} /dashboard/sign-in HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 0\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    }
  },
);

test.each(['a', 'nas', 'web:80', '[::1]:80'])('the short Host "%s" leads to the dashboard', async (host) => {
  const answer = await exchange(`GET /dashboard/sign-in HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

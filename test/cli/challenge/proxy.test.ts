import { afterAll, beforeAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { startService, yes } from '../../fast/visitor/challenge/service.ts';
import { temporaryDir } from '../../support/instance.ts';
import { type ServerProcess, spawnServer } from '../../support/process.ts';
import { postVerifiedAt } from './post-verified-at.ts';

/** The request line of each request to the proxy, which answers all of them itself. */
const requestLines: string[] = [];
const SUCCESS = '{"success":true}';
const proxy = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: {
    data: (socket, bytes) => {
      const [line = ''] = bytes.toString().split('\r\n');
      requestLines.push(line);
      const head = line.startsWith('CONNECT ') ? '403 Forbidden' : '200 OK';
      socket.end(`HTTP/1.1 ${head}\r\nContent-Length: ${SUCCESS.length}\r\nConnection: close\r\n\r\n${SUCCESS}`);
    },
  },
});
const service = startService();
const dir = temporaryDir();
const dataDir = join(dir, 'data');
let server: ServerProcess;
beforeAll(async () => {
  const url = `http://127.0.0.1:${proxy.port}`;
  server = await spawnServer(dataDir, {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    NO_PROXY: 'localhost',
    ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
  });
});
afterAll(async () => {
  await server.end();
  proxy.stop(true);
  await service.stop();
  rmSync(dir, { recursive: true, force: true });
});

const post = (url: string) => postVerifiedAt(server, dataDir, url);

test('HTTP_PROXY gets the request with the host name, which the server need not resolve', async () => {
  requestLines.length = 0;
  expect(await post('http://cap.invalid/siteverify')).toBe(200);
  expect(requestLines).toEqual(['POST http://cap.invalid/siteverify HTTP/1.1']);
});

test('HTTPS_PROXY gets a CONNECT request with the host name', async () => {
  requestLines.length = 0;
  expect(await post('https://cap.invalid/siteverify')).toBe(500);
  expect(requestLines).toEqual(['CONNECT cap.invalid:443 HTTP/1.1']);
});

test('a host in NO_PROXY is requested directly, and the SSRF guard applies to it', async () => {
  requestLines.length = 0;
  const desk = service.desk(yes);
  expect(await post(desk.url.replace('127.0.0.1', 'localhost'))).toBe(200);
  expect(desk.asked).toHaveLength(1);
  expect(await post('http://cap.localhost:1/siteverify')).toBe(500);
  expect(requestLines).toEqual([]);
});

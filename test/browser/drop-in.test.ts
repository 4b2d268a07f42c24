import { afterAll, expect, test } from 'bun:test';
import { startInstance } from '../support/instance.ts';

const instance = await startInstance();
afterAll(instance.stop);

/** Requests the script and returns the response without decompressing it. */
function ask(headers: Record<string, string> = {}, method = 'GET') {
  return fetch(`${instance.url}/formstead.js`, { method, headers, decompress: false });
}

test('the script can be loaded by any page and is cached for an hour', async () => {
  const answer = await ask();
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=3600',
    vary: 'Accept-Encoding',
  });
});

test('the script is under 3 KB with gzip and has the same content', async () => {
  const plain = await ask({ 'Accept-Encoding': 'identity' });
  const gzipped = await ask({ 'Accept-Encoding': 'gzip, deflate, br' });
  expect([plain.headers.get('content-encoding'), gzipped.headers.get('content-encoding')]).toEqual([null, 'gzip']);
  const bytes = new Uint8Array(await gzipped.arrayBuffer());
  expect(bytes.length).toBeLessThan(3_000);
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(await plain.text());
});

test.each(['identity', 'br', 'gzip;q=0', ''])('the script is not gzipped for Accept-Encoding: %j', async (accepted) => {
  expect((await ask({ 'Accept-Encoding': accepted })).headers.get('content-encoding')).toBeNull();
});

test('a browser that has the script gets 304', async () => {
  const tag = (await ask()).headers.get('etag') ?? '';
  for (const known of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
    const answer = await ask({ 'If-None-Match': known });
    expect([answer.status, await answer.text()]).toEqual([304, '']);
    expect([answer.headers.get('etag'), answer.headers.get('cache-control')]).toEqual([tag, 'public, max-age=3600']);
  }
  expect((await ask({ 'If-None-Match': '"other"' })).status).toBe(200);
});

test('the script supports GET and HEAD only', async () => {
  expect((await ask({}, 'HEAD')).status).toBe(200);
  const answer = await ask({}, 'POST');
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('the script uses nothing that a strict Content-Security-Policy forbids', async () => {
  const text = await (await ask({ 'Accept-Encoding': 'identity' })).text();
  expect(text).not.toMatch(
    /innerHTML|outerHTML|insertAdjacentHTML|\beval\b|new Function|\.style\b|document\.write|import\(/,
  );
});

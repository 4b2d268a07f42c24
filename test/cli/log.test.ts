import { describe, expect, test } from 'bun:test';
import { createLogger, LOG_LEVELS } from '../../src/lib/log.ts';
import { spawnServer } from '../support/process.ts';
import { createTeamWithForm, instances, json, type Resource } from './command-line.ts';

const fresh = instances();

type Line = Readonly<Record<string, unknown>>;

const linesOf = (log: string): Line[] =>
  log
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

describe('the log of a server', () => {
  test('has one JSON object per line, and the request id of a refused request', async () => {
    const server = await spawnServer(fresh());
    const answers = await Promise.all([
      fetch(`${server.url}/v1/forms/frm_1/submissions`, { method: 'POST', body: new URLSearchParams('a=b') }),
      fetch(`${server.url}/v1/forms`),
      fetch(`${server.url}/nowhere`),
    ]);
    await server.end();
    const lines = linesOf(server.stdout());
    for (const line of lines) {
      expect(line).toMatchObject({ time: expect.any(String), message: expect.any(String) });
      expect(LOG_LEVELS).toContain(line.level as 'info');
    }
    const ids = answers.map((answer) => answer.headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(3);
    for (const [index, id] of ids.entries()) {
      expect(lines.filter(({ request }) => request === id)).toMatchObject([{ status: answers[index]?.status }]);
    }
  });

  test('omits lines below LOG_LEVEL', async () => {
    const server = await spawnServer(fresh(), { LOG_LEVEL: 'info' });
    await fetch(`${server.url}/nowhere`);
    await server.end();
    expect(linesOf(server.stdout()).map(({ level }) => level)).not.toContain('debug');
  });

  test('contains no content from visitors or owners and no address, at any level', async () => {
    const dataDir = fresh();
    const { team, form, key } = await createTeamWithForm(dataDir);
    const revoked = await json<Resource>(dataDir, ['key', 'create', '--team', team, '--name', 'canary-key-name']);
    await json(dataDir, ['key', 'revoke', revoked.id, '--yes']);
    const env = { LOG_LEVEL: 'debug', HOST: 'localhost', TRUSTED_PROXIES: '127.0.0.1,::1', MAX_BODY_BYTES: '4096' };
    const server = await spawnServer(dataDir, env);

    const submissions = `${server.url}/v1/forms/${form.id}/submissions`;
    const address = { 'X-Forwarded-For': '198.51.100.77, 2001:db8::77', 'User-Agent': 'canary-agent' };
    const send = (url: string, type: string, body: string) =>
      fetch(url, {
        method: 'POST',
        headers: { ...address, 'Content-Type': type, Referer: 'http://canary.ref/' },
        body,
      });
    const urlencoded = 'application/x-www-form-urlencoded';
    const answers = await Promise.all([
      send(submissions, urlencoded, 'canary-name=canary-value&email=canary%40mail.example'),
      send(submissions, urlencoded, '_honey=canary-honey&canary-name=canary-value'),
      send(submissions, urlencoded, `canary-name=${'canary-large'.repeat(500)}`),
      send(submissions, urlencoded, '_gotcha='),
      send(submissions, 'application/json', '{"canary-name": "canary-value", canary-broken'),
      send(submissions, 'application/json', '["canary-array"]'),
      send(submissions, 'application/json', `{"canary-name": ${'['.repeat(60)}"canary-deep"${']'.repeat(60)}}`),
      send(submissions, 'multipart/form-data; boundary=canary-boundary', 'canary-part without a boundary'),
      send(submissions, 'canary/type', 'canary-value'),
      send(`${server.url}/v1/forms/canary-form/submissions`, urlencoded, 'canary-name=canary-value'),
      send(`${server.url}/canary-path?canary-query=canary-value`, urlencoded, 'a=b'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 413, 400, 400, 400, 400, 400, 415, 404, 404]);

    const authorized = (secret: unknown) => ({ ...address, Authorization: `Bearer ${secret}` });
    const call = async (path: string, secret: unknown, init: RequestInit = {}) =>
      (await fetch(server.url + path, { ...init, headers: { ...authorized(secret), ...init.headers } })).status;
    const patch = (body: string) =>
      call(`/v1/forms/${form.id}`, key.secret, {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
    expect(
      await Promise.all([
        call(`/v1/forms/${form.id}/submissions`, key.secret),
        call(`/v1/forms/${form.id}/submissions?before=canary-cursor`, key.secret),
        call('/v1/submissions/canary-submission', key.secret),
        call('/v1/forms', revoked.secret),
        call('/v1/forms', 'fs_live_canary-unknown'),
        fetch(`${server.url}/v1/forms?access_token=${key.secret}`).then(({ status }) => status),
        patch('{"name": "canary-form-name"}'),
        patch('{"canary-property": "canary-value"}'),
        patch('{"name": canary-broken'),
      ]),
    ).toEqual([200, 400, 404, 401, 401, 401, 200, 400, 400]);
    expect(await server.end()).toBe(0);

    const written = server.stdout() + server.stderr();
    expect(linesOf(server.stdout()).length).toBeGreaterThan(10);
    const secrets = [key.secret, revoked.secret].map((secret) => String(secret).slice('fs_live_'.length));
    for (const canary of ['canary', 'fs_live_', ...secrets, '198.51.100.77', '2001:db8', '127.0.0.1', '::1']) {
      expect(written.toLowerCase()).not.toContain(canary.toLowerCase());
    }
  });
});

describe('a logger', () => {
  const logged = (options: { level: (typeof LOG_LEVELS)[number]; isPretty: boolean }) => {
    const lines: string[] = [];
    const log = createLogger({ ...options, write: (line) => lines.push(line) });
    log.debug('looked', { request: 'r-1' });
    log.info('listening', { url: 'http://localhost', port: 80, absent: undefined });
    log.warn('odd');
    log.error('failed', { at: 'two\nlines' });
    return lines;
  };

  test('writes JSON with time, level, message and fields for machines', () => {
    const lines = logged({ level: 'debug', isPretty: false });
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { time: expect.any(String), level: 'debug', message: 'looked', request: 'r-1' },
      { time: expect.any(String), level: 'info', message: 'listening', url: 'http://localhost', port: 80 },
      { time: expect.any(String), level: 'warn', message: 'odd' },
      { time: expect.any(String), level: 'error', message: 'failed', at: 'two\nlines' },
    ]);
  });

  test('writes one line of text without control characters for people', () => {
    const [looked, listening, odd, failed] = logged({ level: 'debug', isPretty: true });
    expect(looked).toMatch(/^\d\d:\d\d:\d\d debug looked request=r-1\n$/);
    expect(listening).toMatch(/^\d\d:\d\d:\d\d info {2}listening url=http:\/\/localhost port=80\n$/);
    expect(odd).toMatch(/^\d\d:\d\d:\d\d warn {2}odd\n$/);
    expect(failed).toMatch(/^\d\d:\d\d:\d\d error failed at=two.lines\n$/);
  });

  test.each([
    ['debug', ['debug', 'info', 'warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['warn', ['warn', 'error']],
    ['error', ['error']],
    ['silent', []],
  ] as const)('at %s writes %j', (level, levels) => {
    const lines = logged({ level, isPretty: false });
    expect(lines.map((line) => JSON.parse(line).level)).toEqual([...levels]);
  });
});

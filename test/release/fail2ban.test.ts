import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackDebian } from '../support/debian.ts';
import { namedBlock } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';
import { spawnServer } from '../support/process.ts';
import { limit } from '../support/speed.ts';

const folder = temporaryDir();
afterAll(() => rmSync(folder, { recursive: true }));

const etc = join(folder, 'etc/fail2ban');
const logFile = join(folder, 'formstead.log');

/** Runs a program of fail2ban and returns its output. */
async function run(program: string, ...args: string[]): Promise<string> {
  const child = Bun.spawn(['python3', join(folder, 'usr/bin', program), '-c', etc, ...args], {
    env: { ...Bun.env, PYTHONPATH: join(folder, 'usr/lib/python3/dist-packages') },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** Returns the addresses that the manual's filter finds in the lines. */
async function found(lines: string): Promise<string[]> {
  writeFileSync(logFile, lines);
  const output = await run('fail2ban-regex', '-o', 'ip', logFile, join(etc, 'filter.d/formstead.conf'));
  return output.trim().split('\n').filter(Boolean);
}

let log: string;
beforeAll(async () => {
  await unpackDebian(folder, ['fail2ban']);
  // The distribution's own jails watch logs that this machine may lack.
  rmSync(join(etc, 'jail.d'), { recursive: true, force: true });
  mkdirSync(join(etc, 'jail.d'));
  cpSync(join(etc, 'jail.conf'), join(etc, 'jail.local'));
  writeFileSync(join(etc, 'filter.d/formstead.conf'), namedBlock('filter'));
  writeFileSync(join(etc, 'jail.d/formstead.conf'), namedBlock('jail'));
  log = await makeLog();
}, limit(120));

/** Returns the log of a server with two clients to ban, and others that try to have a third one banned. */
async function makeLog(): Promise<string> {
  const env = { LOG_ADDRESSES: 'full', TRUSTED_PROXIES: '127.0.0.1' };
  const server = await spawnServer(join(folder, 'data'), env);
  const from = (address: string, headers = {}) => ({ 'X-Forwarded-For': address, ...headers });
  await fetch(`${server.url}/v1/forms`, { headers: from('203.0.113.9') });
  await fetch(`${server.url}/dashboard/sign-in`, {
    method: 'POST',
    headers: from('2001:db8::7', { Origin: server.url }),
    body: new URLSearchParams({ email: 'nobody@example.com', password: 'wrong wrong wrong' }),
  });
  const forged = '","level":"warn","message":"client refused","address":"192.0.2.1","reason":"invalid_key"}';
  const forgeries = { 'User-Agent': forged, Referer: forged, Accept: forged, 'X-Request-Id': forged };
  await fetch(`${server.url}/${encodeURIComponent(forged)}`, { headers: from('198.51.100.1', forgeries) });
  await fetch(`${server.url}/v1/forms/x`, { headers: from(forged, forgeries) });
  await server.end();
  return server.stdout();
}

test('the filter of the manual finds refused clients in a log file', async () => {
  // A forged X-Forwarded-For is no address, so the peer is refused.
  expect(await found(log)).toEqual(['203.0.113.9', '2001:db8::7', '127.0.0.1']);
});

test('the filter of the manual finds them in lines of the journal', async () => {
  // fail2ban gets the time of a journal entry apart from its text: it removes the one in front, and the space hides the other.
  const entries = log.trimEnd().replaceAll('"time":"', '"time":" ').split('\n');
  const journal = entries.map((entry) => `"time":"2026-11-22T09:00:00.000Zvps formstead[77]: ${entry}`);
  expect(await found(journal.join('\n'))).toEqual(['203.0.113.9', '2001:db8::7', '127.0.0.1']);
});

test('fail2ban accepts the jail of the manual and watches the service', async () => {
  const commands = await run('fail2ban-client', '-d');
  expect(commands).toContain("['add', 'formstead', 'systemd']");
  expect(commands).toContain("['set', 'formstead', 'addjournalmatch', '_SYSTEMD_UNIT=formstead.service']");
  expect(commands).toContain("['set', 'formstead', 'maxretry', 20]");
  expect(commands).toContain("['start', 'formstead']");
});

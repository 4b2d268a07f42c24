import { afterAll, expect, test } from 'bun:test';
import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { databaseTls } from '../../../src/domain/instance/database-url.ts';
import { connect } from '../../../src/storage/postgres/database.ts';
import { temporaryDir } from '../../support/instance.ts';
import { startPostgres } from '../../support/postgres.ts';

const dir = temporaryDir();
chmodSync(dir, 0o755);
const certificate = await generate([{ name: 'commonName', value: 'localhost' }], {
  keyType: 'ec',
  algorithm: 'sha256',
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
});
const CONTENTS = {
  'server.crt': certificate.cert,
  'server.key': certificate.private,
  hba: 'host all postgres all trust\nhostssl all all all trust\n',
};
for (const [name, content] of Object.entries(CONTENTS)) {
  writeFileSync(join(dir, name), content, { mode: 0o600 });
  // The account that runs PostgreSQL in tests.
  if (process.getuid?.() === 0) chownSync(join(dir, name), 65_534, 65_534);
}
const ca = join(dir, 'server.crt');
const postgres = await startPostgres([
  ...['ssl=on', `ssl_cert_file=${ca}`, `ssl_key_file=${join(dir, 'server.key')}`, `hba_file=${join(dir, 'hba')}`],
]);
const plain = await startPostgres();
afterAll(async () => {
  await Promise.all([postgres.stop(), plain.stop()]);
  rmSync(dir, { recursive: true });
});

const urlOf = (query: string, { host = 'localhost', user = 'postgres', server = postgres } = {}) => {
  const url = new URL(server.url);
  Object.assign(url, { hostname: host, username: user, search: query });
  return url.href;
};

test('a certificate of a private CA is verified with sslrootcert', async () => {
  const { pool } = await connect(urlOf(`?sslmode=verify-full&sslrootcert=${ca}`));
  const { rows } = await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
  expect(rows).toEqual([{ ssl: true }]);
  await pool.end();
});

test.each([
  ['without sslrootcert', urlOf('?sslmode=verify-full'), /self.signed.*sslrootcert=.*NODE_EXTRA_CA_CERTS/],
  [
    'for another host',
    urlOf(`?sslmode=verify-full&sslrootcert=${ca}`, { host: '127.0.0.1' }),
    /Use the host that its certificate names/,
  ],
  ['with a file that is missing', urlOf('?sslmode=verify-full&sslrootcert=/none/ca.crt'), /ENOENT.*\/none\/ca\.crt/],
  ['without TLS where the server wants it', urlOf('', { user: 'stranger' }), /no encryption.*add sslmode=verify-full/],
  ['of a server without TLS', urlOf('?sslmode=verify-full', { server: plain }), /Set ssl to on in PostgreSQL/],
])('a connection %s is refused with a remedy', async (_, url, message) => {
  await expect(connect(url)).rejects.toThrow(message);
});

test.each([
  ['localhost/f', 'local'],
  ['127.0.0.1:5432/f', 'local'],
  ['[::1]/f', 'local'],
  ['%2Fvar%2Frun%2Fpostgresql/f', 'local'],
  ['db/f?host=/var/run/postgresql', 'local'],
  ['db.example.com/f?sslmode=verify-full', 'verified'],
  ['db.example.com/f?sslmode=require', 'verified'],
  ['db.example.com/f?sslmode=no-verify', 'unverified'],
  ['db.example.com/f?sslmode=disable', 'none'],
] as const)('the connection to %s is %s', (rest, tls) => {
  expect(databaseTls(`postgres://u:p@${rest}`)).toBe(tls);
});

test.each([
  'db.example.com/f',
  '10.0.0.1/f',
  '127.0.0.1.example.com/f',
  'localhost/f?host=db.example.com',
  'db.example.com/f?sslmode=allow',
  'db.example.com/f?sslmode=require&uselibpqcompat=true',
  'db.example.com/f?ssl=0',
])('a URL that leaves the connection to %s open is refused', (rest) => {
  expect(() => databaseTls(`postgres://u:p@${rest}`)).toThrow(/sslmode=verify-full.*sslrootcert.*sslmode=disable/);
});

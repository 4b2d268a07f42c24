import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { temporaryDir } from '../../support/instance.ts';
import { spawnServer } from '../../support/process.ts';
import { postVerifiedAt } from './post-verified-at.ts';

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Starts a challenge service with TLS and a self-signed certificate for this name. `file` is the certificate. */
async function startTlsService(name: string) {
  const certificate = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  });
  const file = join(dir, `${name}.crt`);
  await Bun.write(file, certificate.cert);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { key: certificate.private, cert: certificate.cert },
    fetch: () => Response.json({ success: true }),
  });
  return { port: server.port, file, [Symbol.dispose]: () => server.stop(true) };
}

test.each([
  ['localhost', 200],
  ['other.example', 500],
])('a challenge service at https://localhost with a certificate for %s: posts get HTTP %i', async (name, status) => {
  using service = await startTlsService(name);
  const dataDir = join(dir, `data-${name}`);
  const server = await spawnServer(dataDir, { ALLOWED_PRIVATE_HOSTS: 'localhost', NODE_EXTRA_CA_CERTS: service.file });
  try {
    const url = `https://localhost:${service.port}/siteverify`;
    expect(await postVerifiedAt(server, dataDir, url)).toBe(status);
  } finally {
    await server.end();
  }
});

import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { temporaryDir } from '../../support/instance.ts';
import { formstead, spawnServer } from '../../support/process.ts';
import { TOKEN } from './service.ts';

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A service with TLS whose certificate, trusted by who is told of its file, is for this name. */
async function startSecure(name: string) {
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
])(
  'a service at https://localhost with a certificate for %s: HTTP %i',
  async (name, status) => {
    using service = await startSecure(name);
    const dataDir = join(dir, `data-${name}`);
    const server = await spawnServer(dataDir, {
      ALLOWED_PRIVATE_HOSTS: 'localhost',
      NODE_EXTRA_CA_CERTS: service.file,
    });
    try {
      const list = async (...args: string[]) =>
        (JSON.parse((await formstead(dataDir, [...args, '--json'])).stdout) as Array<{ id: string }>)[0]?.id ?? '';
      const form = await list('form', 'list', '--team', await list('team', 'list'));
      const url = `https://localhost:${service.port}/siteverify`;
      const challenge = ['--challenge', 'custom', '--challenge-secret', 's', '--challenge-verify-url', url];
      expect(await formstead(dataDir, ['form', 'update', form, ...challenge])).toMatchObject({ code: 0 });
      const body = new URLSearchParams({ name: 'Ada', 'captcha-response': TOKEN });
      const answer = await fetch(`${server.url}/v1/forms/${form}/submissions`, { method: 'POST', body });
      expect(answer.status).toBe(status);
    } finally {
      await server.end();
    }
  },
  60_000,
);

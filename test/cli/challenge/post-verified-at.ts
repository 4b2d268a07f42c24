import { expect } from 'bun:test';
import { SECRET, TOKEN } from '../../fast/submit/challenge/service.ts';
import { formstead, type ServerProcess } from '../../support/process.ts';

/** Sets a challenge that is verified at `url` on the first form, posts to the form and returns the status. */
export async function postVerifiedAt(server: ServerProcess, dataDir: string, url: string): Promise<number> {
  const list = async (...args: string[]) =>
    (JSON.parse((await formstead(dataDir, [...args, '--json'])).stdout) as Array<{ id: string }>)[0]?.id ?? '';
  const form = await list('form', 'list', '--team', await list('team', 'list'));
  const challenge = ['--challenge', 'custom', '--challenge-secret', SECRET, '--challenge-verify-url', url];
  expect(await formstead(dataDir, ['form', 'update', form, ...challenge])).toMatchObject({ code: 0 });
  const body = new URLSearchParams({ name: 'Ada', 'captcha-response': TOKEN });
  return (await fetch(`${server.url}/v1/forms/${form}/submissions`, { method: 'POST', body })).status;
}

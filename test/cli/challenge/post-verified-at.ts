import { expect } from 'bun:test';
import { SECRET, TOKEN } from '../../fast/visitor/challenge/service.ts';
import type { ServerProcess } from '../../support/process.ts';
import { json, run } from '../command-line.ts';

/** Sets a challenge that is verified at `url` on the first form, posts to the form and returns the status. */
export async function postVerifiedAt(server: ServerProcess, dataDir: string, url: string): Promise<number> {
  const list = async (...args: string[]) => (await json<Array<{ id: string }>>(dataDir, args))[0]?.id ?? '';
  const form = await list('form', 'list', '--team', await list('team', 'list'));
  const challenge = ['--challenge', 'custom', '--challenge-secret', SECRET, '--challenge-verify-url', url];
  expect(await run(dataDir, ['form', 'update', form, ...challenge])).toMatchObject({ code: 0 });
  const body = new URLSearchParams({ name: 'Ada', 'captcha-response': TOKEN });
  return (await fetch(`${server.url}/v1/forms/${form}/submissions`, { method: 'POST', body })).status;
}

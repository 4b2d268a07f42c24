import { afterAll, expect, test } from 'bun:test';
import { codeAt } from '../fast/dashboard/authenticator.ts';
import { PASSWORD } from '../fast/dashboard/signed-in.ts';
import { settle, visitor } from '../fast/dashboard/visitor.ts';
import { startInstance } from '../support/instance.ts';
import { run } from './command-line.ts';

const instance = await startInstance();
afterAll(instance.stop);

const PAGE = '/dashboard/account/second-factor';

test('user reset --second-factor turns two-factor authentication off and ends all sessions of the account', async () => {
  const { email, browser } = await settle(instance);
  const markup = await (await browser.get(PAGE)).text();
  const secret = (/<code id="secret"[^>]*>(.*?)<\/code>/.exec(markup)?.[1] ?? '').replace(/<[^>]+>/g, '');
  const offer = /name="offer" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  const code = codeAt(secret, instance.context.clock());
  expect((await browser.post(PAGE, { offer, code, password: PASSWORD })).status).toBe(200);
  const locationAfterSignIn = async () =>
    (await visitor(instance).post('/dashboard/sign-in', { email, password: PASSWORD })).headers.get('location');
  expect(await locationAfterSignIn()).toStartWith('/dashboard/second-factor');

  const reset = () => run(instance.dataDir, ['user', 'reset', '--second-factor', '--email', email, '--json']);
  const first = await reset();
  expect([first.code, JSON.parse(first.stdout)]).toEqual([0, { email, second_factor: 'off' }]);
  expect((await browser.get('/dashboard/account')).status).toBe(303);
  expect(await locationAfterSignIn()).toBe('/dashboard/forms');
  const again = await reset();
  expect([again.code, again.stderr]).toEqual([1, `{"error":"${email} has no second factor.","code":"not_found"}\n`]);
});

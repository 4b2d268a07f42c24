import { afterAll, describe, expect, test } from 'bun:test';
import { ChallengeServices } from '../../../../src/intake/challenge/siteverify.ts';
import { OutgoingShares } from '../../../../src/lib/outgoing-shares.ts';
import { readProxies } from '../../../../src/lib/proxies.ts';
import { SsrfGuard } from '../../../../src/lib/ssrf-guard.ts';
import { startInstance } from '../../../support/instance.ts';
import { expectAccepted, expectNothingKept, expectRefused } from '../helpers.ts';
import { guardedBy, logOf, postToken, SECRET, startService, TOKEN, yes } from './service.ts';

const NO_PROXIES = readProxies({});

const closed = await startInstance({ env: { ALLOWED_PRIVATE_HOSTS: '' } });
const open = await startInstance({ env: { ALLOWED_PRIVATE_HOSTS: 'localhost' } });
const listed = await startInstance({ env: { ALLOWED_PRIVATE_HOSTS: '', OUTBOUND_HOSTS: 'hooks.example' } });
const service = startService();
afterAll(async () => {
  await closed.stop();
  await listed.stop();
  await open.stop();
  await service.stop();
});

describe('a service in a private network', () => {
  test.each(['127.0.0.1', '2130706433', '0', '[::ffff:127.0.0.1]', 'localhost'])(
    'is not called at %s, and the log names the setting that allows it',
    async (host) => {
      const desk = service.desk(yes);
      const owner = await guardedBy(closed, { url: desk.url.replace('127.0.0.1', host) });
      const answer = await postToken(closed, owner);
      await expectRefused(answer, 500, 'challenge_unavailable');
      await expectNothingKept(closed, owner);
      expect(desk.asked).toEqual([]);
      const error = expect.stringMatching(/ is not public; .* ALLOWED_PRIVATE_HOSTS$/) as unknown;
      expect(logOf(closed, answer)).toMatchObject({ level: 'error', error });
    },
  );

  test('is called under the host name that the operator allows, and no other', async () => {
    const desk = service.desk(yes);
    const url = desk.url.replace('127.0.0.1', 'localhost');
    await expectAccepted(await postToken(open, await guardedBy(open, { url })));
    expect(desk.asked.map(({ headers }) => headers.get('host'))).toEqual([new URL(url).host]);
    await expectRefused(await postToken(open, await guardedBy(open, desk)), 500, 'challenge_unavailable');
    expect(desk.asked).toHaveLength(1);
  });
});

test('a service that OUTBOUND_HOSTS leaves out is not asked, and the log names the setting', async () => {
  const owner = await guardedBy(listed, { url: 'https://cap.example/siteverify' });
  const answer = await postToken(listed, owner);
  await expectRefused(answer, 500, 'challenge_unavailable');
  const error = expect.stringMatching(/cap\.example is not listed; to allow it, add it to OUTBOUND_HOSTS$/) as unknown;
  expect(logOf(listed, answer)).toMatchObject({ level: 'error', error });
});

test('the request goes to the checked address, even if the name resolves to another one later', async () => {
  const desk = service.desk(yes);
  const answers = ['127.0.0.1', '127.0.0.2'];
  const destinations = new SsrfGuard({ allowedPrivateHosts: ['127.0.0.1'] }, async () => [
    { address: answers.shift() ?? '' },
  ]);
  const url = desk.url.replace('127.0.0.1', 'cap.invalid');
  const ask = () =>
    new ChallengeServices({ ssrfGuard: destinations, proxies: NO_PROXIES, shares: new OutgoingShares() }).verify(
      'team',
      { url, secret: SECRET, token: TOKEN, hostnames: [] },
    );
  expect(await ask()).toBe(true);
  expect(answers).toEqual(['127.0.0.2']);
  await expect(ask()).rejects.toThrow(/not public/);
  expect(desk.asked).toHaveLength(1);
});

/** Returns a client with a resolver that returns these addresses, which are allowed. */
const servicesAt = (...addresses: string[]) =>
  new ChallengeServices({
    ssrfGuard: new SsrfGuard({ allowedPrivateHosts: ['cap.invalid'] }, async () =>
      addresses.map((address) => ({ address })),
    ),
    proxies: NO_PROXIES,
    shares: new OutgoingShares(),
  });

test('the next of several addresses is used if one accepts no connection', async () => {
  const desk = service.desk(yes);
  const url = desk.url.replace('127.0.0.1', 'cap.invalid');
  const services = servicesAt('127.0.0.2', '127.0.0.1');
  expect(await services.verify('team', { url, secret: SECRET, token: TOKEN, hostnames: [] })).toBe(true);
  expect(desk.asked).toHaveLength(1);
});

import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { ENCODINGS, expectAccepted, expectNothingKept, expectRefused, kept, send, used, whole } from './helpers.ts';

const PLANS = JSON.stringify({ full: { api_access: true, submissions_limit: 1 } });
const REDIRECT = 'https://example.com/thanks';

const instance = await startInstance({ env: { PLANS } });
afterAll(instance.stop);

describe.each(['_honey', '_gotcha'])('a filled %s', (trap) => {
  test.each(ENCODINGS)('gets a success response and is neither stored nor counted, as %s', async (_name, encode) => {
    const owner = await instance.makeOwner();
    const response = await send(instance, owner, encode(Object.entries({ email: 'bot@example.com', [trap]: 'x' })));
    await expectAccepted(response);
    await expectNothingKept(instance, owner);
  });

  test.each([['x'], ['00'], ['0 false'], [1], [true], [['x']], [['', 'x']], [{ a: 1 }]])(
    'is a trap as %j',
    async (value) => {
      const owner = await instance.makeOwner();
      await expectAccepted(await instance.post(owner.form.id, { message: 'Hello', [trap]: value }));
      await expectNothingKept(instance, owner);
    },
  );

  test.each(ENCODINGS)('counts under the name %s[] too, as %s', async (_name, encode) => {
    const owner = await instance.makeOwner();
    await expectAccepted(await send(instance, owner, encode(Object.entries({ message: 'Hello', [`${trap}[]`]: 'x' }))));
    await expectNothingKept(instance, owner);
  });

  test('gets exactly the response of a success', async () => {
    const { form } = await instance.makeOwner();
    const success = await whole(await instance.post(form.id, { message: 'Hello' }));
    expect(await whole(await instance.post(form.id, { message: 'Hello', [trap]: 'x' }))).toEqual(success);
  });

  test('gets exactly the response of a success if the form has no other field', async () => {
    const owner = await instance.makeOwner();
    const trapped = await whole(await instance.post(owner.form.id, { [trap]: 'x' }));
    await expectNothingKept(instance, owner);
    expect(trapped).toEqual(await whole(await instance.post(owner.form.id, { message: 'Hello' })));
  });

  test.each(['text/html', '*/*', 'application/json'])(
    'is redirected as a success is, to Accept: %s',
    async (Accept) => {
      const owner = await instance.makeOwner();
      const form = await instance.makeForm(owner, { redirectUrl: REDIRECT });
      const success = await whole(await instance.post(form.id, { message: 'Hello' }, { Accept }));
      expect(await whole(await instance.post(form.id, { message: 'Hello', [trap]: 'x' }, { Accept }))).toEqual(success);
      expect(await kept(instance, owner, form)).toHaveLength(1);
    },
  );

  test('gets a success response from a form at its cap', async () => {
    const owner = await instance.makeOwner('full');
    const success = await whole(await instance.post(owner.form.id, { message: 'Hello' }));
    expect(await whole(await instance.post(owner.form.id, { [trap]: 'x' }))).toEqual(success);
    await expectRefused(await instance.post(owner.form.id, { message: 'Hello' }), 429, 'submission_cap_reached');
    expect(await used(instance, owner)).toBe(1);
  });
});

describe('an empty honeypot', () => {
  test.each(ENCODINGS)('is not a hit and is not stored, as %s', async (_name, encode) => {
    const owner = await instance.makeOwner();
    const fields = Object.entries({ _honey: '', message: 'Hello', _gotcha: '' });
    await expectAccepted(await send(instance, owner, encode(fields)));
    expect(await kept(instance, owner)).toEqual([[['message', 'Hello']]]);
  });

  test.each([[null], [false], [0], [[]], [['']], [{}], [{ a: 0 }]])('is not a hit with the value %j', async (value) => {
    const owner = await instance.makeOwner();
    await expectAccepted(await instance.post(owner.form.id, { message: 'Hello', _honey: value }));
    expect(await kept(instance, owner)).toEqual([[['message', 'Hello']]]);
  });

  describe.each(ENCODINGS)('as %s', (_name, encode) => {
    test.each(['0', 'false', ' 0 ', ' ', '\t\r\n', '\u00a0'])('is not a hit with the text %j', async (text) => {
      const owner = await instance.makeOwner();
      const fields = Object.entries({ _gotcha: text, message: 'Hello', _honey: text });
      await expectAccepted(await send(instance, owner, encode(fields)));
      expect(await kept(instance, owner)).toEqual([[['message', 'Hello']]]);
    });
  });
});

describe('a field with a name similar to a honeypot', () => {
  test.each(['honey', '_Honey', '_honey ', '_honeypot', 'data._gotcha'])('%s is stored', async (name) => {
    const owner = await instance.makeOwner();
    await expectAccepted(await instance.post(owner.form.id, { [name]: 'x' }));
    expect(await kept(instance, owner)).toEqual([[[name, 'x']]]);
  });
});

describe('special fields', () => {
  test.each(ENCODINGS)(
    'that are challenge tokens are taken out, the others are stored, as %s',
    async (_name, encode) => {
      const owner = await instance.makeOwner();
      const tokens = ['captcha-response', 'cf-turnstile-response', 'h-captcha-response', 'g-recaptcha-response'];
      const data = Object.entries({ email: 'a@example.com', _replyto: 'b@example.com', _subject: 'Hi' });
      const fields = [...tokens, 'cap-token', 'altcha'].map((name) => [name, 'token'] as const);
      await expectAccepted(await send(instance, owner, encode([...fields, ...data])));
      expect(await kept(instance, owner)).toEqual([data]);
    },
  );
});

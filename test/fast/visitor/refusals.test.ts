import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { expectAccepted, expectNothingKept, expectRefused, kept, pause, URLENCODED, used } from './helpers.ts';
import { chunked, exchange, head, postChunked } from './wire.ts';

const MAX_BODY = 2_048;
const MAX_UPLOAD = 4_096;
const UNKNOWN = 'frm_00000000000000000000000000000000';

const instance = await startInstance({
  env: { MAX_BODY_BYTES: `${MAX_BODY}`, MAX_UPLOAD_BYTES: `${MAX_UPLOAD}`, PLANS: plans({ full: 1 }) },
});
afterAll(instance.stop);

function plans(limits: Record<string, number>): string {
  const entries = Object.entries(limits).map(([name, limit]) => [name, { api_access: true, submissions_limit: limit }]);
  return JSON.stringify(Object.fromEntries(entries));
}

describe('a refused post', () => {
  test('gets JSON with success, message and code, and the request id of the log', async () => {
    const response = await instance.post(UNKNOWN, { a: '1' });
    expect(response.headers.get('content-type')).toBe('application/json');
    const id = response.headers.get('x-request-id');
    expect(await response.json()).toEqual({ success: false, message: expect.any(String), code: 'form_not_found' });
    expect(instance.logs.filter((line) => line.includes(`"request":"${id}"`))).toHaveLength(1);
  });

  test('leaves the connection usable, and its body is never parsed as a request', async () => {
    const owner = await instance.makeOwner();
    const next = `${head(owner.form.id, 'Content-Type: application/json', 'Content-Length: 9')}{"a":"1"}`;
    const refused = head(owner.form.id, 'Content-Type: text/xml', `Content-Length: ${next.length}`) + next;
    // Bun closes a connection whose next request arrives before the answer.
    const afterAnswer = async (answered: () => string) => {
      await until(() => answered().includes('\r\n\r\n'), 'the refusal');
      return next;
    };
    const answers = await exchange(instance, refused.replace('Connection: close\r\n', ''), afterAnswer);
    expect(answers.status).toBe(415);
    expect(await answers.text()).toContain('HTTP/1.1 200 OK');
    expect(await kept(instance, owner)).toEqual([[['a', '1']]]);
  });

  test('has the same status for every client', async () => {
    for (const Accept of ['text/html', 'application/json', '*/*']) {
      expect((await instance.post(UNKNOWN, { a: '1' }, { Accept })).status).toBe(404);
    }
  });
});

describe('a declared length over the largest limit', () => {
  test('gets 413 before any byte of the body arrives', async () => {
    const owner = await instance.makeOwner();
    const start = head(owner.form.id, `Content-Type: ${URLENCODED}`, `Content-Length: ${MAX_UPLOAD + 1}`);
    await expectRefused(await exchange(instance, start), 413, 'body_too_large');
    await expectNothingKept(instance, owner);
  });

  test('gets 413 before the check for an unknown form', async () => {
    const start = head(UNKNOWN, `Content-Type: ${URLENCODED}`, `Content-Length: ${MAX_UPLOAD + 1}`);
    await expectRefused(await exchange(instance, start), 413, 'body_too_large');
  });
});

/** Bodies that later checks would refuse with another code. */
const LATER_CHECKS = [
  ['zero bytes are 400', '', URLENCODED],
  ['a type that is not taken is 415', '<a/>', 'text/xml'],
  ['a body over the limit is 413', 'a='.padEnd(MAX_BODY + 1, 'x'), URLENCODED],
  ['an unreadable body is 400', '{', 'application/json'],
  ['a honeypot is success', '{"_honey":"x"}', 'application/json'],
] as const;

describe('an unknown form', () => {
  test('gets 404', async () => {
    await expectRefused(await instance.post(UNKNOWN, { a: '1' }), 404, 'form_not_found');
  });

  test.each(LATER_CHECKS)('gets 404 before the check for %s', async (_second, body, type) => {
    await expectRefused(await instance.post(UNKNOWN, body, { 'Content-Type': type }), 404, 'form_not_found');
  });
});

describe('a paused form', () => {
  test('gets 403 and stores nothing, and accepts submissions again after it is resumed', async () => {
    const owner = await instance.makeOwner();
    await pause(instance, owner);
    await expectRefused(await instance.post(owner.form.id, { a: '1' }), 403, 'form_paused');
    await expectNothingKept(instance, owner);
    await instance.context.store.forms.update(owner.form.id, { isActive: true });
    await expectAccepted(await instance.post(owner.form.id, { a: '1' }));
    expect(await kept(instance, owner)).toEqual([[['a', '1']]]);
  });

  test.each(LATER_CHECKS)('gets 403 before the check for %s', async (_second, body, type) => {
    const owner = await instance.makeOwner();
    await pause(instance, owner);
    await expectRefused(await instance.post(owner.form.id, body, { 'Content-Type': type }), 403, 'form_paused');
    await expectNothingKept(instance, owner);
  });
});

describe('an empty body', () => {
  const multiparts = ['multipart/form-data; boundary=b', 'multipart/form-data'];
  const types = [URLENCODED, 'application/json', ...multiparts, 'text/plain', 'text/xml', 'junk'];

  test.each(types)('gets 400 as %s, with and without a declared length', async (type) => {
    const owner = await instance.makeOwner();
    await expectRefused(await instance.post(owner.form.id, '', { 'Content-Type': type }), 400, 'empty_submission');
    await expectRefused(await postChunked(instance, owner, type), 400, 'empty_submission');
    await expectNothingKept(instance, owner);
  });

  test('gets 400 without a type, and before the check of Content-Encoding', async () => {
    const { form } = await instance.makeOwner();
    await expectRefused(await exchange(instance, head(form.id)), 400, 'empty_submission');
    const encoded = head(form.id, 'Content-Encoding: gzip', 'Transfer-Encoding: chunked');
    await expectRefused(await exchange(instance, encoded, chunked()), 400, 'empty_submission');
  });
});

describe('an unsupported content type', () => {
  test.each(['text/xml', 'application/octet-stream', 'application/jsonp', 'application/ld+json', 'text/html', 'json'])(
    '%s is 415, and the answer names those that are',
    async (type) => {
      const owner = await instance.makeOwner();
      const response = await instance.post(owner.form.id, '{"a":"1"}', { 'Content-Type': type });
      const { message } = await expectRefused(response, 415, 'unsupported_content_type');
      expect(message).toContain('application/x-www-form-urlencoded');
      expect(message).toContain('multipart/form-data');
      expect(message).toContain('application/json');
      await expectNothingKept(instance, owner);
    },
  );

  test('gets 415 if the header is missing', async () => {
    const owner = await instance.makeOwner();
    const response = await exchange(instance, head(owner.form.id, 'Content-Length: 3'), 'a=1');
    await expectRefused(response, 415, 'unsupported_content_type');
    await expectNothingKept(instance, owner);
  });

  test.each(['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'x-unknown', 'identity', 'gzip, gzip'])(
    'is 415 with Content-Encoding: %s, whatever the type',
    async (encoding) => {
      const owner = await instance.makeOwner();
      const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
      const response = await instance.post(owner.form.id, '{"a":"1"}', headers);
      await expectRefused(response, 415, 'unsupported_content_type');
      await expectNothingKept(instance, owner);
    },
  );

  test('gets 415 before the check of the body size', async () => {
    const owner = await instance.makeOwner();
    const large = 'x'.repeat(MAX_BODY + 1);
    await expectRefused(await postChunked(instance, owner, 'text/xml', large), 415, 'unsupported_content_type');
    await expectNothingKept(instance, owner);
  });
});

describe('a body', () => {
  test('of exactly the limit is accepted, with and without a declared length', async () => {
    const owner = await instance.makeOwner();
    const body = 'a='.padEnd(MAX_BODY, 'x');
    await expectAccepted(await instance.post(owner.form.id, body, { 'Content-Type': URLENCODED }));
    await expectAccepted(await postChunked(instance, owner, URLENCODED, body.slice(0, 1_000), body.slice(1_000)));
    expect(await kept(instance, owner)).toEqual(Array(2).fill([['a', body.slice(2)]]));
  });

  test('one byte over the limit gets 413, with and without a declared length', async () => {
    const owner = await instance.makeOwner();
    const body = 'a='.padEnd(MAX_BODY + 1, 'x');
    const declared = await instance.post(owner.form.id, body, { 'Content-Type': URLENCODED });
    await expectRefused(declared, 413, 'body_too_large');
    const undeclared = await postChunked(instance, owner, URLENCODED, body.slice(0, MAX_BODY), body.slice(MAX_BODY));
    await expectRefused(undeclared, 413, 'body_too_large');
    await expectNothingKept(instance, owner);
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=b'])(
    'over the limit is 413 before it is unreadable as %s',
    async (type) => {
      const owner = await instance.makeOwner();
      await expectRefused(await postChunked(instance, owner, type, 'x'.repeat(MAX_BODY + 1)), 413, 'body_too_large');
      await expectNothingKept(instance, owner);
    },
  );

  test.each(['{', '[]', '"a"', 'null', '1', 'a=1', '{"a":1,}', "{'a':1}", '{"a":1}{', ' ', 'NaN'])(
    '%s is unreadable as JSON: 400',
    async (body) => {
      const owner = await instance.makeOwner();
      const response = await instance.post(owner.form.id, body, { 'Content-Type': 'application/json' });
      await expectRefused(response, 400, 'unreadable_body');
      await expectNothingKept(instance, owner);
    },
  );

  test('that is unreadable gets 400 even with a honeypot in it', async () => {
    const owner = await instance.makeOwner();
    const response = await instance.post(owner.form.id, '{"_honey":"x",', { 'Content-Type': 'application/json' });
    await expectRefused(response, 400, 'unreadable_body');
    await expectNothingKept(instance, owner);
  });
});

describe('a form without any data', () => {
  test.each([
    {},
    { _honey: '', _gotcha: '' },
    { 'captcha-response': 't', 'cf-turnstile-response': 't', 'h-captcha-response': 't' },
    { 'g-recaptcha-response': 't', 'cap-token': 't', altcha: 't', _honey: '', _gotcha: '0' },
    { a: '' },
    { '': '' },
    { a: '', email: ' \t\r\n\u00a0', _subject: '' },
    { m: null },
    { m: [], n: {}, o: ['', null, {}], p: { q: { r: [' '] } } },
  ])('gets 400: %j', async (fields) => {
    const owner = await instance.makeOwner();
    await expectRefused(await instance.post(owner.form.id, fields), 400, 'empty_submission');
    await expectNothingKept(instance, owner);
  });

  test.each([
    { email: 'ada@example.com' },
    { _replyto: 'ada@example.com' },
    { _subject: 'Hello' },
    { a: 0 },
    { a: false, b: null },
    { a: '0' },
    { a: ['', 'x'] },
    { a: { b: { c: 0 } }, d: '' },
  ])('is not one that has a value: %j', async (fields) => {
    const owner = await instance.makeOwner();
    await expectAccepted(await instance.post(owner.form.id, fields));
    expect(await kept(instance, owner)).toEqual([Object.entries(fields)]);
  });

  test('names the required fields of a form that enforces its rules', async () => {
    const owner = await instance.makeOwner();
    const fields = [{ name: 'name', label: 'Name', type: 'text', required: true }];
    const form = await instance.makeForm(owner, { fields, enforcesRules: true });
    const response = await instance.post(form.id, { name: '' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'empty_submission', errors: [{ field: 'name' }] });
  });

  test('gets 400 before the check of the cap', async () => {
    const owner = await instance.makeOwner('full');
    await expectAccepted(await instance.post(owner.form.id, { a: '1' }));
    await expectRefused(await instance.post(owner.form.id, { a: '' }), 400, 'empty_submission');
    await expectRefused(await instance.post(owner.form.id, { a: '1' }), 429, 'submission_cap_reached');
    expect(await used(instance, owner)).toBe(1);
  });
});

import { afterAll, describe, expect, test } from 'bun:test';
import { VISITOR_CATALOG } from '../../../src/visitor/i18n/index.ts';
import { startInstance } from '../../support/instance.ts';
import { formData } from './files.ts';
import { expectRefused, URLENCODED } from './helpers.ts';

const instance = await startInstance({ env: { MAX_FILES: '2', MAX_FILE_BYTES: '2048' } });
const limited = await startInstance({ env: { POSTS_PER_MINUTE: '1' }, monotonic: () => 0 });
afterAll(() => Promise.all([instance.stop(), limited.stop()]));

const LANGUAGES = VISITOR_CATALOG.languages.map((language) => [language] as const);

const FORM = { 'Content-Type': URLENCODED };
const TYPES = ['image/png', 'application/pdf'];
const pictures = await instance.makeForm(instance.owner, { allowedFileTypes: TYPES });

const manyFields = Array.from({ length: 1_001 }, (_, index) => `f${index}=x`).join('&');
const deep = `{"a":${'['.repeat(33)}${']'.repeat(33)}}`;
const files = (count: number, size: number) =>
  formData(Array.from({ length: count }, () => ['cv', new File(['x'.repeat(size)], 'cv.txt')] as const));

describe.each(LANGUAGES)('a refusal as JSON in %s', (language) => {
  const number = (value: number) => new Intl.NumberFormat(language).format(value);
  const post = (body: string | FormData, headers: Record<string, string> = {}, form = instance.owner.form.id) =>
    instance.post(form, body, { 'Accept-Language': language, ...headers });

  test.each<[string, string, Record<string, string>, number, string, string]>([
    ['fields', manyFields, FORM, 400, 'too_many_fields', number(1_000)],
    ['bytes of a name', `${'n'.repeat(257)}=x`, FORM, 400, 'name_too_long', number(256)],
    ['levels', deep, { 'Content-Type': 'application/json' }, 400, 'too_deep', number(32)],
    ['bytes', `a=${'x'.repeat(1024 * 1024)}`, FORM, 413, 'body_too_large', '1'],
    [
      'types',
      '<a/>',
      { 'Content-Type': 'text/xml' },
      415,
      'unsupported_content_type',
      'multipart/form-data, application/json',
    ],
    [
      'characters of a key',
      'a=b',
      { ...FORM, 'Idempotency-Key': 'k'.repeat(256) },
      400,
      'invalid_idempotency_key',
      '255',
    ],
  ])('names the limit of %s', async (_kind, body, headers, status, code, limit) => {
    const { message } = await expectRefused(await post(body, headers), status, code);
    if (language !== 'en') expect(message).toContain(limit);
  });

  test('names the limits of files with the field', async () => {
    const { errors: number } = await expectRefused(await post(files(3, 1)), 413, 'too_many_files');
    expect(number).toEqual([{ field: 'cv', message: expect.stringContaining('2') }]);
    const { errors: size } = await expectRefused(await post(files(1, 2049)), 413, 'file_too_large');
    expect(size).toEqual([{ field: 'cv', message: expect.stringMatching(/2.k[bo]/i) }]);
    const refused = await post(files(1, 1), {}, pictures.id);
    const { errors: type } = await expectRefused(refused, 415, 'file_type_not_allowed');
    expect(type).toEqual([{ field: 'cv', message: expect.stringContaining(TYPES.join(', ')) }]);
  });

  test('names the seconds until the next post is accepted', async () => {
    const { form } = limited.owner;
    await limited.post(form.id, { a: '1' });
    const { message } = await expectRefused(
      await limited.post(form.id, { a: '1' }, { 'Accept-Language': language }),
      429,
      'rate_limited',
    );
    expect(message).toContain('60');
  });
});

test('a page names the limit in the language of the visitor', async () => {
  const answer = await instance.post(instance.owner.form.id, `a=${'x'.repeat(1024 * 1024)}`, {
    Accept: 'text/html',
    'Accept-Language': 'de',
    ...FORM,
  });
  expect(await answer.text()).toMatch(/Maximale Größe: 1.MB\./);
});

test('a challenge of a form without altcha is refused with its own text', async () => {
  const url = `${instance.url}/v1/forms/${instance.owner.form.id}/challenge`;
  const answer = await fetch(url, { headers: { 'Accept-Language': 'de' } });
  expect([answer.status, (await answer.json()) as unknown]).toEqual([
    404,
    { success: false, code: 'no_challenge', message: 'Dieses Formular verwendet die Spam-Prüfung „altcha“ nicht.' },
  ]);
});

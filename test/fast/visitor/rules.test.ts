import { afterAll, describe, expect, test } from 'bun:test';
import type { FormField } from '../../../src/domain/fields/field-type.ts';
import type { FormSettings } from '../../../src/domain/forms/form.ts';
import { DE } from '../../../src/visitor/i18n/de.ts';
import { FIELD_ERRORS } from '../../../src/visitor/i18n/field-errors.ts';
import { VISITOR_CATALOG } from '../../../src/visitor/i18n/index.ts';
import { type Owner, startInstance } from '../../support/instance.ts';
import { filePart } from './files.ts';
import {
  ENCODINGS,
  expectAccepted,
  expectNothingKept,
  expectRefused,
  kept,
  multipart,
  pause,
  send,
  textPart,
  URLENCODED,
} from './helpers.ts';

const PLANS = JSON.stringify({ none: { api_access: true, submissions_limit: 0 } });
const instance = await startInstance({ env: { PLANS } });
afterAll(instance.stop);

const FIELDS: readonly FormField[] = [
  { name: 'email', label: 'E-mail', type: 'email', required: true },
  { name: 'age', label: 'Age', type: 'number', required: false },
  { name: 'site', label: 'Site', type: 'url', required: false },
  { name: 'day', label: 'Day', type: 'date', required: false },
  { name: 'note', label: 'Note', type: 'text', required: false, max_length: 5 },
  { name: 'code', label: 'Code', type: 'text', required: false, pattern: '[A-Z]{2}[0-9]+' },
  { name: 'cv', label: 'CV', type: 'file', required: false },
];

const FITTING = { email: 'ada@example.com', age: '36', site: 'https://example.com', note: 'Hello', code: 'AB1' };

/** Values that break the rule of their field, in another order than the form's. */
const BROKEN = { code: 'ab1', note: '123456', day: '2026-02-30', cv: 'text', site: 'example', age: 'x', email: 'ada' };

async function makeOwner(settings: Partial<FormSettings> = {}, plan?: string): Promise<Owner> {
  const owner = await instance.makeOwner(plan);
  return { ...owner, form: await instance.makeForm(owner, { fields: FIELDS, enforcesRules: true, ...settings }) };
}

describe.each(ENCODINGS)('as %s', (_encoding, encode) => {
  test('a form that does not enforce its rules accepts a post that breaks them all', async () => {
    const owner = await makeOwner({ enforcesRules: false });
    await expectAccepted(await send(instance, owner, encode(Object.entries(BROKEN))));
    expect(await kept(instance, owner)).toEqual([Object.entries(BROKEN)]);
  });

  test('a valid post is stored with all its fields, also unknown ones', async () => {
    const owner = await makeOwner();
    const fields = Object.entries({ extra: 'x', ...FITTING, 'other[x]': 'y' });
    await expectAccepted(await send(instance, owner, encode(fields)));
    expect(await kept(instance, owner)).toEqual([fields]);
  });

  test("an invalid post is refused with all its invalid fields, in the form's order, and not stored", async () => {
    const owner = await makeOwner();
    const answer = await send(instance, owner, encode(Object.entries(BROKEN)));
    expect(await expectRefused(answer, 400, 'invalid_fields')).toEqual({
      message: 'Some entries are missing or need to be corrected.',
      errors: [
        { field: 'email', message: FIELD_ERRORS.en.email },
        { field: 'age', message: FIELD_ERRORS.en.number },
        { field: 'site', message: FIELD_ERRORS.en.url },
        { field: 'day', message: FIELD_ERRORS.en.date },
        { field: 'note', message: 'This is too long. Characters allowed: 5.' },
        { field: 'code', message: FIELD_ERRORS.en.pattern },
        { field: 'cv', message: FIELD_ERRORS.en.file },
      ],
    });
    await expectNothingKept(instance, owner);
  });

  test.each([[{ age: '36' }], [{ age: '36', email: '' }]])(
    'a required field is missed in %j, and it alone',
    async (fields) => {
      const owner = await makeOwner();
      const answer = await send(instance, owner, encode(Object.entries(fields)));
      const { errors } = await expectRefused(answer, 400, 'invalid_fields');
      expect(errors).toEqual([{ field: 'email', message: FIELD_ERRORS.en.required }]);
      await expectNothingKept(instance, owner);
    },
  );
});

test('each of several values must be valid', async () => {
  const owner = await makeOwner({ fields: [{ name: 'to', label: 'To', type: 'email', required: true }] });
  await expectRefused(await instance.post(owner.form.id, { to: ['a@example.com', 'b'] }), 400, 'invalid_fields');
  await expectAccepted(await instance.post(owner.form.id, { to: ['a@example.com', 'b@example.com'] }));
  expect(await kept(instance, owner)).toEqual([[['to', ['a@example.com', 'b@example.com']]]]);
});

describe('fields to choose from', () => {
  const field = (name: string, type: string, more: Partial<FormField> = {}): FormField => {
    return { name, label: name, type, required: false, ...more };
  };
  const options = ['Red', 'Light blue'];
  const fields = [
    field('color', 'select', { options }),
    field('size', 'radio', { options: ['S', 'M'], required: true }),
    field('extras', 'checkboxes', { options }),
    field('stars', 'rating', { max: 7 }),
    field('call', 'phone'),
    field('terms', 'consent', { required: true }),
    field('source', 'hidden'),
  ];
  const valid = {
    size: 'M',
    'extras[]': 'Light blue',
    stars: '7',
    call: '+46 70 123 45 67',
    terms: 'yes',
    source: '?',
  };
  const invalid = { color: 'red', extras: 'Red, Light blue', stars: '8', call: 'me', terms: 'no' };

  test.each(ENCODINGS)('accept their options as %s', async (_encoding, encode) => {
    const owner = await makeOwner({ fields });
    await expectAccepted(await send(instance, owner, encode(Object.entries(valid))));
    await expectRefused(await send(instance, owner, encode(Object.entries(invalid))), 400, 'invalid_fields');
    expect(await kept(instance, owner)).toHaveLength(1);
  });

  test.each(VISITOR_CATALOG.languages.map((language) => [language]))('explain wrong values in %s', async (language) => {
    const owner = await makeOwner({ fields });
    const answer = await instance.post(owner.form.id, invalid, { 'Accept-Language': language });
    expect(((await answer.json()) as { errors: unknown }).errors).toEqual([
      { field: 'color', message: FIELD_ERRORS[language].option },
      { field: 'size', message: FIELD_ERRORS[language].required },
      { field: 'extras', message: FIELD_ERRORS[language].option },
      { field: 'stars', message: FIELD_ERRORS[language].rating('7') },
      { field: 'call', message: FIELD_ERRORS[language].phone },
      { field: 'terms', message: FIELD_ERRORS[language].consent },
    ]);
  });
});

describe('a German-speaking visitor', () => {
  const German = { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' };

  test('gets the field errors in German as JSON with field names, without labels', async () => {
    const owner = await makeOwner();
    const answer = await instance.post(owner.form.id, { email: 'ada', note: '123456' }, German);
    expect((await answer.json()) as object).toEqual({
      success: false,
      message: DE.refusals.fields,
      code: 'invalid_fields',
      errors: [
        { field: 'email', message: FIELD_ERRORS.de.email },
        { field: 'note', message: 'Diese Angabe ist zu lang. Erlaubt sind höchstens 5 Zeichen.' },
      ],
    });
  });

  test('gets the field errors in German on a page with labels', async () => {
    const owner = await makeOwner();
    const headers = { ...German, Accept: 'text/html', 'Content-Type': URLENCODED };
    const answer = await instance.post(owner.form.id, 'age=x', headers);
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain(DE.refusals.fields);
    expect(page.match(/<li>.*?<\/li>/g)).toEqual([
      `<li><b><bdi>E-mail</bdi></b> ${FIELD_ERRORS.de.required}</li>`,
      `<li><b><bdi>Age</bdi></b> ${FIELD_ERRORS.de.number}</li>`,
    ]);
    await expectNothingKept(instance, owner);
  });
});

test('markup in a label, or in the name of a field without label, is escaped', async () => {
  const fields = [
    { name: 'a', label: '<img src=x onerror=alert(1)>', type: 'text', required: true },
    { name: '"><script>alert(1)</script>', label: '', type: 'text', required: true },
  ];
  const owner = await makeOwner({ fields });
  const headers = { Accept: 'text/html', 'Content-Type': URLENCODED };
  const page = await (await instance.post(owner.form.id, 'other=x', headers)).text();
  expect(page).toContain('<bdi>&lt;img src=x onerror=alert(1)&gt;</bdi>');
  expect(page).toContain('<bdi>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi>');
  expect(page).not.toMatch(/<img|<script/);
});

describe('a file field', () => {
  const fields = [{ name: 'cv', label: 'CV', type: 'file', required: true }];

  test('accepts a file', async () => {
    const owner = await makeOwner({ fields });
    await expectAccepted(await send(instance, owner, multipart([filePart('cv', 'cv.txt', 'x')])));
    expect(await kept(instance, owner)).toHaveLength(1);
  });

  test('that is required refuses an empty input', async () => {
    const owner = await makeOwner({ fields });
    const sent = multipart([textPart('name', 'Ada'), filePart('cv', '', '')]);
    const { errors } = await expectRefused(await send(instance, owner, sent), 400, 'invalid_fields');
    expect(errors).toEqual([{ field: 'cv', message: FIELD_ERRORS.en.required }]);
    await expectNothingKept(instance, owner);
  });

  test.each([true, false])(
    'is the only kind of field that accepts a file; rules enforced: %p',
    async (enforcesRules) => {
      const named = { name: 'name', label: 'Name', type: 'text', required: false };
      const owner = await makeOwner({ fields: [named, ...fields], enforcesRules });
      const good = filePart('cv[]', 'cv.txt', 'x');
      for (const field of ['name', 'other', 'CV', '__proto__']) {
        const sent = multipart([good, filePart(field, 'cv.txt', 'x')]);
        const { errors } = await expectRefused(await send(instance, owner, sent), 415, 'file_not_expected');
        expect(errors).toEqual([{ field, message: FIELD_ERRORS.en.text }]);
      }
      await expectNothingKept(instance, owner);
      await expectAccepted(await send(instance, owner, multipart([good, filePart('name', '', '')])));
    },
  );

  test('is not needed in a form without configured fields', async () => {
    const owner = await makeOwner({ fields: [] });
    await expectAccepted(await send(instance, owner, multipart([filePart('any', 'cv.txt', 'x')])));
  });

  test('decides for its form, a setting for a form without configured fields', async () => {
    const sent = multipart([textPart('name', 'Ada'), filePart('cv', 'cv.txt', 'x')]);
    await expectAccepted(await send(instance, await makeOwner({ fields, acceptsFiles: false }), sent));
    const owner = await makeOwner({ fields: [], acceptsFiles: false });
    const { errors } = await expectRefused(await send(instance, owner, sent), 415, 'file_not_expected');
    expect(errors).toEqual([{ field: 'cv', message: FIELD_ERRORS.en.text }]);
    await expectNothingKept(instance, owner);
    await expectAccepted(await send(instance, owner, multipart([textPart('name', 'Ada'), filePart('cv', '', '')])));
  });
});

describe('the check of the rules', () => {
  const code = async (response: Response) => ((await response.json()) as { code?: string }).code;

  test('runs after the check for a paused form', async () => {
    const owner = await makeOwner();
    await pause(instance, owner);
    expect(await code(await instance.post(owner.form.id, BROKEN))).toBe('form_paused');
  });

  test('runs after the check of the origin', async () => {
    const { form } = await makeOwner({ allowedOrigins: ['https://a.example'] });
    expect(await code(await instance.post(form.id, BROKEN))).toBe('origin_not_allowed');
  });

  test('runs after the honeypot, which reports nothing', async () => {
    const owner = await makeOwner();
    await expectAccepted(await instance.post(owner.form.id, { ...BROKEN, _honey: 'x' }));
    await expectNothingKept(instance, owner);
  });

  test('runs after the check for an empty form', async () => {
    const { form } = await makeOwner();
    await expectRefused(await instance.post(form.id, { message: ' ' }), 400, 'empty_submission');
  });

  test('runs after the replay of a post that was stored under earlier rules', async () => {
    const owner = await makeOwner({ enforcesRules: false });
    const key = { 'Idempotency-Key': 'k' };
    await expectAccepted(await instance.post(owner.form.id, BROKEN, key));
    await instance.context.store.forms.update(owner.form.id, { enforcesRules: true });
    await expectAccepted(await instance.post(owner.form.id, BROKEN, key));
    await expectRefused(await instance.post(owner.form.id, BROKEN), 400, 'invalid_fields');
    expect(await kept(instance, owner)).toHaveLength(1);
  });

  test('runs before the check of the cap', async () => {
    const owner = await makeOwner({}, 'none');
    await expectRefused(await instance.post(owner.form.id, BROKEN), 400, 'invalid_fields');
    await expectRefused(await instance.post(owner.form.id, FITTING), 429, 'submission_cap_reached');
  });
});

test('a form that enforces its rules and has no fields accepts anything', async () => {
  const owner = await makeOwner({ fields: [] });
  await expectAccepted(await instance.post(owner.form.id, BROKEN));
});

test('a pattern with catastrophic backtracking is matched without delay', async () => {
  const fields = [{ name: 'a', label: 'A', type: 'text', required: true, pattern: '(a+)+b' }];
  const owner = await makeOwner({ fields });
  await expectRefused(await instance.post(owner.form.id, { a: 'a'.repeat(4_000) }), 400, 'invalid_fields');
  await expectAccepted(await instance.post(owner.form.id, { a: `${'a'.repeat(4_000)}b` }));
});

test('the API shows the field rules of a form', async () => {
  const { form, readKey } = await makeOwner();
  const answer = await instance.api('GET', `/v1/forms/${form.id}`, { key: readKey });
  const { data } = (await answer.json()) as { data: { fields: FormField[] } };
  expect(data.fields).toEqual([...FIELDS]);
});

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SECTIONS } from '../../../src/dashboard/forms/settings/sections.ts';
import type { SettingChoices } from '../../../src/dashboard/forms/settings/texts.ts';
import { SETTINGS_TEXTS } from '../../../src/dashboard/forms/settings/texts.ts';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import { WEBHOOKS_TEXTS } from '../../../src/dashboard/webhooks/texts.ts';
import type { ChallengeInput } from '../../../src/domain/forms/challenge.ts';
import type { Form, FormSettings } from '../../../src/domain/forms/form.ts';
import { SETTING_NAMES, settingNamed } from '../../../src/domain/forms/form-settings.ts';
import { challengeSecretAad } from '../../../src/vault/vault.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { signIn } from './signed-in.ts';

const EN = CATALOG.textsIn('en');

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => instance.stop());

const INJECTION = `"><script>alert(1)</script>`;
const SHOWN = Bun.escapeHTML(INJECTION);

/** Signs in an owner, at the settings of a new form. */
async function settings(given: Partial<FormSettings> = {}, challenge?: ChallengeInput) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, given, challenge);
  const me = await signIn(instance, owner);
  const path = `/dashboard/forms/${form.id}/settings`;
  return {
    form,
    path,
    me,
    save: (part: string, fields: Record<string, string | readonly string[]>) => me.post(`${path}/${part}`, fields),
    now: async (): Promise<Form | null> => instance.context.store.forms.find(form.id, owner.teamId),
    page: (part: string) => me.page(`${path}/${part}`),
  };
}

const unescaped = (markup: string) =>
  markup
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Returns the value of an input; undefined if there is none or it is not checked. */
function heldBy(page: string, name: string): string | undefined {
  const [, line] = new RegExp(`<input id="[^"]*" name="${name}"[^>]* value="([^"]*)"`).exec(page) ?? [];
  const [, text] = new RegExp(`<textarea id="[^"]*" name="${name}"[^>]*>\n([^<]*)<`).exec(page) ?? [];
  const [, options = ''] = new RegExp(`<select id="[^"]*" name="${name}"[^>]*>(.*?)</select>`).exec(page) ?? [];
  const [, chosen] = /value="([^"]*)" selected/.exec(options) ?? [];
  const lines = Array.from(page.matchAll(new RegExp(`<input type="email" name="${name}" value="([^"]*)"`, 'g')));
  const list =
    lines.length > 0
      ? lines
          .map(([, address]) => address)
          .slice(0, -1)
          .join('\n')
      : undefined;
  const [ticked] = new RegExp(`name="${name}" value="yes" checked`).exec(page) ?? [];
  const found = line ?? text ?? list ?? chosen ?? (ticked && 'yes');
  return found === undefined ? undefined : unescaped(found);
}

describe('settings are saved and shown again', () => {
  const CASES: ReadonlyArray<
    readonly [part: string, typed: Record<string, string>, kept: Partial<Form>, shown?: Record<string, string>]
  > = [
    [
      'general',
      { name: ' New name ', isActive: 'yes', publicName: ' Ask us ' },
      { name: 'New name', isActive: true, publicName: 'Ask us' },
      { name: 'New name', publicName: 'Ask us' },
    ],
    [
      'general',
      { name: INJECTION, publicName: INJECTION },
      { name: INJECTION, publicName: INJECTION, isActive: false },
    ],
    ['general', { name: 'Name', publicName: ' ' }, { publicName: null }, { name: 'Name', publicName: '' }],
    [
      'appearance',
      { accentColor: ' #0B6655 ', hasHostedPage: 'yes' },
      { accentColor: '#0b6655', hasHostedPage: true },
      { accentColor: '#0b6655', hasHostedPage: 'yes' },
    ],
    ['appearance', { accentColor: '' }, { accentColor: null, hasHostedPage: false }],
    ['data', { retentionDays: '30', keepsSource: 'yes' }, { retentionDays: 30, keepsSource: true }],
    ['data', { retentionDays: '' }, { retentionDays: null, keepsSource: false }],
    [
      'after',
      {
        redirectUrl: 'https://example.com/thanks',
        thanksTitle: INJECTION,
        successMessage: '\nDear <b>you</b>,\nthanks',
      },
      { redirectUrl: 'https://example.com/thanks', thanksTitle: INJECTION, successMessage: 'Dear <b>you</b>,\nthanks' },
      { successMessage: 'Dear <b>you</b>,\nthanks' },
    ],
    ['after', { redirectUrl: ' ', thanksTitle: '', successMessage: '' }, { redirectUrl: null, thanksTitle: null }],
    [
      'access',
      {
        allowedOrigins: 'https://example.com\r\nhttps://www.example.com/',
        allowedFileTypes: 'image/*, APPLICATION/pdf',
      },
      {
        allowedOrigins: ['https://example.com', 'https://www.example.com'],
        allowedFileTypes: ['image/*', 'application/pdf'],
        acceptsFiles: false,
      },
      { allowedOrigins: 'https://example.com\nhttps://www.example.com', allowedFileTypes: 'image/*\napplication/pdf' },
    ],
    [
      'access',
      {
        ...{ opensAt: '2026-12-01T09:00', closesAt: '2026-12-24T18:00', maxSubmissions: '40', oncePerAddress: 'yes' },
        closedMessage: `Back on Monday.${INJECTION}\r\n`,
      },
      {
        ...{ opensAt: '2026-12-01T09:00:00Z', closesAt: '2026-12-24T18:00:00Z', maxSubmissions: 40 },
        ...{ oncePerAddress: true, closedMessage: `Back on Monday.${INJECTION}` },
      },
      { opensAt: '2026-12-01T09:00', closesAt: '2026-12-24T18:00', maxSubmissions: '40', oncePerAddress: 'yes' },
    ],
    ['access', { acceptsFiles: 'yes' }, { acceptsFiles: true, allowedFileTypes: [] }, { acceptsFiles: 'yes' }],
    [
      'spam',
      { challenge: 'none', blockedWords: `casino\r\n${INJECTION}` },
      { challenge: null, blockedWords: ['casino', INJECTION] },
      { blockedWords: `casino\n${INJECTION}`, challenge: 'none' },
    ],
    [
      'spam',
      { challenge: 'altcha', maybeSpamAction: 'hold', blockedWords: '', anyway: 'yes' },
      { challenge: 'altcha', challengeSecret: null, maybeSpamAction: 'hold' },
      { challenge: 'altcha', blockedWords: '' },
    ],
    [
      'mail',
      {
        notify: 'ada@example.com\r\nbob@example.com',
        attachFiles: 'yes',
        threadMails: 'yes',
        digest: 'daily',
        timeZone: ' Europe/Berlin ',
        senderName: ' Harp workshop ',
        replyTo: ' desk@bücher.example ',
      },
      {
        notify: ['ada@example.com', 'bob@example.com'],
        attachFiles: true,
        threadMails: true,
        digest: 'daily',
        timeZone: 'Europe/Berlin',
        senderName: 'Harp workshop',
        replyTo: 'desk@xn--bcher-kva.example',
      },
      {
        notify: 'ada@example.com\nbob@example.com',
        timeZone: 'Europe/Berlin',
        senderName: 'Harp workshop',
        replyTo: 'desk@xn--bcher-kva.example',
      },
    ],
    [
      'mail',
      { notify: '', digest: 'hourly', timeZone: 'UTC' },
      { notify: [], attachFiles: false, threadMails: false, digest: 'hourly', senderName: null, replyTo: null },
    ],
    [
      'reply',
      { autoReplySubject: 'Thanks, {{name}}', autoReplyText: 'Dear {{name}},\r\n\r\nthanks.' },
      { autoReplySubject: 'Thanks, {{name}}', autoReplyText: 'Dear {{name}},\n\nthanks.' },
      { autoReplyText: 'Dear {{name}},\n\nthanks.' },
    ],
    ['reply', { autoReplySubject: '', autoReplyText: ' ' }, { autoReplySubject: null, autoReplyText: null }],
  ];

  test.each(CASES)('%s %j', async (part, typed, kept, shown = typed) => {
    const { save, now, path, me } = await settings({ notify: ['old@example.com'], digest: 'daily', attachFiles: true });
    const answer = await save(part, typed);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}/${part}?done=saved`]);
    expect(await now()).toMatchObject(kept);
    const page = await me.page(`${path}/${part}?done=saved`);
    expect(page).toContain('Settings saved.');
    expect(page).not.toContain('<script>alert');
    for (const [name, value] of Object.entries(shown)) expect([name, heldBy(page, name)]).toEqual([name, value.trim()]);
  });

  test('conditions of recipients, one row each', async () => {
    const { save, now, page } = await settings({ notify: ['ada@example.com'] });
    const fields = { notify: 'ada@example.com\r\nBob@example.com', timeZone: 'UTC' };
    const rows = {
      recipient: ['ada@example.com', 'bob@example.com', 'ada@example.com', 'ada@example.com'],
      field: ['topic', 'country', INJECTION, ''],
      test: ['is', 'is_one_of', 'contains', 'is'],
      value: ['sales', 'SE\r\nNO', '', ''],
    };
    expect((await save('mail', { ...fields, ...rows })).status).toBe(303);
    const [topic, country] = [
      { field: 'topic', is: 'sales' },
      { field: 'country', is_one_of: ['SE', 'NO'] },
    ];
    expect((await now())?.notifyWhen).toEqual({
      'ada@example.com': [topic, { field: INJECTION, contains: '' }],
      'Bob@example.com': [country],
    });
    const shown = await page('mail');
    expect(shown).toContain(SHOWN);
    expect(shown.match(/name="recipient"/g)).toHaveLength(5);
    await save('mail', {
      ...fields,
      notify: 'bob@example.com',
      recipient: 'bob@example.com',
      field: 'a',
      test: 'is',
      value: '',
    });
    expect((await now())?.notifyWhen).toEqual({ 'bob@example.com': [{ field: 'a', is: '' }] });
    await save('mail', fields);
    expect((await now())?.notifyWhen).toEqual({});
  });

  test.each([
    [{ recipient: 'eve@example.com' }, 'recipient-0', EN.errors.not_a_recipient('eve@example.com')],
    [{ recipient: '' }, 'recipient-0', EN.errors.not_a_recipient('')],
    [{ field: ' ' }, 'field-0', WEBHOOKS_TEXTS.en.noField],
    [{ test: 'is_one_of', value: '' }, 'value-0', EN.errors.invalid_condition()],
  ])('conditions with %j are refused and shown again', async (wrong, id, error) => {
    const { save, now } = await settings({ notify: ['ada@example.com'] });
    const row = { recipient: 'ada@example.com', field: 'topic', test: 'is', value: 'sales', ...wrong };
    const answer = await save('mail', { notify: 'ada@example.com', timeZone: 'UTC', ...row });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain(`id="${id}-error">${Bun.escapeHTML(error)}`);
    expect(heldBy(page, 'recipient')).toBe(row.recipient);
    expect((await now())?.notifyWhen).toEqual({});
  });

  test('times are shown and entered in the time zone of the form, and untouched ones keep their seconds', async () => {
    const { save, now, page } = await settings({ timeZone: 'Europe/Berlin', opensAt: '2026-10-25T00:30:15Z' });
    expect(heldBy(await page('access'), 'opensAt')).toBe('2026-10-25T02:30');
    await save('access', { opensAt: '2026-10-25T02:30', closesAt: '2026-10-25T03:30' });
    expect(await now()).toMatchObject({ opensAt: '2026-10-25T00:30:15Z', closesAt: '2026-10-25T02:30:00Z' });
    const answer = await save('access', { opensAt: '2026-10-25T04:00', closesAt: '2026-10-25T04:00' });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('would close before it opens')]);
  });

  test('saving a section leaves the others unchanged', async () => {
    const given = { notify: ['ada@example.com'], redirectUrl: 'https://example.com/', blockedWords: ['casino'] };
    const { save, now, form } = await settings(given);
    await save('general', { name: 'Other' });
    expect(await now()).toEqual({ ...form, name: 'Other', isActive: false });
  });
});

describe('invalid input gets an error and is kept for correction', () => {
  const MANY = Array.from({ length: 501 }, (_, number) => `word${number}`).join('\n');
  const PEOPLE = Array.from({ length: 21 }, (_, number) => `a${number}@example.com`).join('\n');
  const CASES: ReadonlyArray<readonly [part: string, name: string, typed: string, message: string]> = [
    ['general', 'name', ' ', 'Enter a name of 1 to 200 characters.'],
    ['general', 'name', 'x'.repeat(201), 'Enter a name of 1 to 200 characters.'],
    ['general', 'publicName', 'x'.repeat(201), 'Enter a name of 1 to 200 characters.'],
    ['appearance', 'accentColor', 'green', 'Enter # and six digits from 0 to f, such as #0b6655.'],
    ['appearance', 'accentColor', '#0b66', 'Enter # and six digits'],
    ['appearance', 'accentColor', INJECTION, 'Enter # and six digits'],
    ['after', 'redirectUrl', 'javascript:alert(1)', 'Enter a full address'],
    ['after', 'redirectUrl', INJECTION, 'Enter a full address'],
    ['after', 'thanksTitle', 'x'.repeat(201), 'The text is too long. Use at most 200 characters.'],
    ['after', 'successMessage', 'x'.repeat(501), 'The text is too long. Use at most 500 characters.'],
    [
      'access',
      'allowedOrigins',
      'https://a.example\nhttps://b.example/path',
      '“https://b.example/path” is not an origin.',
    ],
    ['access', 'allowedOrigins', INJECTION, `“${INJECTION}” is not an origin.`],
    ['access', 'opensAt', 'tomorrow', 'Enter a date and a time.'],
    ['access', 'closesAt', '2026-02-30T10:00', 'Enter a date and a time.'],
    ['access', 'maxSubmissions', '0', 'Enter a whole number from 1 to 10,000,000.'],
    ['access', 'maxSubmissions', '10000001', 'Enter a whole number from 1 to 10,000,000.'],
    ['access', 'closedMessage', 'x'.repeat(501), 'The text is too long. Use at most 500 characters.'],
    ['access', 'allowedFileTypes', 'image/*\npdf', '“pdf” is not a file type.'],
    ['spam', 'blockedWords', 'casino\nno', '“no” must have 3 to 100 characters.'],
    ['spam', 'blockedWords', MANY, 'Too many entries. Use at most 500.'],
    ['mail', 'notify', 'ada@example.com\nbob', '“bob” isn’t a valid email address.'],
    ['mail', 'notify', PEOPLE, 'Too many entries. Use at most 20.'],
    ['mail', 'timeZone', 'Atlantis', 'Unknown time zone.'],
    ['mail', 'senderName', 'x'.repeat(101), 'Enter one line of at most 100 characters without < > " @ , and ;.'],
    ...Array.from('<>"@,;\u2028', (sign) => ['mail', 'senderName', `Ada${sign}Byron`, 'Enter one line'] as const),
    ['mail', 'replyTo', 'ada@example.com, bob@example.com', 'Enter a valid email address'],
    ['mail', 'replyTo', INJECTION, 'Enter a valid email address'],
    ['data', 'retentionDays', '0', 'Enter a whole number from 1 to 36,500.'],
    ['reply', 'autoReplySubject', 'x'.repeat(201), 'The text is too long. Use at most 200 characters.'],
    ['reply', 'autoReplyText', 'x'.repeat(5_001), 'The text is too long. Use at most 5,000 characters.'],
  ];
  const FITTING: Record<string, Record<string, string>> = {
    general: { name: 'Typed too', isActive: 'yes', publicName: 'Typed too' },
    appearance: { hasHostedPage: 'yes' },
    data: { keepsSource: 'yes' },
    after: { thanksTitle: 'Typed too' },
    access: { closedMessage: 'Typed too' },
    spam: { challenge: 'altcha' },
    mail: { notify: 'typed@example.com', timeZone: 'UTC', digest: 'hourly', senderName: 'Typed too' },
    reply: { autoReplySubject: 'Typed too' },
  };

  test.each(CASES)('%s: %s %j', async (part, name, typed, message) => {
    const { save, now, form } = await settings();
    const sent = { ...FITTING[part], [name]: typed };
    const answer = await save(part, sent);
    const page = await answer.text();
    expect(answer.status).toBe(400);
    const [, error = ''] = new RegExp(`<p class="field-error" id="${name}-error">([^<]*)</p>`).exec(page) ?? [];
    expect(unescaped(error)).toContain(message);
    expect(page).toContain('Not saved. Correct the marked fields and save again.');
    expect(page.match(/aria-invalid="true" autofocus=""/g)).toHaveLength(1);
    expect(page).toContain('data-changed="yes"');
    expect(page).not.toContain('<script>alert');
    for (const [input, value] of Object.entries(sent)) expect([input, heldBy(page, input)]).toEqual([input, value]);
    expect(await now()).toEqual(form);
  });

  test.each([
    ['after', 'redirectUrl', 'http://a'],
    ['access', 'allowedOrigins', 'http://a'],
    ['spam', 'blockedWords', 'a'],
    ['spam', 'challengeVerifyUrl', 'http://a'],
  ])('%s: %s with 60,000 combining marks, slow to parse, is rejected', async (part, name, begin) => {
    const { save } = await settings();
    const sent = { challenge: 'custom', challengeSecret: 'x', [name]: begin + '\u0301\u0316'.repeat(30_000) };
    const page = await (await save(part, sent)).text();
    expect(page).toContain(`<p class="field-error" id="${name}-error">`);
  });

  test('in German too', async () => {
    const { me, path } = await settings();
    const answer = await me.post(`${path}/mail`, { notify: 'bob', timeZone: 'UTC' }, { 'Accept-Language': 'de' });
    expect(await answer.text()).toContain('„bob“ ist keine E-Mail-Adresse.');
  });
});

describe('the fields', () => {
  const row = (name: string, more: Record<string, string> = {}) => {
    return {
      name,
      label: `The ${name}`,
      type: 'text',
      max_length: '',
      pattern: '',
      options: '',
      max: '5',
      help: '',
      placeholder: '',
      ...more,
    };
  };
  type Row = ReturnType<typeof row>;

  /** What the browser sends of these rows, with the button that was pressed. */
  const typed = (rows: readonly Row[], more: Record<string, string | readonly string[]> = {}) => ({
    name: rows.map(({ name }) => name),
    label: rows.map(({ label }) => label),
    type: rows.map(({ type }) => type),
    max_length: rows.map(({ max_length }) => max_length),
    pattern: rows.map(({ pattern }) => pattern),
    options: rows.map(({ options }) => options),
    max: rows.map(({ max }) => max),
    help: rows.map(({ help }) => help),
    placeholder: rows.map(({ placeholder }) => placeholder),
    ...more,
  });
  const namesOn = (page: string) =>
    Array.from(page.matchAll(/<input id="name-\d+" name="name"[^>]* value="([^"]*)"/g), ([, name]) => name);

  test('are saved with all their rules, in order', async () => {
    const { save, now, page } = await settings();
    const rows = [
      row('email', { type: 'email' }),
      row(INJECTION, { label: INJECTION, max_length: '5', pattern: '\\d{5}' }),
      row('cv', { label: '', type: 'file' }),
    ];
    expect((await save('fields', typed(rows, { required: ['0', '2'], enforcesRules: 'yes' }))).status).toBe(303);
    expect(await now()).toMatchObject({
      enforcesRules: true,
      fields: [
        { name: 'email', label: 'The email', type: 'email', required: true },
        { name: INJECTION, label: INJECTION, type: 'text', required: false, max_length: 5, pattern: '\\d{5}' },
        { name: 'cv', label: '', type: 'file', required: true },
      ],
    });
    const shown = await page('fields');
    expect(namesOn(shown)).toEqual(['email', SHOWN, 'cv']);
    expect(shown).not.toContain('<script>alert');
    expect(heldBy(shown, 'enforcesRules')).toBe('yes');
  });

  test('are saved with their options and highest rating, and without those of other types', async () => {
    const { save, now, page } = await settings();
    const rows = [
      row('color', { type: 'select', options: ` Red \r\n\r\nLight  blue\n<b>"&\n`, max: '7' }),
      row('size', { type: 'radio', options: 'S\nM' }),
      row('extras', { type: 'checkboxes', options: 'x' }),
      row('stars', { type: 'rating', options: 'left over', max: '10' }),
      row('call', { type: 'phone', options: 'left over' }),
    ];
    expect((await save('fields', typed(rows))).status).toBe(303);
    const field = (name: string, type: string, more: object = {}) => {
      return { name, label: `The ${name}`, type, required: false, ...more };
    };
    expect((await now())?.fields).toEqual([
      field('color', 'select', { options: ['Red', 'Light  blue', '<b>"&'] }),
      field('size', 'radio', { options: ['S', 'M'] }),
      field('extras', 'checkboxes', { options: ['x'] }),
      field('stars', 'rating', { max: 10 }),
      field('call', 'phone'),
    ]);
    const shown = await page('fields');
    expect(shown).toContain('>\nRed\nLight  blue\n&lt;b&gt;&quot;&amp;</textarea>');
    expect(shown).toContain('<option value="10" selected');
  });

  test('of the type tel are shown as phone numbers', async () => {
    const { page } = await settings({ fields: [{ name: 'a', label: '', type: 'tel', required: false }] });
    expect(await page('fields')).toContain('<option value="phone" selected');
  });

  test('can all be removed, and an empty row is ignored', async () => {
    const { save, now } = await settings({ fields: [{ name: 'a', label: '', type: 'text', required: false }] });
    await save('fields', typed([row('', { label: ' ' })]));
    expect((await now())?.fields).toEqual([]);
  });

  test('take their names from their labels, and headings go to the next field', async () => {
    const { save, now, page } = await settings();
    const rows = [
      row('', { label: 'About you', type: 'heading' }),
      row('', { label: 'Straße & Ort', help: ' Where you live ', placeholder: 'Kiel' }),
      row('', { label: 'Strasse (Ort)' }),
    ];
    await save('fields', typed(rows));
    const text = { type: 'text', required: false };
    expect((await now())?.fields).toEqual([
      {
        name: 'strasse_ort',
        label: 'Straße & Ort',
        ...text,
        help: 'Where you live',
        placeholder: 'Kiel',
        heading: 'About you',
      },
      { name: 'strasse_ort_2', label: 'Strasse (Ort)', ...text },
    ]);
    expect(await page('fields')).toContain('<b data-title="">About you</b>');
    const alone = await save('fields', typed([...rows, row('', { label: 'The end', type: 'heading' })]));
    expect([alone.status, await alone.text()]).toEqual([
      400,
      expect.stringContaining('Put a field below this heading.'),
    ]);
  });

  const ROWS = [row('a'), row('b', { max_length: 'many' }), row('c')];
  const EDITS: ReadonlyArray<readonly [button: string, index: string, names: string[]]> = [
    ['up', '2', ['a', 'c', 'b']],
    ['up', '0', ['a', 'b', 'c']],
    ['down', '0', ['b', 'a', 'c']],
    ['down', '2', ['a', 'b', 'c']],
    ['remove', '1', ['a', 'c']],
    ['add', 'yes', ['a', 'b', 'c', '']],
    ['insert', '1', ['a', '', 'b', 'c']],
    ['move', '0-2', ['b', 'c', 'a']],
  ];
  test.each(EDITS)('are changed without saving by "%s" %s', async (button, index, names) => {
    const { save, now, form } = await settings();
    const answer = await save('fields', typed(ROWS, { [button]: index, required: ['0'], enforcesRules: 'yes' }));
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(namesOn(page)).toEqual(names);
    expect(page).toContain('data-changed="yes"');
    expect(page).toContain(`name="required" value="${names.indexOf('a')}" checked`);
    expect(page.match(/name="required" value="\d" checked/g)).toHaveLength(1);
    if (names.includes('b')) expect(page).toContain('value="many"');
    expect(await now()).toEqual(form);
  });

  const rowsWith = (count: number, more: Record<string, string>) =>
    Array.from({ length: count }, (_, n) => row(`n${n}`, more));
  const MANY_OPTIONS = rowsWith(11, { type: 'select', options: Array.from({ length: 200 }, (_, n) => n).join('\n') });
  const LONG_LABELS = rowsWith(300, { label: 'x'.repeat(256) });
  const LONG_PATTERNS = rowsWith(9, { pattern: '[a-z]{250}' });
  const TOO_MANY = Array.from({ length: 1_001 }, (_, n) => row(`n${n}`));
  const ERRORS: ReadonlyArray<readonly [what: string, rows: Row[], id: string, message: string]> = [
    ['no name', [row('a'), row('', { label: '', pattern: 'a' })], 'name-1', 'Enter a name of 1 to 256 characters.'],
    ['a pattern alone', [row('', { label: '', pattern: 'a+' })], 'name-0', 'Enter a name'],
    ['a length alone', [row('', { label: '', max_length: '9' })], 'name-0', 'Enter a name'],
    ['too many options in all', MANY_OPTIONS, 'name-0', 'All fields together can have at most 2,000 options.'],
    ['long labels in all', LONG_LABELS, 'name-0', 'The fields take more than 64 KiB.'],
    ['long patterns in all', LONG_PATTERNS, 'name-0', 'The patterns are too long together.'],
    ['too many', TOO_MANY, 'name-1000', 'A form can have at most 1,000 fields.'],
    ['a long name', [row('x'.repeat(257), { label: '' })], 'name-0', 'Enter a name of 1 to 256 characters.'],
    ['a name twice', [row('a'), row('b'), row(' a ')], 'name-2', 'Another field already has this name.'],
    [
      'a long label',
      [row('a', { label: 'x'.repeat(257) })],
      'label-0',
      'The label is too long. Use at most 256 characters.',
    ],
    ['a strange type', [row('a', { type: INJECTION })], 'type-0', 'Unknown type. Choose another one.'],
    ['no number', [row('a', { max_length: 'many' })], 'max_length-0', 'Enter a whole number from 1 to 262,144.'],
    ['a high number', [row('a', { max_length: '262145' })], 'max_length-0', 'Enter a whole number'],
    ['a broken pattern', [row('a'), row('b', { pattern: '(' })], 'pattern-1', 'Invalid pattern.'],
    ['no options', [row('a', { type: 'select', options: ' \n ' })], 'options-0', 'Enter 1 to 200 different options'],
    ['an option twice', [row('a', { type: 'radio', options: 'x\n x' })], 'options-0', 'Enter 1 to 200'],
    ['long options', [row('a', { type: 'radio', options: 'x'.repeat(257) })], 'options-0', 'Enter 1 to 200'],
    [
      'many options',
      [
        row('a', {
          type: 'checkboxes',
          options: '123'
            .repeat(67)
            .split('')
            .map((n, i) => n + i)
            .join('\n'),
        }),
      ],
      'options-0',
      'Enter 1 to 200',
    ],
    ['a high rating', [row('a', { type: 'rating', max: '11' })], 'max-0', 'from 2 to 10'],
    ['no rating', [row('a', { type: 'rating', max: '' })], 'max-0', 'from 2 to 10'],
    ['a pattern with look-ahead', [row('a', { pattern: '(?=a)' })], 'pattern-0', 'Invalid pattern.'],
  ];
  test.each(ERRORS)('are not saved with %s', async (_, rows, id, message) => {
    const { save, now, form } = await settings();
    const answer = await save('fields', typed(rows));
    const page = await answer.text();
    expect(answer.status).toBe(400);
    const [, error] = new RegExp(`<p class="field-error" id="${id}-error">([^<]*)</p>`).exec(page) ?? [];
    expect(error).toContain(message);
    expect(page.match(/class="field-error"/g)).toHaveLength(1);
    expect(namesOn(page)).toEqual(rows.map(({ name }) => name));
    expect(page).not.toContain('<script>alert');
    expect(await now()).toEqual(form);
  });

  test('keep an unknown type that the command line set', async () => {
    const { page, save, now } = await settings({ fields: [{ name: 'a', label: '', type: 'colour', required: false }] });
    expect(await page('fields')).toContain('<option value="colour" selected="">colour</option>');
    await save('fields', typed([row('a', { type: 'colour' })]));
    expect((await now())?.fields).toMatchObject([{ type: 'colour' }]);
  });
});

describe('the secret of a challenge', () => {
  const TURNSTILE = { kind: 'turnstile', secret: 'old secret', verifyUrl: null } as const;
  const CAP = { kind: 'cap', secret: 'old secret', verifyUrl: 'https://cap.example.com/KEY/siteverify' } as const;
  const opened = (form: Form | null) =>
    form?.challengeSecret && instance.context.vault.open(form.challengeSecret, challengeSecretAad(form.id)).toString();

  test('is set and never shown again', async () => {
    const { save, now, page } = await settings();
    expect(await page('spam')).not.toContain('A secret is set.');
    const sent = { challenge: 'turnstile', challengeSecret: ' very secret ', challengeVerifyUrl: '', anyway: 'yes' };
    expect((await save('spam', sent)).status).toBe(303);
    const form = await now();
    expect([form?.challenge, opened(form)]).toEqual(['turnstile', 'very secret']);
    const shown = await page('spam');
    expect(shown).toContain('A secret is set.');
    expect(shown).not.toContain('very secret');
  });

  test('is kept if left empty', async () => {
    const { save, now, form } = await settings({}, CAP);
    const sent = { challenge: 'cap', challengeSecret: '', challengeVerifyUrl: CAP.verifyUrl, blockedWords: 'casino' };
    expect((await save('spam', sent)).status).toBe(303);
    expect(await now()).toEqual({ ...form, blockedWords: ['casino'] });
  });

  test('is replaced by another', async () => {
    const { save, now } = await settings({}, TURNSTILE);
    await save('spam', { challenge: 'turnstile', challengeSecret: 'new secret', challengeVerifyUrl: '' });
    expect(opened(await now())).toBe('new secret');
  });

  test('is required again for another service or verify URL', async () => {
    const { save, now, form } = await settings({}, CAP);
    for (const other of [
      { challenge: 'cap', challengeVerifyUrl: 'https://evil.example.com/siteverify' },
      { challenge: 'custom', challengeVerifyUrl: CAP.verifyUrl },
      { challenge: 'hcaptcha', challengeVerifyUrl: '' },
    ]) {
      const answer = await save('spam', { challengeSecret: '', ...other });
      const page = await answer.text();
      expect([other.challenge, answer.status]).toEqual([other.challenge, 400]);
      expect(page).toContain('Enter the secret of your account with this service.');
      expect(heldBy(page, 'challenge')).toBe(other.challenge);
    }
    expect(await now()).toEqual(form);
  });

  test('is deleted with the challenge', async () => {
    const { save, now } = await settings({}, TURNSTILE);
    await save('spam', { challenge: 'none', challengeSecret: '', challengeVerifyUrl: '' });
    expect(await now()).toMatchObject({ challenge: null, challengeSecret: null, challengeVerifyUrl: null });
  });

  test('is not shown again if the verify URL is invalid', async () => {
    const { save, now, form } = await settings();
    const sent = { challenge: 'custom', challengeSecret: 'very secret', challengeVerifyUrl: 'ftp://example.com' };
    const answer = await save('spam', sent);
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('Enter a full http or https address');
    expect(heldBy(page, 'challengeVerifyUrl')).toBe('ftp://example.com');
    expect(page).not.toContain('very secret');
    expect(await now()).toEqual(form);
  });
});

test('the pages about mail warn only if mail is not configured', async () => {
  const { page } = await settings();
  for (const part of ['mail', 'reply']) expect(await page(part)).toContain('This instance can’t send mail yet');
  const mailing = await startInstance({ env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'forms@example.com' } });
  try {
    const me = await signIn(mailing, mailing.owner);
    const path = `/dashboard/forms/${mailing.owner.form.id}/settings`;
    for (const part of ['mail', 'reply']) expect(await me.page(`${path}/${part}`)).not.toContain('can’t send mail yet');
  } finally {
    await mailing.stop();
  }
});

test('the placeholders match the fields', async () => {
  const { page } = await settings({
    fields: [
      { name: '<b>', label: '', type: 'text', required: false },
      { name: 'cv', label: '', type: 'file', required: false },
    ],
  });
  const shown = await page('reply');
  expect(shown).toContain('<code>{{&lt;b&gt;}}</code>');
  expect(shown).not.toContain('{{cv}}');
});

test("another team's form and an unknown section are not found", async () => {
  const { path, now, form, me } = await settings();
  const stranger = await signIn(instance, await instance.makeOwner());
  expect((await stranger.get(path)).status).toBe(404);
  for (const part of SECTIONS) {
    expect([part, (await stranger.get(`${path}/${part}`)).status]).toEqual([part, 404]);
    const answer = await stranger.post(`${path}/${part}`, { name: 'Mine', timeZone: 'UTC' });
    expect([part, answer.status]).toEqual([part, 404]);
  }
  expect((await me.get(`${path}/nothing`)).status).toBe(404);
  expect((await me.post(`${path}/nothing`, { name: 'Mine' })).status).toBe(404);
  expect(await now()).toEqual(form);
});

describe('the retention', () => {
  const DAY_MS = 24 * 60 * 60 * 1000;

  test('is set in days, and the page shows what the next run deletes', async () => {
    const { form, save, now, page } = await settings();
    const answer = await save('data', { retentionDays: ' 30 ' });
    expect(answer.headers.get('location')).toEndWith('/settings/data?done=saved');
    expect((await now())?.retentionDays).toBe(30);
    await instance.post(form.id, { a: 'b' });
    const shown = await page('data');
    expect(heldBy(shown, 'retentionDays')).toBe('30');
    expect(shown).toContain('Every hour, submissions older than 30 days are permanently deleted');
    expect(shown).toContain('No submission is that old yet.');
    await save('data', { retentionDays: '' });
    expect((await now())?.retentionDays).toBeNull();
    expect(await page('data')).not.toContain('permanently deleted');
  });

  test('counts the submissions that the next run deletes', async () => {
    const old = await startInstance({ clock: () => (Date.now() - 40 * DAY_MS) * 1000 });
    const form = await old.makeForm(old.owner, { retentionDays: 30 });
    for (let n = 0; n < 2; n++) await old.post(form.id, { n });
    const { store } = old.context;
    const before = (Date.now() - 30 * DAY_MS) * 1000;
    expect(await store.retention.countOlder(form.id, before, 10)).toBe(2);
    expect(await store.retention.countOlder(form.id, before, 1)).toBe(1);
    expect(await store.retention.countOlder(form.id, before - 20 * DAY_MS * 1000, 10)).toBe(0);
    await old.stop();
  });

  test.each(['0', '-1', '1.5', '36501', 'a week'])('rejects %j', async (days) => {
    const { save, now } = await settings({ retentionDays: 7 });
    const answer = await save('data', { retentionDays: days });
    const page = await answer.text();
    expect([answer.status, heldBy(page, 'retentionDays')]).toEqual([400, days]);
    expect(page).toContain('Enter a whole number from 1 to 36,500.');
    expect((await now())?.retentionDays).toBe(7);
  });
});

test('every value of a choice has a text', () => {
  const texts: SettingChoices = SETTINGS_TEXTS.en.choices;
  for (const name of SETTING_NAMES) {
    const { choices = [], default: initial, kind } = settingNamed(name);
    const values = kind === 'choice' && initial === null ? ['none', ...choices] : choices;
    expect(Object.keys(texts[name] ?? {}).toSorted()).toEqual(values.toSorted());
  }
});

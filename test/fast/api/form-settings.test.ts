import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DEFAULT_SETTINGS, type Form, type FormSettings } from '../../../src/domain/forms/form.ts';
import { SETTING_NAMES, serializeSettings, settingNamed } from '../../../src/domain/forms/form-settings.ts';
import { snakeCase } from '../../../src/lib/snake-case.ts';
import { challengeSecretAad } from '../../../src/vault/vault.ts';
import { type Instance, startInstance } from '../../support/instance.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance();
});
afterAll(() => instance.stop());

type Settings = Record<string, unknown>;

/** A form of the instance's owner, and its settings by the API. */
async function settings(given: Partial<FormSettings> = {}, ...challenge: [Parameters<Instance['makeForm']>[2]?]) {
  const { owner } = instance;
  const form = await instance.makeForm(owner, given, ...challenge);
  const path = `/v1/forms/${form.id}/settings`;
  const dataOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { data: Settings }).data;
  const patch = (body: unknown, headers: Record<string, string> = {}) =>
    instance.api('PATCH', path, { key: owner.writeKey, body, headers });
  return {
    form,
    path,
    patch,
    get: () => instance.api('GET', path, { key: owner.readKey }),
    read: () => dataOf(instance.api('GET', path, { key: owner.readKey })),
    change: async (body: Settings) => {
      const answer = await patch(body);
      expect(answer.status).toBe(200);
      return dataOf(Promise.resolve(answer));
    },
    refusal: async (body: unknown) => {
      const answer = await patch(body);
      const { error } = (await answer.json()) as { error: string };
      return [answer.status, error] as const;
    },
    now: async () => (await instance.context.store.forms.find(form.id, owner.teamId)) as Form,
  };
}

/** Other values of all settings. Those are listed that have a form of their own. */
const CHANGED: Settings = {
  ...Object.fromEntries(
    SETTING_NAMES.map((name) => {
      const { kind, default: initial, choices } = settingNamed(name);
      return [snakeCase(name), kind === 'flag' ? !initial : (choices?.at(-1) ?? 'Ask us.')];
    }),
  ),
  accent_color: '#0b6655',
  redirect_url: 'https://example.com/thanks',
  allowed_origins: ['https://example.com', 'https://example.org'],
  allowed_file_types: ['image/*'],
  blocked_words: ['casino'],
  notify: ['ada@example.com', 'bob@example.com'],
  time_zone: 'Europe/Berlin',
  reply_to: 'ada@example.com',
  opens_at: '2026-12-01T08:00:00Z',
  closes_at: '2026-12-24T17:00:00Z',
  max_submissions: 40,
  watch_page: 'https://example.com/contact',
  auto_reply_daily_limit: 10,
  retention_days: 30,
};

describe('the settings of a form', () => {
  test('are all of the table and those written by hand, without the fields', async () => {
    const { read } = await settings();
    expect(await read()).toEqual({
      ...serializeSettings(DEFAULT_SETTINGS),
      notify_when: {},
      challenge: null,
      challenge_verify_url: null,
      challenge_secret: null,
    });
  });

  test('are changed, each with its validation, and reset', async () => {
    const { change, now, read } = await settings();
    expect(await change(CHANGED)).toMatchObject(CHANGED);
    expect(serializeSettings(await now())).toEqual(CHANGED);
    await change(serializeSettings(DEFAULT_SETTINGS));
    expect(await read()).toMatchObject(serializeSettings(DEFAULT_SETTINGS));
  });

  test('stay if they are not in the body', async () => {
    const { change, read } = await settings({ threadMails: true, blockedWords: ['casino'] });
    const before = await read();
    expect(await change({ thanks_title: ' Thanks ' })).toEqual({ ...before, thanks_title: 'Thanks' });
  });

  test('lose the conditions of recipients that are removed', async () => {
    const { change } = await settings({ notify: ['ada@example.com', 'bob@example.com'] });
    const when = [{ field: 'topic', is: 'sales' }];
    const both = { 'ada@example.com': when, 'bob@example.com': when };
    expect(await change({ notify_when: both })).toMatchObject({ notify_when: both });
    expect(await change({ notify: ['bob@example.com'] })).toMatchObject({ notify_when: { 'bob@example.com': when } });
  });

  test.each<[body: unknown, message: RegExp]>([
    [{}, /at least one of public_name/],
    [{ fields: [] }, /"fields"/],
    [{ threadMails: true }, /"threadMails"/],
    [{ name: 'Contact' }, /"name"/],
    [{ thread_mails: 'yes' }, /^thread_mails must be true or false\.$/],
    [{ thread_mails: null }, /^thread_mails must be true or false\.$/],
    [{ redirect_url: 1 }, /^redirect_url must be a string or null\.$/],
    [{ redirect_url: 'javascript:alert(1)' }, /redirect URL must be an absolute http or https URL/],
    [{ time_zone: null }, /^time_zone must be a string\.$/],
    [{ time_zone: 'Mars' }, /Unknown time zone/],
    [{ blocked_words: ['a,b'] }, /^blocked_words must be a list of strings without commas\.$/],
    [{ blocked_words: ['x'] }, /blocked word "x"/],
    [{ maybe_spam_action: 'drop' }, /^maybe_spam_action must be one of deliver, challenge, hold\.$/],
    [{ digest: 'weekly' }, /^digest must be one of hourly, daily or null\.$/],
    [{ retention_days: 1.5 }, /^retention_days must be a whole number or null\.$/],
    [{ retention_days: 0 }, /whole number of days from 1 to 36500/],
    [{ notify_when: { 'ada@example.com': [{ field: 'a', is: 'b' }] } }, /no recipient of the form/],
    [{ notify_when: [] }, /^notify_when must be an object/],
    [{ notify_when: { 'ada@example.com': 1 } }, /no recipient of the form/],
    [{ notify: ['ada'] }, /^"ada" is not an email address\. Use addresses such as ada@example\.com\.$/],
    [{ allowed_origins: ['example.com'] }, /Use scheme and host without a path, such as https:\/\/example\.com\.$/],
    [{ allowed_file_types: ['pdf'] }, /Use media types such as image\/\* or application\/pdf\.$/],
    [{ challenge: 'none' }, /^challenge must be one of turnstile/],
    [{ challenge: 'cap', challenge_secret: 'x' }, /verify URL/],
    [{ challenge_secret: 'x' }, /^The form has no challenge/],
    [{ challenge_secret: true, challenge: 'hcaptcha' }, /^hcaptcha needs a challenge secret/],
    [{ challenge_secret: false, challenge: 'hcaptcha' }, /^challenge_secret must be a string, true or null\.$/],
    [{ thanks_title: 'Valid', retention_days: 0 }, /whole number of days/],
  ])('are not changed by %j', async (body, message) => {
    const { refusal, now, form } = await settings();
    expect(await refusal(body)).toEqual([400, expect.stringMatching(message)]);
    expect(await now()).toEqual(form);
  });

  test('are taken as application/json only', async () => {
    const { patch } = await settings();
    const answer = await patch({ thread_mails: true }, { 'Content-Type': 'application/merge-patch+json' });
    const error = 'The Content-Type must be application/json. Send a JSON body.';
    expect([answer.status, await answer.json()]).toEqual([415, expect.objectContaining({ error })]);
  });

  test('are found by the short id, but not by another team', async () => {
    const { form } = await settings();
    const { owner } = instance;
    expect((await instance.api('GET', `/v1/forms/${form.shortId}/settings`, { key: owner.readKey })).status).toBe(200);
    const other = await instance.makeOwner();
    expect((await instance.api('GET', `/v1/forms/${form.id}/settings`, { key: other.readKey })).status).toBe(404);
  });

  test('are open to keys that are limited to the form', async () => {
    const { form, path } = await settings();
    const { owner } = instance;
    const { secret: key } = await instance.makeKey(owner, 'read_write', null, [form.id]);
    const body = { thread_mails: true };
    expect((await instance.api('PATCH', path, { key, body })).status).toBe(200);
    const other = `/v1/forms/${owner.form.id}/settings`;
    expect((await instance.api('PATCH', other, { key, body })).status).toBe(404);
  });

  test('have an audit entry with the names of the changed ones', async () => {
    const { form, change } = await settings();
    await change({ thread_mails: true, redirect_url: 'https://example.com/?secret' });
    const entries = await instance.context.store.audit.listFrom(null, { since: 0, after: 0, limit: 1_000 });
    expect(entries.at(-1)).toMatchObject({
      action: 'form.changed',
      details: { form_id: form.id, settings: 'redirectUrl, threadMails' },
    });
  });
});

describe('the challenge', () => {
  const HCAPTCHA = { kind: 'hcaptcha', secret: 's3cret', verifyUrl: null } as const;
  const secretOf = ({ id, challengeSecret }: Form) =>
    challengeSecret && instance.context.vault.open(challengeSecret, challengeSecretAad(id)).toString();

  test('is set with a secret that is shown as true', async () => {
    const { change, now, get } = await settings();
    const shown = { challenge: 'turnstile', challenge_secret: true };
    expect(await change({ challenge: 'turnstile', challenge_secret: 's3cret' })).toMatchObject(shown);
    expect(await (await get()).text()).not.toContain('s3cret');
    expect(secretOf(await now())).toBe('s3cret');
  });

  test('keeps its secret for the same service and verify URL only', async () => {
    const { change, now, refusal, read } = await settings({}, HCAPTCHA);
    const { challenge_verify_url: url } = await read();
    await change({ challenge: 'hcaptcha', challenge_verify_url: url });
    expect(secretOf(await now())).toBe('s3cret');
    expect(await refusal({ challenge_verify_url: 'https://evil.example/' })).toEqual([
      400,
      expect.stringContaining('needs a challenge secret'),
    ]);
    expect(await refusal({ challenge: 'turnstile' })).toEqual([400, expect.stringContaining('challenge secret')]);
    await change({ challenge_secret: 'new' });
    expect(secretOf(await now())).toBe('new');
  });

  test.each([
    ['without a challenge', undefined],
    ['with altcha', { kind: 'altcha', secret: null, verifyUrl: null }],
    ['with a service', HCAPTCHA],
    ['with a verify URL', { kind: 'cap', secret: 's3cret', verifyUrl: 'https://cap.example.com/k/siteverify' }],
  ] as const)('keeps its secret if the settings are sent back as they were read, %s', async (_, challenge) => {
    const { get, patch, now, read } = await settings({ notify: ['ada@example.com'] }, challenge);
    const [before, stored] = [await get(), await now()];
    const answer = await patch(await read(), { 'If-Match': before.headers.get('etag') ?? '' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, before.headers.get('etag')]);
    expect(await answer.json()).toEqual(await before.json());
    expect(await now()).toEqual(stored);
  });

  test('is needed by a service, so null is refused while there is one', async () => {
    const { refusal } = await settings({}, HCAPTCHA);
    expect(await refusal({ challenge_secret: null })).toEqual([400, expect.stringContaining('hcaptcha needs a')]);
  });

  test('is removed with its secret', async () => {
    const { change, now } = await settings({}, HCAPTCHA);
    expect(await change({ challenge: null })).toMatchObject({ challenge: null, challenge_secret: null });
    expect(await now()).toMatchObject({ challenge: null, challengeVerifyUrl: null, challengeSecret: null });
  });
});

test('a change with an old ETag is refused with 412 and changes nothing', async () => {
  const { get, patch, now } = await settings();
  const tag = (await get()).headers.get('etag') ?? '';
  expect(tag).toMatch(/^"[\w-]+"$/);
  expect((await patch({ thread_mails: true }, { 'If-Match': `"other", ${tag}` })).status).toBe(200);
  expect((await patch({ thread_mails: false }, { 'If-Match': tag })).status).toBe(412);
  expect((await patch({ thread_mails: false }, { 'If-Match': `W/${tag}` })).status).toBe(412);
  expect(await now()).toMatchObject({ threadMails: true });
  const current = (await patch({ thread_mails: false }, { 'If-Match': '*' })).headers.get('etag') ?? '';
  expect((await patch({ attach_files: true }, { 'If-Match': current })).status).toBe(200);
});

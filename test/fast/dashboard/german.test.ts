import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createInvitation, createResetLink } from '../../../src/services/users/accounts.ts';
import { codeAt } from './authenticator.ts';
import { PASSWORD, signIn } from './signed-in.ts';
import { settle, visitor } from './visitor.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({
    formName: 'Contact',
    fields: { email: 'ada@example.com' },
    fileName: 'a.txt',
    keyName: 'Key',
  });
});
afterAll(() => world.stop());

const ENGLISH = { 'Accept-Language': 'en', 'Accept-Encoding': 'identity' };
const GERMAN = { 'Accept-Language': 'de', 'Accept-Encoding': 'identity' };

/** Returns the sentences of a page: texts and labels of three words or more that end like a sentence. */
function sentencesOn(markup: string): Set<string> {
  const texts = Array.from(
    markup.matchAll(/>([^<]+)<|aria-label="([^"]+)"/g),
    ([, text, label]) => text ?? label ?? '',
  );
  return new Set(texts.map((text) => text.trim()).filter((text) => /^\S+\s+\S+\s.*[.!?:]$/s.test(text)));
}

/** Returns the sentences that both pages have. */
const sharedBy = (one: string, other: string) => [...sentencesOn(one).intersection(sentencesOn(other))];

const LONG = 'x'.repeat(5_001);
const MANY = Array.from({ length: 501 }, (_, n) => `word${n}`).join('\n');
const PEOPLE = Array.from({ length: 21 }, (_, n) => `p${n}@example.com`).join('\n');
const field = (more: Record<string, string>) => ({
  name: 'a',
  label: '',
  type: 'text',
  max_length: '',
  pattern: '',
  ...more,
});

const HOOKS = '/dashboard/forms/:formId/webhooks';
const hook = (more: Input) => ({ url: 'https://hooks.example.com/x', event: 'submission.created', ...more });
const LINES = Array.from({ length: 11 }, (_, n) => `X-${n}: 1`).join('\n');
const ELEVEN = Array.from({ length: 11 }, () => 'a');

type Input = Readonly<Record<string, string | readonly string[]>>;

const SETTINGS = '/dashboard/forms/:formId/settings';
const WRONG_INPUTS: ReadonlyArray<readonly [path: string, input: Input]> = [
  [`${SETTINGS}/general`, { name: '' }],
  [`${SETTINGS}/general`, { name: 'x'.repeat(201) }],
  [`${SETTINGS}/fields`, field({ name: '', label: '', pattern: 'a' })],
  [`${SETTINGS}/fields`, field({ label: 'x'.repeat(257) })],
  [`${SETTINGS}/fields`, field({ type: '?' })],
  [`${SETTINGS}/fields`, field({ max_length: 'many' })],
  [`${SETTINGS}/fields`, field({ pattern: '(?=a)' })],
  [`${SETTINGS}/fields`, field({ pattern: '(a{100}){100}' })],
  [`${SETTINGS}/fields`, { name: ['a', 'a'], label: ['', ''], type: ['text', 'text'] }],
  [`${SETTINGS}/after`, { redirectUrl: 'javascript:alert(1)' }],
  [`${SETTINGS}/after`, { thanksTitle: LONG }],
  [`${SETTINGS}/after`, { successMessage: LONG }],
  [`${SETTINGS}/access`, { allowedOrigins: 'https://shop.example/path' }],
  [`${SETTINGS}/access`, { allowedFileTypes: 'pdf' }],
  [`${SETTINGS}/spam`, { blockedWords: 'no' }],
  [`${SETTINGS}/spam`, { blockedWords: MANY }],
  [`${SETTINGS}/spam`, { challenge: 'turnstile' }],
  [`${SETTINGS}/spam`, { challenge: 'cap', challengeSecret: 'secret' }],
  [`${SETTINGS}/spam`, { challenge: 'custom', challengeSecret: 'secret', challengeVerifyUrl: 'ftp://cap.example' }],
  [`${SETTINGS}/mail`, { notify: 'ada', timeZone: 'UTC' }],
  [`${SETTINGS}/mail`, { notify: PEOPLE, timeZone: 'UTC' }],
  [`${SETTINGS}/mail`, { timeZone: 'Atlantis' }],
  [`${SETTINGS}/mail`, { timeZone: 'UTC', recipient: 'ada@example.com', field: 'a', test: 'is', value: 'x' }],
  [`${SETTINGS}/reply`, { autoReplySubject: LONG }],
  [`${SETTINGS}/reply`, { autoReplySubject: 'Thanks\nBcc: ada@example.com' }],
  [`${SETTINGS}/reply`, { autoReplyText: LONG }],
  [`${SETTINGS}/general`, { name: 'Contact', publicName: 'x'.repeat(201) }],
  [`${SETTINGS}/access`, { closedMessage: LONG }],
  [`${SETTINGS}/appearance`, { accentColor: 'green' }],
  [`${SETTINGS}/appearance`, { logo: btoa('no image') }],
  [`${SETTINGS}/appearance`, { logo: btoa('x'.repeat(65_537)) }],
  [`${SETTINGS}/mail`, { timeZone: 'UTC', senderName: 'Ada <ada@example.com>' }],
  [`${SETTINGS}/mail`, { timeZone: 'UTC', replyTo: 'ada' }],
  [`${SETTINGS}/data`, { retentionDays: '0' }],
  ['/dashboard/forms/:formId/preview/nothing', {}],
  [`${SETTINGS}/nothing`, {}],
  [`${HOOKS}/new`, hook({ event: [] })],
  [`${HOOKS}/new`, hook({ url: 'ftp://hooks.example.com' })],
  [`${HOOKS}/new`, hook({ url: 'http://192.0.2.1' })],
  [`${HOOKS}/new`, hook({ url: 'https://10.0.0.1' })],
  [`${HOOKS}/new`, hook({ headers: LINES })],
  [`${HOOKS}/new`, hook({ headers: 'X-Token' })],
  [`${HOOKS}/new`, hook({ headers: 'Host: example.com' })],
  [`${HOOKS}/new`, hook({ headers: 'X-Token: 1\nx-token: 2' })],
  [`${HOOKS}/new`, hook({ field: '', test: 'is', value: 'x' })],
  [`${HOOKS}/new`, hook({ field: 'a', test: 'is_one_of', value: '' })],
  [`${HOOKS}/new`, hook({ field: ELEVEN, test: ELEVEN, value: ELEVEN })],
  [`${HOOKS}/new`, hook({ kind: 'slack', url: 'https://hooks.slack.com/workflows/x' })],
  [`${HOOKS}/new`, hook({ kind: 'discord', url: 'https://discord.com/x' })],
  [`${HOOKS}/new`, hook({ kind: 'telegram', url: 'https://api.telegram.org/x', chat: '1' })],
  [`${HOOKS}/new`, hook({ kind: 'telegram', url: 'https://api.telegram.org/bot1:x', chat: 'me' })],
  [`${HOOKS}/new`, hook({ kind: 'teams', url: 'https://x.webhook.office.com/x' })],
  [`${HOOKS}/new`, hook({ kind: 'ntfy', url: 'https://ntfy.sh/' })],
  [`${HOOKS}/new`, { kind: 'sheets', sheet: 'x' }],
  [`${HOOKS}/new`, { kind: 'sheets', sheet: 'x'.repeat(20), credentials: '{}' }],
  [`${HOOKS}/new`, hook({ kind: 'template', template: '' })],
  [`${HOOKS}/new`, hook({ kind: 'template', template: '{{message}}' })],
  [`${HOOKS}/:webhookId/settings`, {}],
  [`${HOOKS}/:webhookId/send`, { past: '0' }],
  [`${HOOKS}/:webhookId/deliveries/dlv_0/send`, {}],
  [`${HOOKS}/whk_0/test`, {}],
  ['/dashboard/forms/new', { name: '', workspace: 'wsp_0', template: 'contact' }],
  ['/dashboard/workspaces', { name: '' }],
  ['/dashboard/workspaces/:workspaceId', { name: '' }],
  ['/dashboard/workspaces/wsp_0', { name: 'Any' }],
  ['/dashboard/keys', { name: '' }],
  ['/dashboard/keys', { name: 'Any', page_team: 'team_0' }],
  ['/dashboard/keys/key_0/revoke', {}],
  ['/dashboard/submissions', { do: 'nothing', submission: 'sub_0' }],
  ['/dashboard/submissions', { do: 'read', submission: 'sub_0' }],
  ['/dashboard/mail/mail_0/retry', {}],
  ['/dashboard/mail/test', { to: 'ada' }],
  ['/dashboard/team/switch', { team: 'team_0' }],
  ['/dashboard/team/members/usr_0', { role: 'owner' }],
  ['/dashboard/team/members/:userId', { role: 'king' }],
  ['/dashboard/team/invitations', { email: 'ada' }],
  ['/dashboard/team/invitations/none/revoke', {}],
  ['/dashboard/account/password', { password: 'wrong' }],
  ['/dashboard/account/delete', { password: 'wrong' }],
  ['/dashboard/account/sessions/end', { password: 'wrong' }],
  ['/dashboard/erase', { address: 'ada' }],
  ['/dashboard/erase/erase_0/delete', {}],
];

describe('an error is shown in German', () => {
  test.each(WRONG_INPUTS)('at %s for %j', async (path, input) => {
    const me = await signIn(world.instance, world.owner);
    await expectTranslated((headers) => me.post(world.pathOf(path), input, headers));
  });

  test.each([
    '/dashboard/nothing',
    '/dashboard/erase/erase_0',
    '/dashboard/forms/:formId/export.csv?from=never',
    '/dashboard/forms/:formId/export.csv?from=2026-11-22&to=2026-11-21',
    '/dashboard/inbox?before=never',
  ])('at %s', async (path) => {
    await expectTranslated((headers) => world.me.get(world.pathOf(path), headers));
  });

  test('for a viewer without the right to change anything', async () => {
    const viewer = await signIn(world.instance, world.owner, {}, 'viewer');
    await expectTranslated((headers) => viewer.get('/dashboard/keys', headers));
  });

  test('for the last owner who wants to leave the team', async () => {
    const alone = await signIn(world.instance, await world.instance.makeOwner());
    await expectTranslated((headers) => alone.post('/dashboard/team/leave', {}, headers));
  });

  test('for one webhook too many, and for the secret of a kind without one', async () => {
    const form = await world.instance.makeForm(world.owner);
    const path = `/dashboard/forms/${form.id}/webhooks`;
    const input = hook({ kind: 'discord', url: 'http://127.0.0.1:1/x' });
    for (let count = 0; count < 10; count++) {
      expect((await world.me.post(`${path}/new`, input)).status).toBe(303);
    }
    await expectTranslated((headers) => world.me.post(`${path}/new`, input, headers));
    const [webhook] = await world.instance.context.store.webhooks.list(form.id);
    await expectTranslated((headers) => world.me.post(`${path}/${webhook?.id}/secret`, {}, headers));
  });

  test('for a search without results', async () => {
    const search = await world.me.post('/dashboard/erase', { address: 'nobody@example.com' });
    const path = `${search.headers.get('location')}/export.zip`;
    await expectTranslated((headers) => world.me.get(path, headers));
  });

  test('for a wrong password or code while a second factor is turned on, and at the sign-in with it', async () => {
    const { email, browser } = await settle(world.instance, world.owner);
    const path = '/dashboard/account/second-factor';
    const markup = await (await browser.get(path)).text();
    const offer = /name="offer" value="([^"]+)"/.exec(markup)?.[1] ?? '';
    const secret = (/<code id="secret"[^>]*>(.*?)<\/code>/.exec(markup)?.[1] ?? '').replace(/<[^>]+>/g, '');
    for (const input of [
      { offer, password: 'wrong', code: '000000' },
      { offer, password: PASSWORD, code: 'none' },
    ]) {
      await expectTranslated((headers) => browser.post(path, input, headers));
    }
    const code = codeAt(secret, world.instance.context.clock());
    expect((await browser.post(path, { offer, password: PASSWORD, code })).status).toBe(200);
    const pending = visitor(world.instance);
    await pending.post('/dashboard/sign-in', { email, password: PASSWORD });
    await expectTranslated((headers) => pending.post('/dashboard/second-factor', { code: 'none' }, headers));
  });

  test('for a post from another site and for one that is too large', async () => {
    for (const [input, more] of [
      [{}, { Origin: 'https://evil.example' }],
      [{ name: 'x'.repeat(3_000_000) }, {}],
    ] as const) {
      await expectTranslated((headers) => world.me.post('/dashboard/keys', input, { ...headers, ...more }));
    }
  });
});

describe('an error is shown in German without a session', () => {
  const welcome = async () => {
    const { token } = await createInvitation(world.instance.context, {
      teamId: world.owner.teamId,
      role: 'viewer',
      email: null,
      createdBy: null,
    });
    return `/dashboard/welcome/${token}`;
  };
  const reset = async () =>
    `/dashboard/reset/${(await createResetLink(world.instance.context, world.me.user.id)).token}`;
  const email = 'new@example.com';

  const CASES: ReadonlyArray<readonly [page: string, path: () => Promise<string>, input: Record<string, string>]> = [
    ['sign-in', async () => '/dashboard/sign-in', { email, password: 'wrong' }],
    ['welcome page with an invalid address', welcome, { email: 'ada', new_password: 'three unrelated words' }],
    ['welcome page with a short password', welcome, { email, new_password: 'short' }],
    ['welcome page with a long password', welcome, { email, new_password: 'x y'.repeat(100) }],
    ['welcome page with a common password', welcome, { email, new_password: 'password1234' }],
    ['welcome page with a link that does not exist', async () => '/dashboard/welcome/none', { email }],
    ['reset page with a short password', reset, { new_password: 'short' }],
  ];
  test.each(CASES)('at the %s', async (_, path, input) => {
    const url = await path();
    await expectTranslated((headers) => visitor(world.instance).post(url, input, headers));
  });

  test('for an address that has an account', async () => {
    const input = { email: world.me.user.email, new_password: 'three unrelated words' };
    const url = await welcome();
    await expectTranslated((headers) => visitor(world.instance).post(url, input, headers));
  });
});

test('no page in German has a sentence of the same page in English', async () => {
  const pages = world.routes.filter(
    ({ method, path }) => method === 'GET' && !/\/files\/|export\.|receipt|progress|\/preview\//.test(path),
  );
  expect(pages.length).toBeGreaterThan(25);
  for (const { path } of pages) {
    const [english, german] = [await pageIn(ENGLISH, path), await pageIn(GERMAN, path)];
    expect([path, sharedBy(english, german)]).toEqual([path, []]);
  }
});

async function pageIn(headers: Record<string, string>, path: string): Promise<string> {
  const page = await (await world.me.get(world.pathOf(path), headers)).text();
  // Code in color is one text.
  return page
    .replace(/<span class="hl-\w+">([^<]*)<\/span>/g, '$1')
    .replace(/<span class="line">([^<]*)<\/span>/g, '$1');
}

/** Expects a refusal in each language with as many errors, and no sentence in both. */
async function expectTranslated(send: (headers: Record<string, string>) => Promise<Response>): Promise<void> {
  const [english, german] = [await send(ENGLISH), await send(GERMAN)];
  expect(german.status).toBe(english.status);
  expect(german.status).toBeGreaterThanOrEqual(400);
  const pages = [await english.text(), await german.text()] as const;
  const [one = [], other = []] = pages.map(errorsOn);
  expect(one.length).toBeGreaterThan(0);
  expect(other.length).toBe(one.length);
  expect(other.filter((text) => one.includes(text))).toEqual([]);
  expect(sharedBy(...pages)).toEqual([]);
}

/** Returns the errors of a page: of its inputs, above its forms, or of the page as a whole. */
function errorsOn(markup: string): string[] {
  const errors = /<p class="(?:field-)?error"[^>]*>([^<]+)</g;
  const found = Array.from(markup.matchAll(errors), ([, text = '']) => text);
  if (found.length > 0) return found;
  return Array.from(markup.matchAll(/<h1>[^<]*<\/h1><p>([^<]+)</g), ([, text = '']) => text);
}

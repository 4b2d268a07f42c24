import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SECTIONS } from '../../../src/dashboard/forms/settings/sections.ts';
import { MANUAL } from '../../../src/dashboard/forms/settings/settings-page.tsx';
import { SETTINGS_TEXTS } from '../../../src/dashboard/forms/settings/texts.ts';
import { MAIL_PAGES_TEXTS } from '../../../src/dashboard/mail/texts.ts';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import type { ChallengeInput } from '../../../src/domain/forms/challenge.ts';
import { type Form, type FormSettings, MAX_LOGO_BYTES } from '../../../src/domain/forms/form.ts';
import { createWorkspace } from '../../../src/services/teams/teams.ts';
import { challengeSecretAad } from '../../../src/vault/vault.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { Receiver } from '../../support/receiver.ts';
import { type SmtpSink, startSmtp } from '../../support/smtp.ts';
import { type SignedIn, signIn } from './signed-in.ts';

const EN = CATALOG.textsIn('en');

let smtp: SmtpSink;
let instance: Instance;
const site = new Receiver();
beforeAll(async () => {
  smtp = await startSmtp();
  instance = await startInstance({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'Forms <forms@mail.example>' } });
});
afterAll(async () => {
  await instance.stop();
  await smtp.stop();
  await site.stop();
});

const t = SETTINGS_TEXTS.en;

/** Signs in an owner, at the settings of a new form. */
async function settings(given: Partial<FormSettings & Pick<Form, 'name'>> = {}, challenge?: ChallengeInput) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, given, challenge);
  const me = await signIn(instance, owner);
  const path = `/dashboard/forms/${form.id}`;
  return {
    owner,
    form,
    me,
    path,
    page: (part: string) => me.page(`${path}/settings/${part}`),
    save: (part: string, fields: Record<string, string>) => me.post(`${path}/settings/${part}`, fields),
    now: async (): Promise<Form | null> => instance.context.store.forms.find(form.id, owner.teamId),
  };
}

const hiddenOn = (page: string, name: string) =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? '';

describe('the sub-pages', () => {
  test.each(Object.entries(MANUAL))('%s leads to its section of the manual, which exists', async (section, target) => {
    const { me, path } = await settings();
    expect(await me.page(`${path}/settings/${section}`)).toContain(`href="/docs/${target}"`);
    const [chapter, anchor] = target.split('#');
    const manual = await me.page(`/docs/${chapter}`);
    if (anchor !== undefined) expect(manual).toContain(`id="${anchor}"`);
  });

  test('are beside links to each other, with one form and one button to save', async () => {
    const { me, path, page } = await settings();
    expect(await me.page(`${path}/settings`)).toContain(`<h2 id="section-title">${t.titles.general}</h2>`);
    for (const section of SECTIONS) {
      const markup = await page(section);
      expect(markup).toContain(`<h2 id="section-title">${t.titles[section]}</h2>`);
      expect(markup).toContain(`href="${path}/settings/${section}" aria-current="page">${t.titles[section]}`);
      for (const other of SECTIONS) expect(markup).toContain(`href="${path}/settings/${other}"`);
      const forms = section === 'danger' ? 0 : 1;
      expect([section, markup.match(/class="savebar"/g)?.length ?? 0]).toEqual([section, forms]);
      expect([section, markup.match(/data-part=""/g)?.length ?? 0]).toEqual([section, forms]);
    }
  });

  test('are for editors', async () => {
    const { owner, path } = await settings({ autoReplyText: 'Thanks' });
    const [editor, viewer] = [await signIn(instance, owner, {}, 'editor'), await signIn(instance, owner, {}, 'viewer')];
    const paths = [
      ...SECTIONS.map((section) => `settings/${section}`),
      ...['thanks', 'notification', 'auto-reply'].map((preview) => `preview/${preview}`),
    ];
    for (const below of paths) {
      expect([below, (await editor.get(`${path}/${below}`)).status]).toEqual([below, 200]);
      expect([below, (await viewer.get(`${path}/${below}`)).status]).toEqual([below, 403]);
      expect([below, (await viewer.post(`${path}/${below}`, { isActive: '' })).status]).toEqual([below, 403]);
    }
  });

  test('record the names of changed settings', async () => {
    const { owner, save } = await settings();
    await save('appearance', { accentColor: '#0b6655', logo: PNG });
    const newest = { before: null, limit: 1, actorId: null, action: null };
    const [entry] = await instance.context.store.audit.list(owner.teamId, newest);
    expect(entry?.details.settings).toBe('accentColor, logo');
  });
});

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const JPEG_HEAD = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1]);
const WEBP_HEAD = Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f\0\0\0', 'latin1');

describe('the logo', () => {
  /** Posts what a browser sends of the page, with a file. */
  async function upload(me: SignedIn, path: string, file: Blob | null, more: Record<string, string> = {}) {
    const body = new FormData();
    body.append('page_team', await me.team());
    for (const [name, value] of Object.entries(more)) body.append(name, value);
    body.append('logo', file ?? new File([], ''));
    return fetch(`${instance.url}${path}/settings/appearance`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: me.cookie, Accept: 'text/html', Origin: instance.url },
      body,
    });
  }
  const saved = (form: Form) => instance.context.store.forms.findLogo(form.id);

  test.each([
    ['image/png', Buffer.from(PNG, 'base64')],
    ['image/jpeg', JPEG_HEAD],
    ['image/webp', WEBP_HEAD],
  ])('is kept as %s whatever the browser says, shown, and removed', async (type, bytes) => {
    const { me, path, form, page, save } = await settings();
    const file = new File([bytes], '<b>.svg', { type: 'image/svg+xml' });
    expect((await upload(me, path, file, { accentColor: '#123456' })).status).toBe(303);
    expect(await saved(form)).toEqual({ type, image: Buffer.from(bytes) });
    const shown = `src="data:${type};base64,${Buffer.from(bytes).toString('base64')}"`;
    expect(await page('appearance')).toContain(shown);
    expect((await upload(me, path, null, { hasHostedPage: 'yes' })).status).toBe(303);
    expect(await saved(form)).not.toBeNull();
    expect((await save('appearance', { removeLogo: 'yes' })).status).toBe(303);
    expect(await saved(form)).toBeNull();
    expect(await page('appearance')).not.toContain('<img');
  });

  test.each([
    ['a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1')],
    ['a text', Buffer.from('image/png')],
  ])('is not %s', async (_, bytes) => {
    const { me, path, form } = await settings();
    const answer = await upload(me, path, new File([bytes], 'logo.png', { type: 'image/png' }), {
      hasHostedPage: 'yes',
    });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain(`<p class="field-error" id="logo-error">${EN.errors.not_a_logo()}`);
    expect(page).toMatch(/name="hasHostedPage" value="yes" checked/);
    expect(await saved(form)).toBeNull();
  });

  test('has at most 64 KiB', async () => {
    const { me, path, form } = await settings();
    const image = (size: number) => new File([JPEG_HEAD, new Uint8Array(size - JPEG_HEAD.length)], 'a.jpg');
    const answer = await upload(me, path, image(MAX_LOGO_BYTES + 1), { accentColor: '#123456' });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('at most 64 KiB')]);
    expect(await saved(form)).toBeNull();
    expect((await upload(me, path, image(MAX_LOGO_BYTES))).status).toBe(303);
    expect((await upload(me, path, image(600_000))).status).toBe(413);
    expect((await saved(form))?.image.length).toBe(MAX_LOGO_BYTES);
  });

  test('is not lost by a mistake in another input', async () => {
    const { me, path, form, save } = await settings();
    const answer = await upload(me, path, new File([Buffer.from(PNG, 'base64')], 'a.png'), { accentColor: 'green' });
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain(`alt="${t.logoChosen}"`);
    expect(await saved(form)).toBeNull();
    await save('appearance', { accentColor: '#00ff00', logo: hiddenOn(page, 'logo') });
    expect((await saved(form))?.type).toBe('image/png');
  });

  test('a multipart body that ends early is refused', async () => {
    const { me, path } = await settings();
    const answer = await fetch(`${instance.url}${path}/settings/appearance`, {
      method: 'POST',
      headers: {
        Cookie: me.cookie,
        Accept: 'text/html',
        Origin: instance.url,
        'Content-Type': 'multipart/form-data; boundary=x',
      },
      body: '--x\r\nContent-Disposition: form-data; name="page_team"',
    });
    expect(answer.status).toBe(400);
  });
});

test.each([
  ['#0b6655', [/easy to read/i, /On dark pages, links are #[0-9a-f]{6}/]],
  ['#ffff00', [/On light pages, links are #[0-9a-f]{6}/]],
  ['#757575', [/Easy to read|On dark pages/]],
])('the page says how the accent color %s is used', async (accentColor, expected) => {
  const { page } = await settings({ accentColor });
  const markup = await page('appearance');
  expect(expected.some((text) => text.test(markup))).toBe(true);
});

test('the page leads to the hosted page, and says what it lacks', async () => {
  const fields = [{ name: 'email', label: 'Email', type: 'email', required: true }];
  const [off, bare, guarded, on] = await Promise.all([
    settings({ fields }),
    settings({ hasHostedPage: true }),
    settings({ hasHostedPage: true, fields }, { kind: 'turnstile', secret: 'x', verifyUrl: null }),
    settings({ hasHostedPage: true, fields }),
  ]);
  expect(await off.page('appearance')).not.toContain(`/f/${off.form.shortId}`);
  expect(await bare.page('appearance')).toContain(t.hostedProblems.fields);
  expect(await guarded.page('appearance')).toContain(t.hostedProblems.challenge);
  expect(await on.page('appearance')).toContain(`<a href="${instance.url}/f/${on.form.shortId}">`);
});

describe('turning a challenge on', () => {
  const snippet = ({ shortId }: Form) => `<form action="${instance.url}/v1/forms/${shortId}/submissions">`;
  const html = (body: string) => () => new Response(body, { headers: { 'Content-Type': 'text/html' } });
  const listOn = (page: string) => Array.from(page.matchAll(/<li>([^<]*\.)<\/li>/g), ([, text = '']) => text);

  test('is not done before the page with the form is known, and keeps the input', async () => {
    const { save, now, form, me, path } = await settings({ blockedWords: ['casino'] });
    const input = { challenge: 'turnstile', challengeSecret: 'very secret', blockedWords: 'poker' };
    const answer = await save('spam', input);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(page).toContain(t.check.nothing);
    expect(page).toContain('value="turnstile" selected');
    expect(page).toContain('poker');
    expect(page).toContain('data-changed="yes"');
    expect(page).not.toContain('very secret');
    expect(await now()).toEqual(form);
    const connect = `${path}/connect?challenge=turnstile`;
    expect(page).toContain(`href="${connect}"`);
    expect(await me.page(connect)).toContain('cf-turnstile');
    const again = { ...input, challengeSecret: '', heldSecret: hiddenOn(page, 'heldSecret'), anyway: 'yes' };
    expect((await save('spam', again)).status).toBe(303);
    const after = await now();
    const secret = instance.context.vault.open(after?.challengeSecret ?? Buffer.of(), challengeSecretAad(form.id));
    expect([after?.challenge, secret.toString(), after?.blockedWords]).toEqual(['turnstile', 'very secret', ['poker']]);
  });

  test('is done at once if every allowed page loads the widget', async () => {
    const { save, now, form } = await settings({ allowedOrigins: [site.url] });
    site.usual = html(`${snippet(form)}<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`);
    expect((await save('spam', { challenge: 'turnstile', challengeSecret: 'x' })).status).toBe(303);
    expect((await now())?.challenge).toBe('turnstile');
    // Later changes are not checked.
    site.usual = html('');
    expect((await save('spam', { challenge: 'turnstile', challengeSecret: 'y' })).status).toBe(303);
  });

  test('names pages without the widget or the form, and pages that cannot be opened', async () => {
    const { save, now, form } = await settings({
      allowedOrigins: [site.url, 'http://127.0.0.1:1', 'http://10.0.0.1', 'https://unused.example'],
    });
    site.usual = html(snippet(form));
    const found = listOn(await (await save('spam', { challenge: 'altcha' })).text());
    expect(found).toEqual([
      t.check.no_widget(site.url),
      t.check.unreachable('http://127.0.0.1:1'),
      t.check.unreachable('http://10.0.0.1'),
    ]);
    site.usual = html('<altcha-widget></altcha-widget>');
    const page = `${site.url}/contact`;
    expect(listOn(await (await save('spam', { challenge: 'altcha', page })).text())).toEqual([t.check.no_form(page)]);
    expect(site.received.at(-1)?.path).toBe('/contact');
    expect((await now())?.challenge).toBeNull();
  });

  test('follows redirects, but not to private addresses, and reads no endless page', async () => {
    const { save, form } = await settings();
    const check = async (page: string) => listOn(await (await save('spam', { challenge: 'altcha', page })).text());
    site.usual = ({ path }) => (path === '/to' ? html(snippet(form))() : Response.redirect(`${site.url}/to`));
    expect(await check(site.url)).toEqual([t.check.no_widget(site.url)]);
    site.usual = () => Response.redirect('http://10.0.0.1/');
    expect(await check(site.url)).toEqual([t.check.unreachable(site.url)]);
    site.usual = () => Response.redirect(`${site.url}/again`);
    expect(await check(site.url)).toEqual([t.check.unreachable(site.url)]);
    site.usual = html('x'.repeat(600_000) + snippet(form));
    expect(await check(site.url)).toEqual([t.check.no_form(site.url)]);
    for (const page of ['ftp://example.com', 'example', `http://${'a'.repeat(2_000)}`, 'http://u:p@127.0.0.1']) {
      expect(await check(page)).toEqual([t.check.unreachable(page)]);
    }
  });

  test('looks at live pages at most 30 times an hour', async () => {
    const { save } = await settings();
    for (let count = 0; count < 30; count++) await save('spam', { challenge: 'altcha' });
    expect(await (await save('spam', { challenge: 'altcha' })).text()).toContain(t.check.tooMany);
    expect((await save('spam', { challenge: 'altcha', anyway: 'yes' })).status).toBe(303);
  });
});

describe('a preview', () => {
  const FIELDS = [
    { name: 'email', label: 'Your <b>email</b>', type: 'email', required: true },
    { name: 'cv', label: 'CV', type: 'file', required: false },
  ];

  test('of mails has sample values, and may run and load nothing', async () => {
    const { me, path } = await settings({ fields: FIELDS, autoReplyText: 'Hello {{email}} <script>' });
    for (const [kind, text] of [
      ['notification', 'Your &lt;b&gt;email&lt;/b&gt;'],
      ['auto-reply', 'ada@example.com</a> &lt;script&gt;'],
    ] as const) {
      const answer = await me.get(`${path}/preview/${kind}`);
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toStartWith("sandbox; default-src 'none';");
      expect(policy).not.toMatch(/script-src|allow-/);
      expect(policy).toEndWith("frame-ancestors 'self'");
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.text()).toContain(text);
    }
  });

  test('of the thank-you page is what visitors see', async () => {
    const { me, path } = await settings({ thanksTitle: 'Thanks <b>a lot', successMessage: 'Soon.' });
    const headers = { Cookie: me.cookie, Referer: `${instance.url}${path}/settings/after` };
    const answer = await fetch(`${instance.url}${path}/preview/thanks`, { headers });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const page = await answer.text();
    expect(page).toContain('Thanks &lt;b&gt;a lot');
    expect(page).toContain('Soon.');
    // A link back would open the settings in their own frame.
    expect(page).not.toContain('<a ');
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(await (await me.get(`${path}/settings/after`)).text()).toContain(`<iframe src="${path}/preview/thanks"`);
  });

  test('is not there for what a form does not send', async () => {
    const { me, path, page } = await settings();
    expect((await me.get(`${path}/preview/auto-reply`)).status).toBe(404);
    expect((await me.post(`${path}/preview/auto-reply`)).status).toBe(404);
    expect((await me.post(`${path}/preview/thanks`)).status).toBe(404);
    expect(await page('reply')).not.toContain('/preview/');
    expect(await page('mail')).toContain(`action="${path}/preview/notification"`);
  });

  test('is sent to the signed-in member, as it is shown', async () => {
    const { me, path } = await settings({ fields: FIELDS, autoReplySubject: 'Welcome', autoReplyText: 'Hello there' });
    for (const [kind, section] of [
      ['notification', 'mail'],
      ['auto-reply', 'reply'],
    ] as const) {
      const before = smtp.mails.length;
      const answer = await me.post(`${path}/preview/${kind}`, { to: 'eve@example.com' });
      expect(answer.headers.get('location')).toBe(`${path}/settings/${section}?done=sent`);
      const [mail, ...others] = smtp.mails.slice(before);
      expect([mail?.to, others]).toEqual([[me.user.email], []]);
    }
    expect(smtp.mails.at(-1)?.raw.toString()).toContain('Subject: Welcome');
    expect(smtp.mails.at(-1)?.raw.toString()).toContain('Hello there');
  });

  test('says what to do if the mail server refuses it, and is sent at most 20 times an hour', async () => {
    const { me, path } = await settings();
    smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 550, text: 'No such user' } : undefined));
    try {
      const refused = await me.post(`${path}/preview/notification`);
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('No such user')]);
      for (let count = 1; count < 20; count++) await me.post(`${path}/preview/notification`);
      const last = await me.post(`${path}/preview/notification`);
      expect([last.status, await last.text()]).toEqual([
        429,
        expect.stringContaining(MAIL_PAGES_TEXTS.en.tooManyTests),
      ]);
    } finally {
      smtp.onMoment(() => undefined);
    }
  });
});

describe('the danger zone', () => {
  test('has the actions on a form', async () => {
    const { page, path, owner, form } = await settings();
    const before = await page('danger');
    for (const action of ['settings/danger', 'duplicate', 'archive', 'trash']) {
      expect(before).toContain(`<form method="post" action="${path}/${action}"`);
    }
    expect(before).toContain(t.danger.moveNowhere);
    const { context } = instance;
    const deps = { ...context, plans: context.config.plans };
    const other = await createWorkspace(deps, owner.teamId, '<b>Other');
    await context.store.forms.update(form.id, { archivedAt: context.clock() }, owner.teamId);
    const after = await page('danger');
    expect(after).toContain(`action="${path}/move"`);
    expect(after).toContain(`<option value="${other.id}">&lt;b&gt;Other</option>`);
    expect(after).not.toContain(`<option value="${owner.workspaceId}"`);
    expect(after).toContain(`action="${path}/unarchive"`);
    expect(after).not.toContain(`action="${path}/archive"`);
  });

  test('pauses and resumes', async () => {
    const { save, page, now, me, path } = await settings();
    expect(await page('danger')).toContain(t.danger.pauseTitle);
    const answer = await save('danger', { isActive: '' });
    expect(answer.headers.get('location')).toBe(`${path}/settings/danger?done=paused`);
    expect((await now())?.isActive).toBe(false);
    expect(await me.page(`${path}/settings/danger?done=paused`)).toContain(t.danger.paused);
    await save('danger', { isActive: 'yes' });
    expect((await now())?.isActive).toBe(true);
  });
});

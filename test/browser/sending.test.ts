import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { keysOf, openStage, saying } from './stage.ts';

const stage = await openStage();
afterEach(stage.closePages);
afterAll(stage.close);

const FIELDS = '<label>Name <input name="name" required></label><button>Send</button>';
const THANKS = 'Thank you';
const { instance, scripted } = stage;

/** Creates an owner with a form, and returns its payloads newest first. */
async function withForm() {
  const owner = await instance.makeOwner();
  return { form: owner.form, owner, payloads: async () => (await instance.stored(owner)).map(({ data }) => data) };
}

test('a form is submitted and reset without leaving the page', async () => {
  const { form, payloads } = await withForm();
  const page = await stage.open(scripted(FIELDS, { form }));
  const before = page.url();
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button').click();
  await saying(page, THANKS).waitFor();
  expect(page.url()).toBe(before);
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  expect(await payloads()).toEqual([{ name: 'Ada' }]);
});

test('the script submits the same data as the browser', async () => {
  const fields = `
    <input name="a" value="1"><input name="a" value="2"><input name="one[]" value="x"><input value="no name">
    <input name="off" value="1" disabled><input type="checkbox" name="no"><input type="checkbox" name="yes" checked>
    <select name="many" multiple><option selected>p</option><option selected>q</option></select>
    <textarea name="text">line 1\nline 2 ü 😀</textarea>
    <button name="with" value="this">Send</button><button name="with" value="that">Other</button>`;
  const native = await withForm();
  const sent = await withForm();
  const plain = await stage.open(scripted(fields, { form: native.form }), { javaScriptEnabled: false });
  await plain.getByRole('button', { name: 'Other' }).click();
  await plain.getByRole('heading', { name: THANKS }).waitFor();
  const page = await stage.open(scripted(fields, { form: sent.form }));
  await page.getByRole('button', { name: 'Other' }).click();
  await saying(page, THANKS).waitFor();
  expect(await sent.payloads()).toEqual(await native.payloads());
  expect(await sent.payloads()).toMatchObject([{ a: ['1', '2'], one: ['x'], with: 'that', many: ['p', 'q'] }]);
});

test('fields can be named like properties of forms', async () => {
  const names = [
    ...['action', 'method', 'submit', 'reset', 'elements', 'closest', 'append', 'getAttribute', 'setAttribute'],
    ...[
      'removeAttribute',
      'hasAttribute',
      'querySelector',
      'dispatchEvent',
      'length',
      'parentNode',
      'lang',
      '__proto__',
    ],
  ];
  const { form, payloads } = await withForm();
  const inputs = names.map((name) => `<input name="${name}" value="${name}">`).join('');
  const page = await stage.open(
    scripted(`${inputs}<button>Send</button>`, { form, attributes: 'lang="en" tabindex="0"' }),
  );
  // Not by role: that reads the form's attributes, which these fields shadow.
  await page.evaluate("document.querySelector('button').click()");
  await page.waitForFunction("/^Thank you/.test(document.querySelector('[role=status]')?.textContent)");
  expect((await payloads()).map((payload) => Object.entries(payload))).toEqual([names.map((name) => [name, name])]);
});

test('a form added to the page later is submitted too', async () => {
  const { form, payloads } = await withForm();
  const page = await stage.open(`<main></main>${stage.script}`);
  await page.locator('main').evaluate(
    (main, html) => {
      main.innerHTML = html;
    },
    scripted(FIELDS, { form }),
  );
  await page.getByLabel('Name').fill('Late');
  await page.getByLabel('Name').press('Enter');
  await saying(page, THANKS).waitFor();
  expect(await payloads()).toEqual([{ name: 'Late' }]);
});

test('a page that loads the script twice submits once', async () => {
  const { form, payloads } = await withForm();
  const page = await stage.open(stage.script + scripted(FIELDS, { form }));
  const keys = keysOf(page);
  await page.getByLabel('Name').fill('Once');
  await page.getByRole('button').click();
  await saying(page, THANKS).waitFor();
  expect(keys.length).toBe(1);
  expect(await payloads()).toEqual([{ name: 'Once' }]);
});

test('each submission has a new Idempotency-Key', async () => {
  const { form, payloads } = await withForm();
  const page = await stage.open(scripted(FIELDS, { form }));
  const keys = keysOf(page);
  for (const count of [1, 2]) {
    await page.getByLabel('Name').fill('Same');
    await page.getByRole('button').click();
    await saying(page, THANKS).waitFor();
    expect((await payloads()).length).toBe(count);
  }
  expect(new Set(keys).size).toBe(2);
  expect(keys[0]).toMatch(/^\d{1,10}(-\d{1,10}){3}$/);
});

test('Idempotency-Keys work without a secure context', async () => {
  const { form, payloads } = await withForm();
  const page = await stage.open(scripted(FIELDS, { form }), { host: 'site.test' });
  expect(await page.evaluate<unknown>("[isSecureContext, 'randomUUID' in crypto]")).toEqual([false, false]);
  const keys = keysOf(page);
  await page.getByLabel('Name').fill('Plain');
  await page.getByRole('button').click();
  await saying(page, THANKS).waitFor();
  expect(keys).toEqual([expect.stringMatching(/^\d{1,10}(-\d{1,10}){3}$/)]);
  expect(await payloads()).toEqual([{ name: 'Plain' }]);
});

test('an invalid form is not submitted', async () => {
  const { form, payloads } = await withForm();
  const page = await stage.open(scripted(FIELDS, { form }));
  const keys = keysOf(page);
  await page.getByRole('button').click();
  expect(await page.getByLabel('Name').evaluate((input) => input.matches(':focus'))).toBe(true);
  expect(keys).toEqual([]);
  expect(await payloads()).toEqual([]);
});

test("a button's formaction is used", async () => {
  const { form, payloads } = await withForm();
  const fields = `<input name="a" value="1"><button formaction="${stage.action(form)}">Send</button>`;
  const page = await stage.open(scripted(fields, { form: (await withForm()).form }));
  await page.getByRole('button').click();
  await saying(page, THANKS).waitFor();
  expect(await payloads()).toEqual([{ a: '1' }]);
});

test('a button that closes a dialog submits nothing', async () => {
  const { form, payloads } = await withForm();
  const fields = '<input name="a" value="1"><button formmethod="dialog">Cancel</button>';
  const page = await stage.open(`<dialog open>${scripted(fields, { form })}</dialog>`);
  const keys = keysOf(page);
  await page.getByRole('button').click();
  await page.locator('dialog').waitFor({ state: 'hidden' });
  expect(keys).toEqual([]);
  expect(await payloads()).toEqual([]);
});

test('other forms, and those handled by another script, are ignored', async () => {
  const { form, payloads } = await withForm();
  const page = await stage.open(`
    <form id="other" action="/nowhere" method="get"><button>Search</button></form>${scripted(FIELDS, { form })}
    <script>document.forms[1].addEventListener('submit', (event) => event.preventDefault());</script>`);
  const keys = keysOf(page);
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL('**/nowhere?');
  expect(keys).toEqual([]);
  expect(await payloads()).toEqual([]);
});

test('a form without a button is submitted by requestSubmit', async () => {
  const { form, payloads } = await withForm();
  const page = await stage.open(scripted('<input name="a" value="1">', { form }));
  await page.evaluate('document.forms[0].requestSubmit()');
  await saying(page, THANKS).waitFor();
  expect(await payloads()).toEqual([{ a: '1' }]);
});

describe('while a form is being sent', () => {
  /** Opens a page and submits its form; the post waits for `release`. */
  async function held(fields = FIELDS, attributes = '') {
    const { form, payloads } = await withForm();
    const page = await stage.open(scripted(fields, { form, attributes }));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/submissions', async (route) => {
      await released;
      await route.continue();
    });
    const keys = keysOf(page);
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button').click();
    return { page, release, keys, payloads };
  }

  test('the status says so, the form is busy, and the button keeps the focus', async () => {
    const { page, release } = await held();
    const button = page.getByRole('button');
    await saying(page, 'Sending…').waitFor();
    expect(await page.locator('form').getAttribute('aria-busy')).toBe('true');
    expect(await page.getByRole('status').getAttribute('aria-busy')).toBe('false');
    expect(await page.locator('form').ariaSnapshot()).toContain('button "Send" [disabled]');
    expect(await button.evaluate((one) => [one.hasAttribute('disabled'), one.matches(':focus')])).toEqual([
      false,
      true,
    ]);
    release();
    await saying(page, THANKS).waitFor();
    expect(await page.locator('form').getAttribute('aria-busy')).toBeNull();
    expect(await button.getAttribute('aria-disabled')).toBeNull();
    expect(await button.evaluate((one) => one.matches(':focus'))).toBe(true);
  });

  test('a second press does nothing', async () => {
    const { page, release, keys, payloads } = await held();
    await saying(page, 'Sending…').waitFor();
    await page.getByRole('button').press('Enter');
    await page.getByLabel('Name').press('Enter');
    release();
    await saying(page, THANKS).waitFor();
    expect(keys.length).toBe(1);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });

  test("the status shows the author's text", async () => {
    const { page, release } = await held(FIELDS, 'data-sending="One moment"');
    await saying(page, 'One moment').waitFor();
    release();
  });
});

describe('the status', () => {
  test('is a live region as soon as the form has the focus', async () => {
    const page = await stage.open(scripted(FIELDS));
    expect(await page.getByRole('status').count()).toBe(0);
    await page.getByLabel('Name').focus();
    const status = page.getByRole('status');
    expect([await status.textContent(), await status.evaluate((one) => one.parentElement?.tagName)]).toEqual([
      '',
      'FORM',
    ]);
  });

  test('is the element of the author, with its kind in an attribute for style sheets', async () => {
    const fields = `<p data-formstead-status id="mine"></p>${FIELDS}`;
    const page = await stage.open(scripted(fields));
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button').click();
    await saying(page, THANKS).waitFor();
    expect(await page.locator('[data-formstead-status]').count()).toBe(1);
    expect(await page.locator('#mine').getAttribute('data-formstead-status')).toBe('success');
    expect(await page.locator('#mine').getAttribute('aria-live')).toBe('polite');
  });
});

describe('with a redirect URL', () => {
  test('the page is redirected', async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { redirectUrl: `${stage.origin}/thanks` });
    const page = await stage.open(scripted(FIELDS, { form }));
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button').click();
    await page.waitForURL(`${stage.origin}/thanks`);
    expect((await instance.stored(owner, form)).map(({ data }) => data)).toEqual([{ name: 'Ada' }]);
  });
});

describe('a page can listen for', () => {
  /** Records the events of the script. */
  const NOTING = `<script>
    noted = [];
    for (const type of ['formstead:success', 'formstead:error']) {
      document.addEventListener(type, ({ target, detail }) => noted.push([type, target.id, detail.success, detail.code]));
    }
  </script>`;
  const noted = 'noted';

  test('a success', async () => {
    const page = await stage.open(scripted(FIELDS, { attributes: 'id="contact"' }) + NOTING);
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button').click();
    await saying(page, THANKS).waitFor();
    expect(await page.evaluate<unknown>(noted)).toEqual([['formstead:success', 'contact', true, undefined]]);
  });

  test('a refusal', async () => {
    const page = await stage.open(scripted('<button>Send</button>', { attributes: 'id="contact"' }) + NOTING);
    await page.getByRole('button').click();
    await saying(page, /./).filter({ hasNotText: 'Sending' }).waitFor();
    expect(await page.evaluate<unknown>(noted)).toEqual([['formstead:error', 'contact', false, 'empty_submission']]);
  });

  test('a success, and replace its display', async () => {
    const owner = await instance.makeOwner();
    const form = await instance.makeForm(owner, { redirectUrl: `${stage.origin}/thanks` });
    const page = await stage.open(`${scripted(FIELDS, { form })}<script>
      document.addEventListener('formstead:success', (event) => {
        event.preventDefault();
        document.title = event.detail.redirect_url;
      });
    </script>`);
    const before = page.url();
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button').click();
    await page.waitForFunction("document.title !== 'Site'");
    expect(await page.title()).toBe(`${stage.origin}/thanks`);
    expect(page.url()).toBe(before);
    expect(await page.getByLabel('Name').inputValue()).toBe('Ada');
    expect(await page.getByRole('status').textContent()).toBe('');
  });
});

describe('the texts of the script', () => {
  const languageOf = async (attributes: string, locale: string) => {
    const page = await stage.open(scripted(FIELDS, { attributes }), { locale });
    await page.route('**/submissions', () => {});
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button').click();
    const status = page.getByRole('status').filter({ hasText: /./ });
    await status.waitFor();
    return status.textContent();
  };

  test.each([
    ['en-GB', 'Sending…'],
    ['de-AT', 'Wird gesendet …'],
    ['fr-CA', 'Envoi en cours…'],
    ['es-MX', 'Enviando…'],
    ['pt-BR', 'A enviar…'],
    ['it-IT', 'Invio in corso…'],
    ['nl-BE', 'Bezig met verzenden…'],
    ['pl-PL', 'Wysyłanie…'],
    ['ja-JP', '送信中…'],
    ['zh-TW', '正在发送…'],
    ['sv-SE', 'Sending…'],
  ])('match the browser language %s', async (locale, text) => {
    expect(await languageOf('', locale)).toBe(text);
  });

  test("are in the page's language if supported, else in the browser's", async () => {
    expect(await languageOf('lang="DE-ch"', 'fr-FR')).toBe('Wird gesendet …');
    expect(await languageOf('lang="sv"', 'fr-FR')).toBe('Envoi en cours…');
  });
});

describe('a strict Content-Security-Policy', () => {
  test('only has to allow the instance for scripts and connections', async () => {
    const { form, payloads } = await withForm();
    const csp = `default-src 'none'; script-src ${instance.url}; connect-src ${instance.url}; require-trusted-types-for 'script'`;
    const page = await stage.open(scripted(FIELDS, { form }), { csp });
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.getByLabel('Name').fill('Ada');
    await page.getByRole('button').click();
    await saying(page, THANKS).waitFor();
    expect(complaints).toEqual([]);
    expect(await payloads()).toEqual([{ name: 'Ada' }]);
  });
});

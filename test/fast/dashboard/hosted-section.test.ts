import { afterAll, describe, expect, test } from 'bun:test';
import { HOSTED_TEXTS } from '../../../src/dashboard/forms/connect/texts.ts';
import { startInstance } from '../../support/instance.ts';
import { signIn } from './signed-in.ts';

const instance = await startInstance();
afterAll(instance.stop);

const t = HOSTED_TEXTS.en;
const FIELDS = [{ name: 'email', label: 'Email', type: 'email', required: true }];
const me = await signIn(instance, instance.owner);

async function pageFor(
  ...[settings, challenge]: Parameters<typeof instance.makeForm> extends [unknown, ...infer Rest] ? Rest : never
) {
  const form = await instance.makeForm(instance.owner, settings, challenge);
  return { form, page: await me.page(`/dashboard/forms/${form.id}/connect`) };
}

describe('the connect page', () => {
  test('shows the address of the hosted page and the code that embeds it', async () => {
    const { form, page } = await pageFor({ hasHostedPage: true, fields: FIELDS, publicName: 'Harps "&" more' });
    const url = `${instance.url}/f/${form.shortId}`;
    expect(page).toContain(`<a href="${url}">${url}</a>`);
    expect(page.replace(/<\/?span[^>]*>/g, '')).toContain(
      `&lt;iframe src=&quot;${url}&quot; title=&quot;Harps &amp;quot;&amp;amp;&amp;quot; more&quot;`,
    );
    expect(page).not.toContain(t.origins);
  });

  test('says who can embed it if the form has allowed websites', async () => {
    const allowedOrigins = ['https://harps.example'];
    expect((await pageFor({ hasHostedPage: true, fields: FIELDS, allowedOrigins })).page).toContain(t.origins);
  });

  test('says what keeps a form from having one', async () => {
    const turnstile = { kind: 'turnstile', secret: 'secret', verifyUrl: null } as const;
    expect((await pageFor({ fields: FIELDS })).page).toContain(t.problems.off);
    expect((await pageFor({ hasHostedPage: true })).page).toContain(t.problems.fields);
    expect((await pageFor({ hasHostedPage: true, fields: FIELDS }, turnstile)).page).toContain(t.problems.challenge);
  });
});

test('the preview says that nobody else sees the page while it is off', async () => {
  const previewOf = async (hasHostedPage: boolean) => {
    const { form } = await pageFor({ hasHostedPage, fields: FIELDS });
    return me.page(`/dashboard/forms/${form.id}/settings/appearance`);
  };
  expect(await previewOf(false)).toContain('Only you see this: the hosted page is off.');
  expect(await previewOf(true)).not.toContain('Only you see this');
});

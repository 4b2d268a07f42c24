import { afterAll, expect, test } from 'bun:test';
import type { FormField } from '../../src/domain/fields/field-type.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import { startInstance } from '../support/instance.ts';

const instance = await startInstance();
afterAll(instance.stop);

const EMAIL: FormField = { name: 'email', label: 'E-mail', type: 'email', required: true };
const ODD: FormField = { name: "it's & that", label: '', type: 'text', required: true, pattern: '[1-5]' };

test.each<[FormField[], Record<string, unknown>]>([
  [[], { name: 'Ada Lovelace', email: 'ada@example.com', message: 'Hello' }],
  [[ODD, EMAIL], { [ODD.name]: '5', email: 'ada@example.com' }],
])('the curl command on the page of a form posts valid values: %j', async (fields, payload) => {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, { fields, enforcesRules: true });
  const page = await (await signIn(instance, owner)).page(`/dashboard/forms/${form.id}/connect`);
  const [, code = ''] = /<pre id="code-curl"[^>]*>(.*?)<\/pre>/s.exec(page) ?? [];
  const command = code
    .replace(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#x27;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  const run = Bun.spawn(['bash', '-c', command], { stdout: 'pipe', stderr: 'ignore' });
  expect(await new Response(run.stdout).text()).toContain('"success":true');
  expect((await instance.stored(owner, form)).map(({ data }) => data)).toEqual([payload]);
});

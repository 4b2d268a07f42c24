import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { parseFields } from '../../../src/domain/fields/parse-fields.ts';
import { parseRecipientConditions, parseWhen } from '../../../src/domain/forms/condition.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { type SignedIn, signIn } from '../dashboard/signed-in.ts';
import { formData } from '../visitor/files.ts';
import { expectAccepted } from '../visitor/helpers.ts';

/** A text with the character that PostgreSQL cannot hold in a text column. */
const NUL = 'a\0b';

let instance: Instance;
let me: SignedIn;
beforeAll(async () => {
  instance = await startInstance();
  me = await signIn(instance, instance.owner);
});
afterAll(() => instance.stop());

describe('U+0000', () => {
  test('is refused by the management API, in values and in names', async () => {
    const { form, workspaceId, writeKey: key } = instance.owner;
    const bodies: ReadonlyArray<readonly [string, string, unknown]> = [
      ['PATCH', `/v1/forms/${form.id}`, { name: NUL }],
      ['PATCH', `/v1/forms/${form.id}`, { [NUL]: 'a' }],
      ['POST', '/v1/forms', { workspaceId, name: 'Form', fields: [{ name: NUL }] }],
      ['POST', '/v1/workspaces', { name: NUL }],
    ];
    for (const [method, path, body] of bodies) {
      const answer = await instance.api(method, path, { key, body });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { success: false, error: 'The JSON contains the character U+0000. Remove it.', statusCode: 400 },
      ]);
    }
    const escaped = await instance.api('PATCH', `/v1/forms/${form.id}`, { key, body: { name: 'C:\\u0000' } });
    expect(await escaped.json()).toMatchObject({ data: { name: 'C:\\u0000' } });
  });

  test('is refused like half of a surrogate pair, but no whole pair', async () => {
    const { form, writeKey: key } = instance.owner;
    const patch = (body: unknown) => instance.api('PATCH', `/v1/forms/${form.id}`, { key, body });
    for (const body of [{ name: 'a\ud800' }, { name: '\udc00b' }, { 'a\ud800': 'a' }]) {
      const answer = await patch(body);
      const error = 'The JSON contains half of a surrogate pair, such as \\ud800. Remove it.';
      expect([answer.status, await answer.json()]).toEqual([400, { success: false, error, statusCode: 400 }]);
    }
    expect(await (await patch({ name: 'a😀' })).json()).toMatchObject({ data: { name: 'a😀' } });
  });

  test('is removed from forms of the dashboard', async () => {
    const { workspaceId, teamId } = instance.owner;
    await me.post('/dashboard/forms/new', { name: NUL, workspace: workspaceId, template: 'contact' });
    const forms = await instance.context.store.forms.list(teamId);
    expect(forms.map(({ name }) => name)).toContain('ab');
  });

  test('is refused in JSON that is entered as text', () => {
    expect(() => parseFields('[{"name":"a\\u0000"}]')).toThrow('contains the character U+0000');
    expect(() => parseWhen('[{"field":"a","is":"\\u0000"}]')).toThrow('contains the character U+0000');
    expect(() => parseRecipientConditions('{"\\u0000":[]}', [])).toThrow('contains the character U+0000');
  });

  test('is kept in submissions', async () => {
    const form = await instance.makeForm(instance.owner);
    await expectAccepted(await instance.post(form.id, { [NUL]: NUL }));
    await expectAccepted(await instance.post(form.id, new URLSearchParams([[NUL, NUL]])));
    await expectAccepted(await instance.post(form.id, formData([['name', NUL]])));
    const sent = (await instance.stored(instance.owner, form)).map(({ data }) => data);
    expect(sent).toEqual([{ name: NUL }, { [NUL]: NUL }, { [NUL]: NUL }]);
  });

  test('in an address finds nothing', async () => {
    const { readKey: key } = instance.owner;
    for (const path of ['/v1/forms/%00', '/v1/submissions/%00', `/v1/forms/${instance.owner.form.id}%00`]) {
      expect((await instance.api('GET', path, { key })).status).toBe(404);
    }
    expect((await instance.post('%00', { name: 'Ada' })).status).toBe(404);
    expect((await me.get('/dashboard/forms/%00')).status).toBe(404);
  });
});

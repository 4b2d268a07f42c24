import { afterAll, describe, expect, test } from 'bun:test';
import { payloadAad } from '../../../src/vault/vault.ts';
import { startInstance } from '../../support/instance.ts';
import { dataOf, keep, type Page, rows, type Submission } from './support.ts';

const instance = await startInstance();
afterAll(instance.stop);
const { api, context, owner } = instance;
const { form, readKey } = owner;

const SENT = {
  card: '4242 4242 4242 4242',
  number: 4242424242424242,
  ssn: '123-45-6789',
  note: 'Card 5555-5555-5555-4444, please.',
  list: ['4242424242424242', 'plain'],
  nested: { deeper: [{ card: '378282246310005', flag: true, none: null }] },
  '4242424242424242': 'a name',
};

const SHOWN = {
  card: '************4242',
  number: '************4242',
  ssn: '***-**-6789',
  note: 'Card ************4444, please.',
  list: ['************4242', 'plain'],
  nested: { deeper: [{ card: '***********0005', flag: true, none: null }] },
  '4242424242424242': 'a name',
};

describe('card and social security numbers are masked at any depth, also as JSON numbers, but not in names', () => {
  test('in the list and in the single read', async () => {
    const id = await keep(instance, owner, SENT);
    const { items } = await dataOf<Page>(api('GET', `/v1/forms/${form.id}/submissions?limit=1`, { key: readKey }));
    expect(items[0]?.data).toEqual(SHOWN);
    expect((await dataOf<Submission>(api('GET', `/v1/submissions/${id}`, { key: readKey }))).data).toEqual(SHOWN);
  });

  test('after a post to the public endpoint', async () => {
    expect((await instance.post(form.id, SENT)).status).toBe(200);
    expect((await instance.stored(owner))[0]?.data).toEqual(SHOWN);
  });

  test('while the stored payload is not masked', async () => {
    const id = await keep(instance, owner, SENT);
    await dataOf(api('GET', `/v1/submissions/${id}`, { key: readKey }));
    const [row] = rows<{ payload: Uint8Array }>(instance, 'SELECT payload FROM submissions WHERE id = ?', id);
    const payload = context.vault.openPayload(row?.payload ?? new Uint8Array(), payloadAad(id, form.id));
    expect(Object.fromEntries(payload)).toEqual(SENT);
  });
});

describe('a payload is returned as it was sent', () => {
  test('with names of Object properties', async () => {
    const sent = '{"__proto__":"a","constructor":"b","toString":"c","hasOwnProperty":"d","a.b":"e","x[0]":"f"}';
    await instance.post(form.id, sent, { 'Content-Type': 'application/json' });
    const { items } = await dataOf<Page>(api('GET', `/v1/forms/${form.id}/submissions?limit=1`, { key: readKey }));
    expect(JSON.stringify(items[0]?.data)).toBe(sent);
    expect(Object.keys(items[0]?.data ?? {})).toContain('__proto__');
  });

  test('with every kind of JSON value and text', async () => {
    const sent = {
      text: 'Ünï "\\\u0000\u2028 😀 </script>',
      n: -1.5e-7,
      yes: true,
      none: null,
      list: [[], {}],
      '': '',
    };
    const id = await keep(instance, owner, sent);
    expect((await dataOf<Submission>(api('GET', `/v1/submissions/${id}`, { key: readKey }))).data).toEqual(sent);
  });
});

import { afterAll, afterEach, expect, test } from 'bun:test';
import { coreElement } from './core-page.ts';
import { COUNT, expectEachStoredOnce, submitAll } from './cut-connections.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { openStage } from './stage.ts';

const SEED = Number(Bun.env.SEED ?? 23);

const stage = await openStage();
const proxy = await startCuttingProxy(stage.instance.url, SEED);
afterEach(stage.closePages);
afterAll(async () => {
  await stage.close();
  proxy.close();
});

const { instance } = stage;
const core = await coreElement();

afterAll(() => expect(Math.min(...Object.values(proxy.cuts))).toBeGreaterThan(0));

/** Sends one value by the script and returns whether its success event came. */
const BY_SCRIPT = `(value) => new Promise((resolve) => {
  const form = document.forms[0];
  form.elements.value.value = value;
  form.addEventListener('formstead:success', () => resolve(true), { once: true });
  form.addEventListener('formstead:error', () => resolve(false), { once: true });
  form.requestSubmit();
})`;

const BY_CORE = {
  'values as JSON': `async (value) => (await form.submit({ value })).ok`,
  'form data with progress': `async (value) => {
    const data = new FormData();
    data.set('value', value);
    data.set('file', new File(['x'.repeat(500)], 'note.txt', { lastModified: 0 }));
    return (await form.submit(data, { onProgress: () => {} })).ok;
  }`,
};

test('the script stores each submission once over connections that are cut at random', async () => {
  const owner = await instance.makeOwner();
  const page = await stage.open(
    stage.scripted('<input name="value">', { form: owner.form }).replace(`${instance.url}/v1`, `${proxy.url}/v1`),
  );
  const { succeeded } = await submitAll(page, BY_SCRIPT);
  expect(succeeded.length).toBe(COUNT);
  await expectEachStoredOnce(instance, owner, 'value');
});

test.each(Object.entries(BY_CORE))('the core stores each submission of %s once', async (_kind, attempt) => {
  const owner = await instance.makeOwner();
  const page = await stage.open(core);
  await page.evaluate(
    `form = createForm(${JSON.stringify(stage.action(owner.form).replace(instance.url, proxy.url))})`,
  );
  const { succeeded } = await submitAll(page, attempt);
  expect(succeeded.length).toBe(COUNT);
  await expectEachStoredOnce(instance, owner, 'value');
});

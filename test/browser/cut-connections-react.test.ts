import { afterAll, afterEach, expect, test } from 'bun:test';
import { namedBlock } from '../support/documents.ts';
import { componentPage } from './component-bundle.ts';
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

/** Sends one value by the form and returns whether the status shows the success. */
const BY_FORM = `(value) => new Promise((resolve) => {
  const form = document.forms[0];
  form.elements.email.value = 'ada@example.com';
  form.elements.message.value = value;
  const observer = new MutationObserver(() => {
    if (form.getAttribute('aria-busy') === 'true') return;
    observer.disconnect();
    resolve(document.querySelector('[role=status]').textContent.startsWith('Thank you'));
  });
  observer.observe(form, { attributeFilter: ['aria-busy'] });
  form.requestSubmit();
})`;

test('the hook of React stores each submission once over connections that are cut at random', async () => {
  const { instance } = stage;
  const owner = await instance.makeOwner();
  const code = namedBlock('react').replaceAll('http://127.0.0.1:3000', proxy.url).replaceAll('FORM_ID', owner.form.id);
  const page = await stage.open(await componentPage('React', code));
  const { succeeded } = await submitAll(page, BY_FORM);
  expect(succeeded.length).toBe(COUNT);
  await expectEachStoredOnce(instance, owner, 'message');
  expect(Math.min(...Object.values(proxy.cuts))).toBeGreaterThan(0);
});

import { afterAll, expect, test } from 'bun:test';
import { OutboxEngine } from '../../../src/delivery/engine.ts';
import { SHEETS_BATCH } from '../../../src/delivery/targets/sheets.ts';
import { webhookTransport } from '../../../src/delivery/webhook/transport.ts';
import { MINUTE, systemClock } from '../../../src/lib/clock.ts';
import type { guardedFetch } from '../../../src/lib/guarded-fetch.ts';
import { serializeSubmission } from '../../../src/services/submissions/serialize-submission.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { CREDENTIALS, startGoogle } from '../../support/google.ts';
import { startInstance } from '../../support/instance.ts';

const SHEET = '1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms';
const COUNT = SHEETS_BATCH + 5;

let ahead = 0;
const clock = () => systemClock() + ahead;
const instance = await startInstance({ clock });
const google = startGoogle(SHEET);
afterAll(async () => {
  google.stop();
  await instance.stop();
});

/** Sends requests to Google to the stub. */
const toGoogle: typeof guardedFetch = async (_, url, { method, headers = {}, body }) => {
  const request = { url: url.href, headers, body: String(body), ...(method && { method }) };
  const { status, headers: answered, body: text } = await google.send(request);
  return new Response(text, { status, headers: answered });
};

test('queued submissions are appended together, and tried again together', async () => {
  const { context, owner, makeForm, post } = instance;
  // The instance's own engine would ask Google itself.
  await context.webhooks.stop();
  const form = await makeForm(owner);
  const { webhook } = await createWebhook(context, form.id, 'sheets', { sheet: SHEET, credentials: CREDENTIALS });
  for (let n = 0; n < COUNT; n++) await post(form.id, { n });
  const { store, vault, log } = context;
  const engine = new OutboxEngine(
    webhookTransport({
      store,
      vault,
      log,
      clock,
      baseUrl: null,
      serialize: (submission) => serializeSubmission({ vault, log }, submission),
      tokens: new Map(),
      poster: { network: context.network, clock, fetch: toGoogle },
    }),
    log,
  );
  const states = async () => {
    const deliveries = await store.deliveries.list(webhook.id, { before: null, limit: 100 });
    return deliveries.map(({ state, attempts }) => `${state} ${attempts}`);
  };

  google.state.busy = true;
  await engine.drain();
  expect((await states()).toSorted()).toEqual([
    ...Array.from({ length: COUNT - SHEETS_BATCH }, () => 'queued 0'),
    ...Array.from({ length: SHEETS_BATCH }, () => 'retrying 1'),
  ]);
  expect((await store.webhooks.find(webhook.id))?.failures).toBe(1);

  google.state.busy = false;
  ahead += 2 * MINUTE;
  await engine.drain();
  expect(new Set((await states()).map((state) => state.split(' ')[0]))).toEqual(new Set(['delivered']));
  const column = google.state.rows[0]?.indexOf('n') ?? -1;
  const numbers = google.state.rows.slice(1).map((row) => Number(row[column]));
  expect(numbers.toSorted((a, b) => a - b)).toEqual([...Array(COUNT).keys()]);
  expect(google.state.requests.filter((request) => request.includes(':append')).length).toBe(2);
  expect(google.state.tokens).toBe(1);
  await engine.stop();
});

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../domain/errors.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { readAttempt, readSettings } from '../../services/webhooks/read-webhook.ts';
import { testWebhook } from '../../services/webhooks/test-webhook.ts';
import { queuePastSubmissions, rotateSecret } from '../../services/webhooks/webhooks.ts';
import { action, findForm, flash, type Page, type PageContext, page, redirectTo } from '../page.ts';
import { confirmPage } from '../ui/confirm-page.tsx';
import { DeliveryView } from './delivery-view.tsx';
import { editorRoutes } from './editor-routes.tsx';
import { WebhooksView } from './list-view.tsx';
import { TestView } from './test-view.tsx';
import { WEBHOOKS_TEXTS } from './texts.ts';
import { getAddress, getTitle } from './webhook-buttons.tsx';
import { findIntactWebhook, findWebhook, webhookPage } from './webhook-view.tsx';

const LIST = '/dashboard/forms/:formId/webhooks';
const ONE = `${LIST}/:webhookId`;
const MAX_PAST = 1_000;
/** Tests that a person may send a minute. */
const MAX_TESTS = 5;

type EditPage = PageContext<'edit'>;

/** The webhooks of a form: listed, changed, tested, and their deliveries. */
export function webhookRoutes() {
  const tests = new SlidingWindow(MAX_TESTS);
  return [
    page(LIST, { access: 'edit' }, showList),
    ...editorRoutes,
    page(ONE, { access: 'edit' }, async (page) => webhookPage(page, await findWebhook(page))),
    action(`${ONE}/active`, { access: 'edit', audit: 'webhook.changed' }, setActive),
    action(`${ONE}/test`, { access: 'edit', audit: 'webhook.tested' }, (page) => sendTest(page, tests)),
    action(`${ONE}/send`, { access: 'edit', audit: 'webhook.redelivered' }, sendSeveral),
    page(`${ONE}/deliveries/:deliveryId`, { access: 'edit' }, showDelivery),
    action(`${ONE}/deliveries/:deliveryId/send`, { access: 'edit', audit: 'webhook.redelivered' }, sendOne),
    action(`${ONE}/secret`, { access: 'manage', audit: 'webhook.secret_rotated' }, replaceSecret),
    page(`${ONE}/delete`, { access: 'manage' }, askToDelete),
    action(`${ONE}/delete`, { access: 'manage', audit: 'webhook.deleted' }, deleteOne),
  ];
}

async function showList(page: EditPage): Promise<Page> {
  const { viewer, query } = page;
  const { store, vault, log, clock } = page.context;
  const form = await findForm(page);
  const listed = (await store.webhooks.list(form.id)).map(async (webhook) => {
    const [latest = null] = await store.deliveries.list(webhook.id, { before: null, limit: 1 });
    return { webhook, settings: readSettings(vault, log, webhook), latest };
  });
  const t = WEBHOOKS_TEXTS[viewer.language];
  return {
    title: `${viewer.texts.form.webhooks} · ${form.name}`,
    section: 'forms',
    done: flash(t.done, query),
    body: <WebhooksView viewer={viewer} form={form} webhooks={await Promise.all(listed)} now={clock()} />,
  };
}

async function setActive(page: EditPage, form: URLSearchParams): Promise<Response> {
  const { store, webhooks } = page.context;
  const { webhook } = (await findWebhook(page)).shown;
  const isActive = form.get('active') === 'yes';
  await store.webhooks.update(webhook.id, { isActive }, page.team.id);
  if (isActive) webhooks.wake();
  page.note({ settings: 'isActive' });
  return redirectTo(getAddress(webhook, `?done=${isActive ? 'resumed' : 'paused'}`));
}

async function replaceSecret(page: PageContext<'manage'>): Promise<Page> {
  const { form, shown } = await findIntactWebhook(page);
  const secret = await rotateSecret(page.context, shown.webhook.id, page.team.id);
  return webhookPage(page, { form, shown }, { secret });
}

async function sendTest(page: EditPage, tests: SlidingWindow): Promise<Page> {
  const { context, viewer, user, team } = page;
  const { form, shown } = await findIntactWebhook(page);
  if (!tests.take(user.id, context.monotonic()).allowed) {
    throw new AppError('rate_limited', `You can send ${MAX_TESTS} tests a minute. Try again in a minute.`, {
      headers: { 'Retry-After': '60' },
      reason: ['too_many_tests', MAX_TESTS],
    });
  }
  const result = await testWebhook(context, shown.webhook, team.id);
  const title = `${WEBHOOKS_TEXTS[viewer.language].testTitle} · ${form.name}`;
  return { title, section: 'forms', body: <TestView viewer={viewer} form={form} shown={shown} result={result} /> };
}

async function findDelivery({ context, param }: EditPage, webhook: Webhook) {
  const delivery = await context.store.deliveries.find(param('deliveryId'));
  if (delivery?.webhookId === webhook.id) return delivery;
  throw new AppError('not_found', 'This webhook has no such delivery.');
}

async function showDelivery(page: EditPage): Promise<Page> {
  const { context, viewer } = page;
  const { form, shown } = await findWebhook(page);
  const delivery = await findDelivery(page, shown.webhook);
  const item = { delivery, attempt: readAttempt(context.vault, delivery) };
  const title = `${WEBHOOKS_TEXTS[viewer.language].delivery} · ${form.name}`;
  return { title, section: 'forms', body: <DeliveryView viewer={viewer} form={form} shown={shown} item={item} /> };
}

async function sendOne(page: EditPage): Promise<Response> {
  const { webhook } = (await findWebhook(page)).shown;
  const { id } = await findDelivery(page, webhook);
  return showQueued(page, webhook, await page.context.store.deliveries.redeliver({ id }));
}

async function sendSeveral(page: EditPage, form: URLSearchParams): Promise<Page | Response> {
  const { context, viewer } = page;
  const target = await findWebhook(page);
  const { webhook } = target.shown;
  if (form.has('failed')) {
    return showQueued(page, webhook, await context.store.deliveries.redeliver({ webhookId: webhook.id }));
  }
  const count = Number(form.get('past'));
  if (!Number.isInteger(count) || count < 1 || count > MAX_PAST) {
    return webhookPage(page, target, { error: WEBHOOKS_TEXTS[viewer.language].wrongCount });
  }
  return showQueued(page, webhook, await queuePastSubmissions(context, webhook, count));
}

function showQueued({ context, note }: EditPage, webhook: Webhook, queued: number): Response {
  context.webhooks.wake();
  note({ queued });
  return redirectTo(getAddress(webhook, `?queued=${queued}`));
}

async function askToDelete(page: PageContext<'manage'>): Promise<Page> {
  const { viewer } = page;
  const { shown } = await findWebhook(page);
  const t = WEBHOOKS_TEXTS[viewer.language];
  return confirmPage(viewer, 'forms', {
    title: t.deleteTitle,
    about: (
      <p>
        <bdi>{getTitle(viewer, shown)}</bdi>
      </p>
    ),
    text: t.deleteText,
    action: getAddress(shown.webhook, '/delete'),
    button: viewer.texts.common.delete,
    cancel: getAddress(shown.webhook),
  });
}

async function deleteOne(page: PageContext<'manage'>): Promise<Response> {
  const { form, shown } = await findWebhook(page);
  await page.context.store.webhooks.delete(shown.webhook.id, page.team.id);
  return redirectTo(`/dashboard/forms/${form.id}/webhooks?done=deleted`);
}

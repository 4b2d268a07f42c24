/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context.ts';
import { AppError } from '../../../domain/errors.ts';
import { SlidingWindow } from '../../../lib/sliding-window.ts';
import { readAttempt, readSettings } from '../../../services/read-webhook.ts';
import { testWebhook } from '../../../services/test-webhook.ts';
import { queuePastSubmissions, rotateSecret } from '../../../services/webhooks.ts';
import { action, type DashboardRoute, type PageContext, page, redirectTo } from '../../page.ts';
import { flash } from '../../ui/flash.ts';
import type { Page } from '../../ui/layout.tsx';
import { DeleteView } from './delete-view.tsx';
import { DeliveryView } from './delivery-detail.tsx';
import { editorRoutes } from './editor-routes.tsx';
import { createFinder, type Found } from './find.ts';
import { WebhooksView } from './list-view.tsx';
import { TestView } from './test-view.tsx';
import { getAddress } from './webhook-buttons.tsx';
import { type Extra, WebhookView } from './webhook-view.tsx';

const LIST = '/dashboard/forms/:formId/webhooks';
const ONE = `${LIST}/:webhookId`;
const PAGE_SIZE = 50;
const MAX_PAST = 1_000;
/** Tests that a person may send a minute. */
const MAX_TESTS = 5;

/** The webhooks of a form: listed, changed, tested, and their deliveries. */
export function webhookRoutes(context: Context): readonly DashboardRoute[] {
  const { store, vault, log, clock, webhooks } = context;
  const find = createFinder(context);
  const tests = new SlidingWindow(MAX_TESTS);

  const listPage = async (page: PageContext<'edit'>): Promise<Page> => {
    const { viewer, query } = page;
    const form = await find.form(page);
    const listed = (await store.webhooks.list(form.id)).map(async (webhook) => {
      const [latest = null] = await store.deliveries.list(webhook.id, { before: null, limit: 1 });
      return { webhook, settings: readSettings(vault, log, webhook), latest };
    });
    const { webhooks: t } = viewer.texts;
    return {
      title: `${viewer.texts.form.webhooks} · ${form.name}`,
      section: 'forms',
      done: flash(t.done, query),
      body: <WebhooksView viewer={viewer} form={form} webhooks={await Promise.all(listed)} now={clock()} />,
    };
  };

  const webhookPage = async (page: PageContext<'edit'>, found: Found, extra: Extra = {}): Promise<Page> => {
    const { viewer, query } = page;
    const before = query.get('before');
    const stored = await store.deliveries.list(found.shown.webhook.id, { before, limit: PAGE_SIZE + 1 });
    const deliveries = stored
      .slice(0, PAGE_SIZE)
      .map((delivery) => ({ delivery, attempt: readAttempt(vault, delivery) }));
    return {
      title: `${viewer.texts.form.webhooks} · ${found.form.name}`,
      section: 'forms',
      status: extra.error === undefined ? 200 : 400,
      done: queuedText(page) ?? flash(viewer.texts.webhooks.done, query),
      body: (
        <WebhookView
          viewer={viewer}
          {...found}
          now={clock()}
          deliveries={deliveries}
          isFirst={before === null}
          hasOlder={stored.length > PAGE_SIZE}
          {...extra}
        />
      ),
    };
  };

  const setActive = async (page: PageContext<'edit'>, form: URLSearchParams): Promise<Response> => {
    const { webhook } = (await find.webhook(page)).shown;
    const isActive = form.get('active') === 'yes';
    await store.webhooks.update(webhook.id, { isActive }, page.team.id);
    if (isActive) webhooks.wake();
    page.note({ settings: 'isActive' });
    return redirectTo(getAddress(webhook, `?done=${isActive ? 'resumed' : 'paused'}`));
  };

  const rotate = async (page: PageContext<'manage'>): Promise<Page> => {
    const found = await find.intact(page);
    const secret = await rotateSecret(context, found.shown.webhook.id, page.team.id);
    return webhookPage(page, found, { secret });
  };

  const test = async (page: PageContext<'edit'>): Promise<Page> => {
    const { viewer } = page;
    const found = await find.intact(page);
    if (!tests.take(page.user.id, context.monotonic()).allowed) {
      throw new AppError('rate_limited', `You can send ${MAX_TESTS} tests a minute. Try again in a minute.`, {
        headers: { 'Retry-After': '60' },
        reason: ['too_many_tests', MAX_TESTS],
      });
    }
    const result = await testWebhook(context, found.shown.webhook, page.team.id);
    const title = `${viewer.texts.webhooks.testTitle} · ${found.form.name}`;
    return { title, section: 'forms', body: <TestView viewer={viewer} {...found} result={result} /> };
  };

  const findDelivery = async ({ param }: PageContext<'edit'>, { shown }: Found) => {
    const delivery = await store.deliveries.find(param('deliveryId'));
    if (delivery?.webhookId === shown.webhook.id) return delivery;
    throw new AppError('not_found', 'This webhook has no such delivery.');
  };

  const showDelivery = async (page: PageContext<'edit'>): Promise<Page> => {
    const { viewer } = page;
    const found = await find.webhook(page);
    const delivery = await findDelivery(page, found);
    const item = { delivery, attempt: readAttempt(vault, delivery) };
    const title = `${viewer.texts.webhooks.delivery} · ${found.form.name}`;
    return { title, section: 'forms', body: <DeliveryView viewer={viewer} {...found} item={item} /> };
  };

  const sendOne = async (page: PageContext<'edit'>): Promise<Response> => {
    const found = await find.webhook(page);
    const { webhook } = found.shown;
    const delivery = await findDelivery(page, found);
    return queued(page, webhook, await store.deliveries.redeliver({ id: delivery.id }));
  };

  const send = async (page: PageContext<'edit'>, form: URLSearchParams): Promise<Page | Response> => {
    const found = await find.webhook(page);
    const { webhook } = found.shown;
    if (form.has('failed')) return queued(page, webhook, await store.deliveries.redeliver({ webhookId: webhook.id }));
    const count = Number(form.get('past'));
    if (!Number.isInteger(count) || count < 1 || count > MAX_PAST) {
      return webhookPage(page, found, { error: page.viewer.texts.webhooks.wrongCount });
    }
    return queued(page, webhook, await queuePastSubmissions(context, webhook, count));
  };

  const queued = ({ note }: PageContext<'edit'>, webhook: Found['shown']['webhook'], count: number): Response => {
    webhooks.wake();
    note({ queued: count });
    return redirectTo(getAddress(webhook, `?queued=${count}`));
  };

  const askToDelete = async (page: PageContext<'manage'>): Promise<Page> => {
    const { viewer } = page;
    const { shown } = await find.webhook(page);
    const title = viewer.texts.webhooks.deleteTitle;
    return { title, section: 'forms', body: <DeleteView viewer={viewer} shown={shown} /> };
  };

  const deleteOne = async (page: PageContext<'manage'>): Promise<Response> => {
    const { form, shown } = await find.webhook(page);
    await store.webhooks.delete(shown.webhook.id, page.team.id);
    return redirectTo(`/dashboard/forms/${form.id}/webhooks?done=deleted`);
  };

  return [
    page(LIST, { access: 'edit' }, listPage),
    ...editorRoutes(context, find, webhookPage),
    page(ONE, { access: 'edit' }, async (page) => webhookPage(page, await find.webhook(page))),
    action(`${ONE}/active`, { access: 'edit', audit: 'webhook.changed' }, setActive),
    action(`${ONE}/test`, { access: 'edit', audit: 'webhook.tested' }, test),
    action(`${ONE}/send`, { access: 'edit', audit: 'webhook.redelivered' }, send),
    page(`${ONE}/deliveries/:deliveryId`, { access: 'edit' }, showDelivery),
    action(`${ONE}/deliveries/:deliveryId/send`, { access: 'edit', audit: 'webhook.redelivered' }, sendOne),
    action(`${ONE}/secret`, { access: 'manage', audit: 'webhook.secret_rotated' }, rotate),
    page(`${ONE}/delete`, { access: 'manage' }, askToDelete),
    action(`${ONE}/delete`, { access: 'manage', audit: 'webhook.deleted' }, deleteOne),
  ];
}

/** Returns the flash message with the number of queued deliveries; null for none. */
function queuedText({ viewer, query }: PageContext<'edit'>): string | null {
  const count = query.get('queued') ?? '';
  return /^\d{1,6}$/.test(count) ? viewer.texts.webhooks.queued(viewer.number(Number(count))) : null;
}

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { readAttempt } from '../../services/webhooks/read-webhook.ts';
import { flash, type Page, type PageContext } from '../page.ts';
import type { FormWebhook } from './find.ts';
import { type Extra, WebhookView } from './webhook-view.tsx';

const PAGE_SIZE = 50;

/** Returns the page of a webhook with its deliveries. */
export async function webhookPage(
  { context, viewer, query }: PageContext<'edit'>,
  { form, shown }: FormWebhook,
  extra: Extra = {},
): Promise<Page> {
  const { store, vault, clock } = context;
  const before = query.get('before');
  const stored = await store.deliveries.list(shown.webhook.id, { before, limit: PAGE_SIZE + 1 });
  const deliveries = stored
    .slice(0, PAGE_SIZE)
    .map((delivery) => ({ delivery, attempt: readAttempt(vault, delivery) }));
  const count = query.get('queued') ?? '';
  const { texts } = viewer;
  return {
    title: `${texts.form.webhooks} · ${form.name}`,
    section: 'forms',
    status: extra.error === undefined ? 200 : 400,
    done: /^\d{1,6}$/.test(count)
      ? texts.webhooks.queued(viewer.number(Number(count)))
      : flash(texts.webhooks.done, query),
    body: (
      <WebhookView
        viewer={viewer}
        form={form}
        shown={shown}
        now={clock()}
        deliveries={deliveries}
        isFirst={before === null}
        hasOlder={stored.length > PAGE_SIZE}
        {...extra}
      />
    ),
  };
}

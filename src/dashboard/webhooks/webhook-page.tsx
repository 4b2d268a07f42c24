/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/forms/form.ts';
import { readAttempt, readSettings } from '../../services/webhooks/read-webhook.ts';
import { flash, type Page, type PageContext } from '../page.ts';
import { WEBHOOKS_TEXTS } from './texts.ts';
import type { ShownWebhook } from './webhook-buttons.tsx';
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
      ? WEBHOOKS_TEXTS[viewer.language].queued(viewer.number(Number(count)))
      : flash(WEBHOOKS_TEXTS[viewer.language].done, query),
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

/** A webhook and its form. */
type FormWebhook = Readonly<{ form: Form; shown: ShownWebhook }>;

/** Finds the form of the path. Throws `not_found`. */
export async function findForm({ context, param, team }: PageContext<'edit'>): Promise<Form> {
  const form = await context.store.forms.find(param('formId'), team.id);
  if (!form) throw new AppError('not_found', 'There is no such form.');
  return form;
}

/** Finds the webhook of the path. Throws `not_found`. */
export async function findWebhook(page: PageContext<'edit'>): Promise<FormWebhook> {
  const { store, vault, log } = page.context;
  const form = await findForm(page);
  const webhook = await store.webhooks.find(page.param('webhookId'), page.team.id);
  if (webhook?.formId !== form.id) throw new AppError('not_found', 'This form has no such webhook.');
  return { form, shown: { webhook, settings: readSettings(vault, log, webhook) } };
}

/** Finds a webhook with readable settings. Throws `not_found`. */
export async function findIntactWebhook(page: PageContext<'edit'>) {
  const { form, shown } = await findWebhook(page);
  const { settings } = shown;
  if (settings === null) throw new AppError('not_found', 'The settings of this webhook are damaged.');
  return { form, shown: { ...shown, settings } };
}

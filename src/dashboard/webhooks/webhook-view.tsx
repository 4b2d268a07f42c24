/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { getKind, OPTIONS, takes, WEBHOOK_OPTIONS } from '../../delivery/targets/index.ts';
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/forms/form.ts';
import type { Micros } from '../../lib/clock.ts';
import { readAttempt, readSettings } from '../../services/webhooks/read-webhook.ts';
import { findForm, flash, type Page, type PageContext } from '../page.ts';
import { Card, CopyField, ErrorMessage, type Fact, FactList, LinkLine, PostButton } from '../ui/elements.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { FormHead } from '../ui/form-head.tsx';
import { Tile } from '../ui/icon.tsx';
import { Pager } from '../ui/pager.tsx';
import { readSenders } from '../ui/submissions-at.ts';
import type { Viewer } from '../viewer.ts';
import { type DeliveryItem, DeliveryRow } from './delivery-view.tsx';
import { isLine } from './draft.ts';
import { WEBHOOKS_TEXTS } from './texts.ts';
import { Buttons, Conditions, getAddress, getTitle, type ShownWebhook, WebhookState } from './webhook-buttons.tsx';

/** Shown after an action. */
export type Extra = Readonly<{
  /** The signing secret, right after it was made. */
  secret?: string | null;
  /** Error about the number of past submissions. */
  error?: string;
}>;

type Props = Readonly<{
  viewer: Viewer;
  form: Form;
  shown: ShownWebhook;
  now: Micros;
  deliveries: readonly DeliveryItem[];
  isFirst: boolean;
  hasOlder: boolean;
}> &
  Extra;

/** A webhook with its deliveries. */
export function WebhookView(props: Props) {
  const { viewer, form, shown, now, secret = null } = props;
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { webhook, settings } = shown;
  const kind = getKind(webhook.kind);
  return (
    <>
      <FormHead viewer={viewer} form={form} current="webhooks" />
      <LinkLine href={`/dashboard/forms/${form.id}/webhooks`} text={t.all} isSmall />
      {secret !== null && (
        <Card id="made" title={t.secretTitle}>
          <p>{t.copyNow}</p>
          <CopyField viewer={viewer} id="secret" label={t.secretTitle} value={secret} />
        </Card>
      )}
      <section class="card stack" aria-labelledby="webhook">
        <div class="row">
          <Tile {...kind.icon} />
          <div class="grow">
            <h2 id="webhook" class="flush">
              <bdi>{getTitle(viewer, shown)}</bdi>
            </h2>
            <WebhookState viewer={viewer} webhook={webhook} now={now} />
          </div>
          <Buttons viewer={viewer} shown={shown} />
        </div>
        {settings === null && <p class="error">{t.damaged}</p>}
        <Facts {...props} />
        {kind.isSigned && settings !== null && viewer.can('manage') && (
          <form method="post" action={getAddress(webhook, '/secret')} class="row">
            <button class="quiet">{t.rotate}</button>
            <span class="soft small">{t.rotateText}</span>
          </form>
        )}
      </section>
      <Deliveries {...props} />
    </>
  );
}

function Facts({ viewer, shown: { webhook, settings } }: Props) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { kind, events, body, includeSpam, when } = webhook;
  const facts: readonly Fact[] = [
    ['Host', settings?.host],
    [t.eventsTitle, events.map((event) => t.events[event]).join(', ')],
    [t.body, takes(kind, 'body') ? t.bodies[body] : null],
    [t.includeSpam, includeSpam ? viewer.texts.common.yes : viewer.texts.common.no],
    [t.conditions, <Conditions viewer={viewer} when={when} />],
    [t.headers, settings?.headerNames.join(', ')],
    ...WEBHOOK_OPTIONS.map((name): Fact => {
      const { label, summary } = OPTIONS[name];
      const value = summary ? settings?.summaries[name] : isLine(name) && String(settings?.[name] ?? '');
      return [(summary?.label ?? label)[viewer.language], value];
    }),
  ];
  return (
    <FactList
      facts={facts.map(([label, value]) => [label, typeof value === 'string' ? value && <bdi>{value}</bdi> : value])}
    />
  );
}

function Deliveries({ viewer, shown: { webhook }, now, deliveries, isFirst, hasOlder, error }: Props) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const path = getAddress(webhook);
  const canRetry = deliveries.some(({ delivery }) => delivery.state === 'failed');
  const older = hasOlder ? `${path}?before=${deliveries.at(-1)?.delivery.id}` : null;
  return (
    <section class="workspace stack" aria-labelledby="deliveries">
      <div class="head">
        <div>
          <h2 id="deliveries" class="flush">
            {t.deliveries}
          </h2>
          <p class="soft small flush">{t.deliveriesText}</p>
        </div>
        {canRetry && <PostButton action={`${path}/send`} text={t.againFailed} name="failed" value="yes" />}
      </div>
      <EntryList items={deliveries} empty={t.noDeliveries}>
        {(item) => <DeliveryRow viewer={viewer} webhook={webhook} item={item} now={now} />}
      </EntryList>
      <Pager viewer={viewer} label={t.pages} newest={isFirst ? null : path} older={older} />
      <form class="card" method="post" action={`${path}/send#past`} id="past">
        <h3>{t.past}</h3>
        <p class="soft small">{t.pastText}</p>
        <ErrorMessage error={error} />
        <label for="count">{t.pastCount}</label>
        <div class="row">
          <input id="count" name="past" inputmode="numeric" required value="100" autocomplete="off" />
          <button class="quiet">{t.past}</button>
        </div>
      </form>
    </section>
  );
}

const PAGE_SIZE = 50;

/** Returns the page of a webhook with its deliveries. */
export async function webhookPage(
  page: PageContext<'edit'>,
  { form, shown }: FormWebhook,
  extra: Extra = {},
): Promise<Page> {
  const { context, viewer, query } = page;
  const { store, vault, clock } = context;
  const before = query.get('before');
  const stored = await store.deliveries.list(shown.webhook.id, { before, limit: PAGE_SIZE + 1 });
  const senders = await readSenders(
    page,
    stored.map(({ submissionId }) => submissionId),
  );
  const deliveries = stored
    .slice(0, PAGE_SIZE)
    .map((delivery) => ({
      delivery,
      attempt: readAttempt(vault, delivery),
      sender: senders.get(delivery.submissionId),
    }));
  const count = query.get('queued') ?? '';
  return {
    title: `${viewer.texts.form.webhooks} · ${form.name}`,
    section: 'forms',
    status: extra.error === undefined ? 200 : 400,
    done: /^\d{1,6}$/.test(count)
      ? WEBHOOKS_TEXTS[viewer.language].queued(viewer.number(Number(count)))
      : flash(WEBHOOKS_TEXTS[viewer.language].done, query),
    body: (
      <WebhookView
        {...{ viewer, form, shown, deliveries }}
        now={clock()}
        isFirst={before === null}
        hasOlder={stored.length > PAGE_SIZE}
        {...extra}
      />
    ),
  };
}

/** A webhook and its form. */
type FormWebhook = Readonly<{ form: Form; shown: ShownWebhook }>;

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

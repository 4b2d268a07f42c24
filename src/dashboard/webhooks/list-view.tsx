/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { getKind } from '../../delivery/targets/index.ts';
import type { Form } from '../../domain/forms/form.ts';
import { MAX_WEBHOOKS_PER_FORM } from '../../domain/webhooks/webhook.ts';
import type { Micros } from '../../lib/clock.ts';
import type { StoredDelivery } from '../../storage/records.ts';
import { LinkButton } from '../ui/elements.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { EntryList } from '../ui/entry-list.tsx';
import { FormHead } from '../ui/form-head.tsx';
import { Tile } from '../ui/icon.tsx';
import { Ago } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { StateOfDelivery } from './delivery-view.tsx';
import { WEBHOOKS_TEXTS } from './texts.ts';
import { Buttons, Conditions, getAddress, getTitle, type ShownWebhook, WebhookState } from './webhook-buttons.tsx';

/** A webhook with its latest delivery. */
export type ListedWebhook = ShownWebhook & Readonly<{ latest: StoredDelivery | null }>;

type Props = Readonly<{ viewer: Viewer; form: Form; webhooks: readonly ListedWebhook[]; now: Micros }>;

/** The webhooks of a form. */
export function WebhooksView({ viewer, form, webhooks, now }: Props) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const isFull = webhooks.length >= MAX_WEBHOOKS_PER_FORM;
  const add = !isFull && viewer.can('manage') && (
    <LinkButton href={`/dashboard/forms/${form.id}/webhooks/new`} text={t.add} style="main" />
  );
  return (
    <>
      <FormHead viewer={viewer} form={form} current="webhooks" />
      {webhooks.length > 0 && (
        <div class="head">
          <p class="flush soft">
            {t.intro} <a href="/docs/webhooks">{t.docs}</a>
          </p>
          {add}
        </div>
      )}
      <div class="stack">
        <EntryList
          items={webhooks}
          empty={
            <EmptyState icon="link" title={t.none} text={t.noneText}>
              {add}
              <LinkButton href="/docs/webhooks" text={t.docs} />
            </EmptyState>
          }
        >
          {(shown) => <WebhookItem viewer={viewer} shown={shown} now={now} />}
        </EntryList>
        {isFull && <p class="note">{t.full(MAX_WEBHOOKS_PER_FORM)}</p>}
      </div>
    </>
  );
}

function WebhookItem({ viewer, shown, now }: Readonly<{ viewer: Viewer; shown: ListedWebhook; now: Micros }>) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { webhook, settings, latest } = shown;
  const { icon, name: kind } = getKind(webhook.kind);
  return (
    <li class="entry">
      <Tile {...icon} />
      <div class="grow">
        <p class="flush">
          <a class="cover" href={getAddress(webhook)}>
            <strong>
              <bdi>{getTitle(viewer, shown)}</bdi>
            </strong>
          </a>{' '}
          <WebhookState viewer={viewer} webhook={webhook} now={now} />
        </p>
        <p class="flush small soft">
          {settings?.name && `${[kind[viewer.language], settings.host].filter(Boolean).join(' · ')} · `}
          {webhook.events.map((event) => t.events[event]).join(', ')}
          {webhook.when.length > 0 && ' · '}
          {webhook.when.length > 0 && <Conditions viewer={viewer} when={webhook.when} />}
          {webhook.includeSpam && ` · ${t.withSpam}`}
        </p>
      </div>
      <span class="small soft">
        {latest === null ? (
          t.noDelivery
        ) : (
          <>
            <StateOfDelivery viewer={viewer} delivery={latest} />{' '}
            <Ago viewer={viewer} at={latest.settledAt ?? latest.createdAt} now={now} />
          </>
        )}
      </span>
      <Buttons viewer={viewer} shown={shown} />
    </li>
  );
}

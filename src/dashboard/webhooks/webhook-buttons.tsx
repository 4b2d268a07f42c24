/** @jsxRuntime automatic @jsxImportSource hono/jsx */

import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { getKind } from '../../outbox/targets/index.ts';
import type { ShownSettings } from '../../services/webhooks/read-webhook.ts';
import { LinkButton, PostButton } from '../ui/elements.tsx';
import type { Viewer } from '../viewer.ts';
import { WEBHOOKS_TEXTS } from './texts.ts';

/** A webhook with its settings, which are null if they are damaged. */
export type ShownWebhook = Readonly<{ webhook: Webhook; settings: ShownSettings | null }>;

/** Returns the address of a webhook's page. */
export function getAddress({ id, formId }: Webhook, below = ''): string {
  return `/dashboard/forms/${formId}/webhooks/${id}${below}`;
}

/** Returns the kind of a webhook and its host. */
export function getTitle({ language }: Viewer, { webhook, settings }: ShownWebhook): string {
  const name = getKind(webhook.kind).name[language];
  return settings?.host ? `${name} · ${settings.host}` : name;
}

/** The buttons of a webhook. */
export function Buttons({ viewer, shown }: Readonly<{ viewer: Viewer; shown: ShownWebhook }>) {
  const t = WEBHOOKS_TEXTS[viewer.language];
  const { webhook, settings } = shown;
  const label = (action: keyof typeof t.actions) => t.of(t.actions[action], getTitle(viewer, shown));
  const toggle = webhook.isActive ? 'pause' : 'resume';
  return (
    <div class="row">
      {settings !== null && (
        <PostButton action={getAddress(webhook, '/test')} text={t.actions.test} style="small" label={label('test')} />
      )}
      <PostButton
        action={getAddress(webhook, '/active')}
        text={t.actions[toggle]}
        style="small"
        label={label(toggle)}
        name="active"
        value={webhook.isActive ? 'no' : 'yes'}
      />
      {viewer.can('manage') && settings !== null && (
        <LinkButton href={getAddress(webhook, '/settings')} text={t.actions.edit} style="small" label={label('edit')} />
      )}
      {viewer.can('manage') && (
        <LinkButton
          href={getAddress(webhook, '/delete')}
          text={t.actions.delete}
          style="small"
          label={label('delete')}
        />
      )}
    </div>
  );
}

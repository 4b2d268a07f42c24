import type { Webhook, WebhookSettings } from '../domain/webhook.ts';
import { type Vault, webhookSettingsAad } from './vault.ts';

/** Opens the settings of a webhook. Throws `UnreadableRecordError` for a damaged record. */
export function openSettings(vault: Vault, { id, formId, settings }: Webhook): WebhookSettings {
  return JSON.parse(vault.open(settings, webhookSettingsAad(id, formId)).toString());
}

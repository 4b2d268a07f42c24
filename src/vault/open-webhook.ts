import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { SealedSettings } from '../domain/webhooks/webhook-settings.ts';
import { openOr } from './open-submission.ts';
import { mailReasonAad, type Vault, webhookSettingsAad } from './vault.ts';

/** Opens the settings of a webhook. Throws `UnreadableRecordError` for a damaged record. */
export function openSettings(vault: Vault, { id, formId, settings }: Webhook): SealedSettings {
  return JSON.parse(vault.open(settings, webhookSettingsAad(id, formId)).toString());
}

export function sealSettings(vault: Vault, { id, formId }: Pick<Webhook, 'id' | 'formId'>, settings: SealedSettings) {
  return vault.seal(JSON.stringify(settings), webhookSettingsAad(id, formId));
}

/**
 * The last attempt of a delivery for people: why it failed, null after a success, and the beginnings of the answer and of
 * the body sent, which had `bodyBytes`.
 */
export type AttemptRecord = Readonly<{ reason: string | null; answer: string; body: string; bodyBytes: number }>;

export function sealAttempt(vault: Vault, deliveryId: string, record: AttemptRecord): Uint8Array {
  return vault.seal(JSON.stringify(record), mailReasonAad(deliveryId, null));
}

/** Opens the record of an attempt; null without one, or if it is damaged. */
export function openAttempt(vault: Vault, deliveryId: string, record: Uint8Array | null): AttemptRecord | null {
  return record && openOr(() => JSON.parse(vault.open(record, mailReasonAad(deliveryId, null)).toString()), null);
}

import type { Webhook } from '../../domain/webhooks/webhook.ts';
import {
  isSecret,
  type SealedSettings,
  WEBHOOK_OPTIONS,
  type WebhookOption,
} from '../../domain/webhooks/webhook-settings.ts';
import type { Logger } from '../../lib/log.ts';
import type { StoredDelivery } from '../../storage/records.ts';
import { type AttemptRecord, openAttempt, openSettings } from '../../vault/open-webhook.ts';
import type { Vault } from '../../vault/vault.ts';
import { openOrLog } from '../submissions/read-submission.ts';

/** Settings of a webhook for pages: without secret options, of the URL only the host, of headers only the names. */
export type ShownSettings = Pick<SealedSettings, WebhookOption> &
  Readonly<{
    host: string;
    headerNames: readonly string[];
    /** Address of the Google service account. */
    account: string | null;
  }>;

/** Returns the settings of a webhook for pages. Returns null and logs if the record is damaged. */
export function readSettings(vault: Vault, log: Logger, webhook: Webhook): ShownSettings | null {
  const settings = openOrLog(log, 'could not read the settings of a webhook', { webhook: webhook.id }, () =>
    openSettings(vault, webhook),
  );
  if (settings === null) return null;
  const { url, headers, credentials } = settings;
  return {
    ...Object.fromEntries(WEBHOOK_OPTIONS.map((name) => [name, isSecret(name) ? undefined : settings[name]])),
    host: webhook.kind === 'sheets' ? '' : new URL(url).host,
    headerNames: headers.map(([name]) => name),
    account: credentials === undefined ? null : String(JSON.parse(credentials).client_email),
  };
}

/** Returns the last attempt of a delivery: why it failed and the beginning of the answer; null without one. */
export function readAttempt(vault: Vault, { id, reason }: StoredDelivery): AttemptRecord | null {
  return openAttempt(vault, id, reason);
}

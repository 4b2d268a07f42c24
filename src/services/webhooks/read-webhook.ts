import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Logger } from '../../lib/log.ts';
import { getKind, isSecret, OPTIONS, WEBHOOK_OPTIONS, type WebhookOption } from '../../outbox/targets/index.ts';
import type { StoredDelivery } from '../../storage/records.ts';
import { type AttemptRecord, openAttempt, openSettings } from '../../vault/open-webhook.ts';
import type { Vault } from '../../vault/vault.ts';
import { openOrLog } from '../submissions/read-submission.ts';

/**
 * Settings of a webhook for pages: without secret options, of the URL only the host, of headers only the names.
 * `summaries` has what people may see of secrets.
 */
export type ShownSettings = Readonly<Partial<Record<WebhookOption, unknown>>> &
  Readonly<{
    host: string;
    headerNames: readonly string[];
    summaries: Readonly<Partial<Record<WebhookOption, string>>>;
  }>;

/** Returns the settings of a webhook for pages. Returns null and logs if the record is damaged. */
export function readSettings(vault: Vault, log: Logger, webhook: Webhook): ShownSettings | null {
  const settings = openOrLog(log, 'could not read the settings of a webhook', { webhook: webhook.id }, () =>
    openSettings(vault, webhook),
  );
  if (settings === null) return null;
  const { url, headers } = settings;
  const summaries = WEBHOOK_OPTIONS.filter((name) => settings[name] !== undefined).map((name) => [
    name,
    OPTIONS[name].summary?.read(String(settings[name])),
  ]);
  return {
    ...Object.fromEntries(WEBHOOK_OPTIONS.map((name) => [name, isSecret(name) ? undefined : settings[name]])),
    host: getKind(webhook.kind).fixedUrl ? '' : new URL(url).host,
    headerNames: headers.map(([name]) => name),
    summaries: Object.fromEntries(summaries),
  };
}

/** Returns the last attempt of a delivery: why it failed and the beginning of the answer; null without one. */
export function readAttempt(vault: Vault, { id, reason }: StoredDelivery): AttemptRecord | null {
  return openAttempt(vault, id, reason);
}

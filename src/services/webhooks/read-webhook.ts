import { getKind, isSecret, OPTIONS, WEBHOOK_OPTIONS, type WebhookOption } from '../../delivery/targets/index.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Logger } from '../../lib/log.ts';
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
    name: string;
    host: string;
    /** The name, or the host with the end of a long path, which tells two hooks of a chat apart. */
    label: string;
    headerNames: readonly string[];
    summaries: Readonly<Partial<Record<WebhookOption, string>>>;
  }>;

/** Characters at the end of a path that people may see, if the path, which may be a secret, is long. */
const PATH_END = 4;
const MIN_PATH = 20;

/** Returns the settings of a webhook for pages. Returns null and logs if the record is damaged. */
export function readSettings(vault: Vault, log: Logger, webhook: Webhook): ShownSettings | null {
  const settings = openOrLog(log, 'could not read the settings of a webhook', { webhook: webhook.id }, () =>
    openSettings(vault, webhook),
  );
  if (settings === null) return null;
  const { name = '', url, headers } = settings;
  const { host, pathname } = new URL(url);
  const shownHost = getKind(webhook.kind).fixedUrl ? '' : host;
  const end = pathname.length >= MIN_PATH ? ` …${pathname.slice(-PATH_END)}` : '';
  const summaries = WEBHOOK_OPTIONS.filter((name) => settings[name] !== undefined).map((name) => [
    name,
    OPTIONS[name].summary?.read(String(settings[name])),
  ]);
  return {
    ...Object.fromEntries(WEBHOOK_OPTIONS.map((name) => [name, isSecret(name) ? undefined : settings[name]])),
    name,
    host: shownHost,
    label: name || (shownHost && shownHost + end),
    headerNames: headers.map(([name]) => name),
    summaries: Object.fromEntries(summaries),
  };
}

/** Returns the name of a webhook, or its kind and address. */
export function webhookTitle(kind: string, settings: ShownSettings | null, language: 'en' | 'de'): string {
  return settings?.name || [getKind(kind).name[language], settings?.label].filter(Boolean).join(' · ');
}

/** Returns the last attempt of a delivery: why it failed and the beginning of the answer; null without one. */
export function readAttempt(vault: Vault, { id, reason }: StoredDelivery): AttemptRecord | null {
  return openAttempt(vault, id, reason);
}

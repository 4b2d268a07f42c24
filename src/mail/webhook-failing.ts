import type { Form } from '../domain/forms/form.ts';
import { isFailing, type Webhook } from '../domain/webhooks/webhook.ts';
import { toSingleLine } from '../lib/one-line.ts';
import type { Store } from '../storage/store.ts';
import { openOr } from '../vault/open-submission.ts';
import { openAttempt, openSettings } from '../vault/open-webhook.ts';
import type { Vault } from '../vault/vault.ts';
import { dashboardUrl } from './dashboard-link.ts';
import { fittingRows, MAX_ROWS_BYTES, type Row } from './layout.tsx';
import type { MailLocale } from './locale.ts';
import { noReplyMail } from './no-reply.ts';
import { shortName } from './subject.ts';

type Deps = Readonly<{ store: Store; vault: Vault; baseUrl: string | null; locale: MailLocale }>;

const MAX_REASON_LENGTH = 500;
const MAX_COUNTED = 1_000;

/** Composes the mail about the webhooks of a form that are failing now. Returns null if none is. */
export async function webhookFailingMail(deps: Deps, form: Form) {
  const failing = (await deps.store.webhooks.list(form.id)).filter(isFailing);
  if (failing.length === 0) return null;
  const { language, texts, number } = deps.locale;
  const { webhookFailing: t } = texts;
  const url = dashboardUrl(deps.baseUrl, `forms/${form.id}/webhooks`);
  const rows = await Promise.all(failing.map((webhook) => webhookRow(deps, form, webhook)));
  return noReplyMail({
    language,
    title: t.title(failing.length, number(failing.length), shortName(form.name)),
    preview: t.remedy,
    rows: fittingRows(rows, MAX_ROWS_BYTES),
    actions: url === null ? [] : [{ text: t.page, url }],
    notes: [t.remedy, ...(url === null ? [t.command] : [])],
  });
}

async function webhookRow({ store, vault, locale }: Deps, { timeZone }: Form, webhook: Webhook): Promise<Row> {
  const { texts, number, time } = locale;
  const { webhookFailing: t, summary } = texts;
  const settings = openOr(() => openSettings(vault, webhook), null);
  const { waiting, lastFailed } = await store.deliveries.readBacklog(webhook.id, MAX_COUNTED);
  const reason = lastFailed && openAttempt(vault, lastFailed.id, lastFailed.reason)?.reason;
  const count = waiting < MAX_COUNTED ? number(waiting) : summary.orMore(number(MAX_COUNTED));
  const lines = [
    ...(webhook.failingSince === null ? [] : [t.since(time(webhook.failingSince, timeZone))]),
    ...(reason ? [t.reason(toSingleLine(reason, MAX_REASON_LENGTH))] : []),
    t.waiting(waiting, count),
    webhook.disabledReason === null ? t.retried : t.disabled,
  ];
  return { name: settings === null ? webhook.id : settings.name || new URL(settings.url).host, text: lines.join('\n') };
}

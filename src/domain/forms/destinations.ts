import type { Payload } from '../submissions/submission.ts';
import type { WebhookRoute } from '../webhooks/webhook.ts';
import { FoldedFields, meetsAll } from './condition.ts';
import type { Form } from './form.ts';

/** The mail recipients and webhooks that get a submission. */
export type Destinations = Readonly<{
  recipients: readonly string[];
  webhooks: readonly WebhookRoute[];
  /** True if the submission meets the conditions of no recipient and no webhook. */
  isFallback: boolean;
}>;

/**
 * Decides who gets a submission: the recipients and the webhooks of `submission.created` whose conditions it meets. If
 * there are none, all recipients get it, or without recipients all these webhooks, if there are several: the conditions of
 * the only destination are a plain filter. Spam goes only to webhooks that
 * include it. Recipients count only if `hasMail`, that is, if a mail server is configured.
 */
export function getDestinations(
  { notify, notifyWhen, webhookRoutes }: Pick<Form, 'notify' | 'notifyWhen' | 'webhookRoutes'>,
  payload: Payload,
  { isSpam, hasMail }: Readonly<{ isSpam: boolean; hasMail: boolean }>,
): Destinations {
  const all = {
    recipients: hasMail ? notify : [],
    webhooks: webhookRoutes.filter(({ events }) => events.includes('submission.created')),
  };
  const fields = new FoldedFields(payload);
  const met = {
    recipients: all.recipients.filter((address) => meetsAll(notifyWhen[address] ?? [], fields)),
    webhooks: all.webhooks.filter(({ when }) => meetsAll(when, fields)),
  };
  const count = (routes: typeof all) => routes.recipients.length + routes.webhooks.length;
  const hasFallback = all.recipients.length > 0 || all.webhooks.length > 1;
  const isFallback = count(met) === 0 && hasFallback;
  const fallback = all.recipients.length > 0 ? { ...all, webhooks: [] } : all;
  const { recipients, webhooks } = isFallback ? fallback : met;
  return {
    recipients: isSpam ? [] : recipients,
    webhooks: webhooks.filter(({ includeSpam }) => includeSpam || !isSpam),
    isFallback,
  };
}

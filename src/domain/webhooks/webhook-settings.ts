import { Type } from '@sinclair/typebox';
import { oneOf } from '../../lib/schema.ts';
import { Condition, MAX_CONDITIONS, type When } from '../forms/condition.ts';
import * as rules from './webhook.ts';

/** The settings of webhooks, without the options of their kinds. All kinds take `name`, `includeSpam`, `when` and `isActive`. */
export const COMMON_SETTINGS = {
  name: Type.String({
    maxLength: rules.MAX_WEBHOOK_NAME,
    default: '',
    description: 'Name in lists, alerts and mails; without one, the host of the URL is shown.',
  }),
  url: Type.String({
    writeOnly: true,
    description: 'Https address for deliveries; all kinds but sheets need one; only its host is shown again.',
  }),
  events: Type.Unsafe<readonly rules.WebhookEvent[]>(
    Type.Array(oneOf(rules.WEBHOOK_EVENTS), {
      minItems: 1,
      maxItems: rules.WEBHOOK_EVENTS.length,
      default: ['submission.created'],
      description: 'Events that are delivered.',
    }),
  ),
  body: oneOf(rules.BODY_STYLES, {
    default: 'full',
    description: '"full" sends all fields, "thin" only the ID and time of a submission.',
  }),
  includeSpam: Type.Boolean({ default: false, description: 'Also send submissions flagged as spam.' }),
  when: Type.Unsafe<When>(
    Type.Array(Condition, {
      maxItems: MAX_CONDITIONS,
      description: 'Conditions that a submission must all meet; an empty list means always.',
    }),
  ),
  isActive: Type.Boolean({ default: true, description: 'Send deliveries; while false they stay queued.' }),
  headers: Type.Unsafe<readonly string[]>(
    Type.Array(Type.String(), {
      writeOnly: true,
      maxItems: rules.MAX_HEADERS,
      description: 'Headers of your own, such as "X-Token: abc"; only their names are shown again.',
    }),
  ),
};

export type CommonSetting = keyof typeof COMMON_SETTINGS;

/** The sealed part of a webhook: settings that are secret or may contain secrets, with the options of its kind. */
export type SealedSettings = Readonly<{
  name?: string;
  url: string;
  secrets: readonly rules.SigningSecret[];
  headers: rules.WebhookHeaders;
}> &
  Readonly<Record<string, unknown>>;

import { createHmac } from 'node:crypto';
import type { SigningSecret } from '../../domain/webhooks/webhook.ts';
import type { SealedSettings } from '../../domain/webhooks/webhook-settings.ts';
import { type Micros, SECOND } from '../../lib/clock.ts';
import type { TargetRequest } from '../targets/target.ts';

/** Returns the signed request of a standard webhook (Standard Webhooks 1.0). `id` is the same on every attempt. */
export function standardRequest(
  { url, secrets, headers }: SealedSettings,
  id: string,
  body: string,
  now: Micros,
): TargetRequest {
  const timestamp = String(Math.floor(now / SECOND));
  const signatures = activeSecrets(secrets, now).map(({ secret }) => sign(secret, `${id}.${timestamp}.${body}`));
  return {
    url,
    body,
    headers: {
      ...Object.fromEntries(headers),
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
  };
}

/** Returns the secrets that sign at this time: the current one, and after a rotation the earlier one for a day. */
function activeSecrets(secrets: readonly SigningSecret[], now: Micros): readonly SigningSecret[] {
  return secrets.filter(({ until }) => until === null || until > now);
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

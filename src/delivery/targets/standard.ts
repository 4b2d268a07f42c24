import { createHmac } from 'node:crypto';
import type { SigningSecret } from '../../domain/webhooks/webhook.ts';
import { type Micros, SECOND } from '../../lib/clock.ts';
import { type Kind, post } from './kind.ts';

/** A webhook by Standard Webhooks 1.0. Its id is the same on every attempt. */
export const standard: Kind<Record<never, never>> = {
  name: { en: 'Webhook', de: 'Webhook' },
  icon: {
    path: 'M7.5 20a4 4 0 0 1-2-7.5M9 16h7m3.5-3.5A4 4 0 1 1 17 20M12 4a4 4 0 0 1 3.5 6M12 4a4 4 0 0 0-3 6.5L6.5 15',
    hue: 'green',
  },
  hint: {
    en: 'Sends signed JSON (Standard Webhooks) to your server, n8n, Zapier or Make.',
    de: 'Sendet signiertes JSON (Standard Webhooks) an Ihren Server, n8n, Zapier oder Make.',
  },
  urlHint: {
    en: 'Address that events are posted to, such as https://hooks.example.com/forms.',
    de: 'Adresse, an die Ereignisse gesendet werden, zum Beispiel https://hooks.example.com/forms.',
  },
  takes: ['url', 'events', 'body', 'headers'],
  isSigned: true,
  prepare({ url, secrets, headers }, { id, now, toJson }) {
    const body = toJson();
    const timestamp = String(Math.floor(now / SECOND));
    const signatures = activeSecrets(secrets, now).map(({ secret }) => sign(secret, `${id}.${timestamp}.${body}`));
    return post({
      url,
      body,
      headers: {
        ...Object.fromEntries(headers),
        'Content-Type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
      },
    });
  },
};

/** Returns the secrets that sign at this time: the current one, and after a rotation the earlier one for a day. */
function activeSecrets(secrets: readonly SigningSecret[], now: Micros): readonly SigningSecret[] {
  return secrets.filter(({ until }) => until === null || until > now);
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

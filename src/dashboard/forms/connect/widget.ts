import { attribute } from './escape.ts';
import type { ConnectedForm, Widget } from './snippet-types.ts';

/** Returns the widget of the form's challenge. */
export function getWidget({ challenge, challengeVerifyUrl }: ConnectedForm, origin: string, id: string): Widget | null {
  const hosted = (className: string, script: string): Widget => ({
    element: `<div class="${className}" data-sitekey="YOUR_SITE_KEY"></div>`,
    jsx: `<div className="${className}" data-sitekey="YOUR_SITE_KEY" />`,
    script: `<script src="${script}" async defer></script>`,
  });
  const component = (element: string, script: string): Widget => ({
    element,
    jsx: element,
    script: `<script src="${script}" type="module"></script>`,
  });
  switch (challenge) {
    case null:
      return null;
    case 'altcha': {
      const address = `${origin}/v1/forms/${id}/challenge`;
      return component(`<altcha-widget auto="onsubmit" challenge="${address}"></altcha-widget>`, `${origin}/altcha.js`);
    }
    case 'turnstile':
      return hosted('cf-turnstile', 'https://challenges.cloudflare.com/turnstile/v0/api.js');
    case 'hcaptcha':
      return hosted('h-captcha', 'https://js.hcaptcha.com/1/api.js');
    case 'recaptcha':
      return hosted('g-recaptcha', 'https://www.google.com/recaptcha/api.js');
    case 'cap': {
      const endpoint = attribute((challengeVerifyUrl ?? '').replace(/siteverify\/?$/, ''));
      return component(
        `<cap-widget data-cap-api-endpoint=${endpoint}></cap-widget>`,
        'https://cdn.jsdelivr.net/npm/cap-widget',
      );
    }
    case 'custom':
      return {
        element: '<input type="hidden" name="captcha-response">',
        jsx: '<input type="hidden" name="captcha-response" />',
        script: '<!-- The script of your service -->',
      };
  }
}

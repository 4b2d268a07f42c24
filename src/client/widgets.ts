import { call } from './elements.ts';
import type { Answer } from './post.ts';

type Widget = Element & { reset: (widget?: unknown) => void };
/** The vendors' scripts. Each is missing unless the page has loaded it. */
declare const turnstile: Widget;
declare const hcaptcha: Widget;
declare const grecaptcha: Widget;

/** Finds the widgets of each vendor, and resets one. reCAPTCHA numbers its widgets in the order of the page. */
const WIDGETS: Readonly<Record<string, (widget: Widget) => void>> = {
  'altcha-widget': (widget) => widget.reset(),
  '.cf-turnstile': (widget) => turnstile.reset(widget),
  '[data-hcaptcha-widget-id]': (frame) => hcaptcha.reset(frame.getAttribute('data-hcaptcha-widget-id')),
  '.g-recaptcha': (widget) => grecaptcha.reset([...document.querySelectorAll('.g-recaptcha')].indexOf(widget)),
};

/**
 * Resets the challenge widgets of a form after an answer that used the token, which is valid once. Otherwise they keep
 * showing the solution as valid.
 */
export const resetWidgets = (form: HTMLFormElement, { success, code }: Answer): void => {
  if (!success && code !== 'challenge_failed') return;
  for (const selector in WIDGETS) {
    for (const widget of call(form, 'querySelectorAll', selector)) {
      // An error of a widget must not turn a stored submission into a failure.
      try {
        WIDGETS[selector]?.(widget as Widget);
      } catch {}
    }
  }
};

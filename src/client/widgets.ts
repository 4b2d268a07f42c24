type Widget = { reset?: (widget?: unknown) => void };

/**
 * Resets the challenge widgets of a form, since a token is valid once. Otherwise they keep showing a used solution as
 * valid.
 */
export function resetWidgets(form: HTMLFormElement): void {
  const { turnstile, hcaptcha, grecaptcha } = globalThis as {
    [name in 'turnstile' | 'hcaptcha' | 'grecaptcha']?: Widget;
  };
  const all = (selector: string) => [...Element.prototype.querySelectorAll.call(form, selector)];
  for (const widget of all('altcha-widget')) (widget as Widget).reset?.();
  for (const widget of all('.cf-turnstile')) turnstile?.reset?.(widget);
  for (const frame of all('[data-hcaptcha-widget-id]'))
    hcaptcha?.reset?.(frame.getAttribute('data-hcaptcha-widget-id'));
  // Widgets are numbered in the order of the page.
  const numbered = [...document.querySelectorAll('.g-recaptcha')];
  for (const widget of all('.g-recaptcha')) grecaptcha?.reset?.(numbered.indexOf(widget));
}

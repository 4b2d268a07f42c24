import type { Form } from '../domain/forms/form.ts';
import { logoPath } from '../domain/forms/form-logo.ts';
import type { Store } from '../storage/store.ts';

/** The branding of visitor pages. */
export type Look = Readonly<{
  /** The public name of the form. Its internal name is never shown. */
  name: string | null;
  /** The sender's name in the form's mails. */
  sender: string | null;
  /** Path of the logo. */
  logo: string | null;
  accentColor: string | null;
  /** Sources of the Content-Security-Policy that may embed the page; empty for none. */
  framedBy: readonly string[];
}>;

/** The look of pages without a form. */
export const PLAIN: Look = { name: null, sender: null, logo: null, accentColor: null, framedBy: [] };

/** Returns the look of a form's pages. Pages of a hosted form may be embedded by its allowed origins. */
export async function getLook(store: Store, form: Form, isHosted: boolean): Promise<Look> {
  // A page without its logo is better than an error about a stored submission.
  const logo = await store.forms.findLogo(form.id).catch(() => null);
  const { allowedOrigins } = form;
  return {
    name: form.publicName,
    sender: form.senderName,
    logo: logoPath(form, logo),
    accentColor: form.accentColor,
    framedBy: isHosted ? (allowedOrigins.length === 0 ? ['*'] : ["'self'", ...allowedOrigins]) : [],
  };
}

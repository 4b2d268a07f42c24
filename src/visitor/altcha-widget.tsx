/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { AppError } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import { asksForProof } from '../intake/challenge/challenge.ts';

/** Loads the widget. */
export const ALTCHA_SCRIPT = <script type="module" src="/altcha.js" />;

/** The address of a form's challenges. */
export function challengePath({ shortId }: Pick<Form, 'shortId'>): string {
  return `/v1/forms/${shortId}/challenge`;
}

/** The ALTCHA widget, which solves a challenge of the form when it is submitted. */
export function AltchaWidget({ form }: Readonly<{ form: Form }>) {
  return raw(`<altcha-widget auto="onsubmit" challenge="${challengePath(form)}"></altcha-widget>`);
}

/** Returns whether a post that may be spam was refused because it needs a proof of work. */
export function isProofMissing(form: Form, { code }: AppError): boolean {
  return asksForProof(form) && (code === 'challenge_missing' || code === 'challenge_failed');
}

/** Returns what a page with a form needs of the Content-Security-Policy: the post, its redirect, and the widget. */
export function formDirectives({ redirectUrl }: Form, isAltcha: boolean): Record<string, string> {
  const redirect = redirectUrl === null ? '' : ` ${new URL(redirectUrl).origin}`;
  return {
    'form-action': `'self'${redirect}`,
    // The widget adds a style element and computes in a worker.
    ...(isAltcha && {
      'style-src': "'unsafe-inline'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'worker-src': 'blob:',
    }),
  };
}

/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import type { AppError } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import type { Payload } from '../domain/submissions/submission.ts';
import { asksForProof } from '../intake/challenge/challenge.ts';
import { nextPage } from '../intake/control-fields.ts';

/** Loads the widget, where browsers can, before the page is shown: a form that is sent without it has no solution. */
export const ALTCHA_SCRIPT = <script type="module" src="/altcha.js" blocking="render" />;

/** The address of a form's challenges. */
export const challengePath = ({ shortId }: Pick<Form, 'shortId'>): string => `/v1/forms/${shortId}/challenge`;

/** The ALTCHA widget, which solves a challenge of the form when it is submitted. */
export function AltchaWidget({ form }: Readonly<{ form: Form }>) {
  return raw(`<altcha-widget auto="onsubmit" challenge="${challengePath(form)}"></altcha-widget>`);
}

/** Returns whether a post that may be spam was refused because it needs a proof of work. */
export function isProofMissing(form: Form, { code }: AppError): boolean {
  return asksForProof(form) && (code === 'challenge_missing' || code === 'challenge_failed');
}

/** Returns what a page with a form needs of the Content-Security-Policy: the post, its redirect, and the widget. */
export function formDirectives(form: Form, isAltcha: boolean, sent: Payload = []): Record<string, string> {
  const pages = [form.redirectUrl, nextPage(form, sent)].filter((url) => url !== null);
  return {
    'form-action': ["'self'", ...pages.map((url) => new URL(url).origin)].join(' '),
    // The widget adds a style element and computes in a worker.
    ...(isAltcha && {
      'style-src': "'unsafe-inline'",
      'script-src': "'self'",
      'connect-src': "'self'",
      'worker-src': 'blob:',
    }),
  };
}

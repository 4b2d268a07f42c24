import type { Form } from './form.ts';

/**
 * Returns what keeps a form from having a hosted page: it is off, there are no fields to show, or a challenge needs the site
 * key of a service. Null if it has one.
 */
export function hostedPageProblem({ hasHostedPage, fields, challenge }: Form): 'off' | 'fields' | 'challenge' | null {
  if (!hasHostedPage) return 'off';
  if (fields.length === 0) return 'fields';
  return challenge === null || challenge === 'altcha' ? null : 'challenge';
}

export const hostedPagePath = ({ shortId }: Pick<Form, 'shortId'>): string => `/f/${shortId}`;

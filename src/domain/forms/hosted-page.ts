import type { Form } from './form.ts';

/** Obstacle to a hosted page: turned off, no fields to show, or a challenge that needs the site key of a service. */
export type HostedPageProblem = 'off' | 'fields' | 'challenge';

/** Returns what keeps a form from having a hosted page, null if it has one. */
export function hostedPageProblem(
  form: Pick<Form, 'hasHostedPage' | 'fields' | 'challenge'>,
): HostedPageProblem | null {
  if (!form.hasHostedPage) return 'off';
  if (form.fields.length === 0) return 'fields';
  return form.challenge === null || form.challenge === 'altcha' ? null : 'challenge';
}

export const hostedPagePath = ({ shortId }: Pick<Form, 'shortId'>): string => `/f/${shortId}`;

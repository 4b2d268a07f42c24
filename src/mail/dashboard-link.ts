/** Returns the dashboard URL of a submission, or null if `BASE_URL` is not set. */
export function submissionUrl(baseUrl: string | null, id: string): string | null {
  return baseUrl && `${baseUrl}/dashboard/submissions/${id}`;
}

/** Returns the dashboard URL of a form's submissions, or null if `BASE_URL` is not set. */
export function formUrl(baseUrl: string | null, id: string): string | null {
  return baseUrl && `${baseUrl}/dashboard/forms/${id}`;
}

/** Returns the dashboard URL of the current team's usage, or null if `BASE_URL` is not set. */
export function usageUrl(baseUrl: string | null): string | null {
  return baseUrl && `${baseUrl}/dashboard/usage`;
}

/** Returns the dashboard URL of a form's webhooks, or null if `BASE_URL` is not set. */
export function webhooksUrl(baseUrl: string | null, formId: string): string | null {
  return baseUrl && `${baseUrl}/dashboard/forms/${formId}/webhooks`;
}

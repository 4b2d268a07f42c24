/** Stands for the unsubscribe URL of each recipient in a content that several share. Senders can't guess it. */
export const UNSUBSCRIBE_URL = `https://unsubscribe.invalid/${crypto.randomUUID()}`;

/** Returns the URL of a page of the dashboard, or null if `BASE_URL` is not set. */
export function dashboardUrl(baseUrl: string | null, page: string): string | null {
  return baseUrl && `${baseUrl}/dashboard/${page}`;
}

/** Returns the dashboard URL of a submission, or null if `BASE_URL` is not set. */
export function submissionUrl(baseUrl: string | null, id: string): string | null {
  return dashboardUrl(baseUrl, `submissions/${id}`);
}

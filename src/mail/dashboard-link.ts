/** Where the dashboard shows a submission; null where no one knows under which address this instance is reached. */
export function submissionUrl(baseUrl: string | null, id: string): string | null {
  return baseUrl && `${baseUrl}/dashboard/submissions/${id}`;
}

/** Where the dashboard lists what came to a form; null as above. */
export function formUrl(baseUrl: string | null, id: string): string | null {
  return baseUrl && `${baseUrl}/dashboard/forms/${id}`;
}

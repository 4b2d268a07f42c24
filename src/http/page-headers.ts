/** Returns the headers of a page that applies `style`, loads nothing, runs no script and can't be framed. */
export function pageHeaders(style: string): Readonly<Record<string, string>> {
  const hash = new Bun.CryptoHasher('sha256').update(style).digest('base64');
  const sources = `default-src 'none'; style-src 'sha256-${hash}'`;
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `${sources}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

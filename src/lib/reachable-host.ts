/** Returns the URL host of a server that listens on `host`; wildcard addresses become `localhost`. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

/** The host to put into an address, for a server that listens on this one: no connection can be made to "all of them". */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

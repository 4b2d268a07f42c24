import { isIP } from 'node:net';
import { containsAddress, isNetwork, parseNetworks } from './networks.ts';

/** The proxies for URLs of http and https, null for none, and what is asked without them. */
export type Proxies = Readonly<{ http: string | null; https: string | null; noProxy: readonly string[] }>;

/** What the environment says of proxies, as the runtime reads it. */
export function readProxies(env: Readonly<Record<string, string | undefined>>): Proxies {
  const first = (...matchesHost: string[]) =>
    matchesHost.map((name) => env[name]).find((text) => text && !/^["']+$/.test(text));
  const proxy = (scheme: string) => {
    const text = first(`${scheme}_proxy`, `${scheme}_proxy`.toUpperCase(), 'all_proxy', 'ALL_PROXY') ?? null;
    return text === null || text.includes('://') ? text : `http://${text}`;
  };
  const noProxy = first('no_proxy', 'NO_PROXY') ?? '';
  return Object.freeze({
    http: proxy('http'),
    https: proxy('https'),
    noProxy: noProxy
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((item) => item !== ''),
  });
}

/**
 * The proxy for a URL, null where none is to be asked. The runtime looks at NO_PROXY too, whatever proxy it is given: whatever
 * goes without one there must do so here.
 */
export function proxyFor({ http, https, noProxy }: Proxies, url: URL): string | null {
  const isSecure = url.protocol === 'https:';
  const host = bareHost(url.hostname);
  const port = url.port || (isSecure ? '443' : '80');
  return noProxy.some((item) => matchesHost(item, host, port)) ? null : isSecure ? https : http;
}

/** Whether this names the host: `*`, a name that it is or lies below, its address or network; any of them at a port alone. */
function matchesHost(item: string, host: string, port: string): boolean {
  const [, text = '', portOnly = port] = isNetwork(item) ? [item, item] : (/^(.*?)(?::(\d+))?$/.exec(item) ?? []);
  if (portOnly !== port) return false;
  const name = bareHost(text);
  if (!isIP(host)) return name === '*' || host === name || host.endsWith(`.${name}`);
  if (!isNetwork(name)) return name === '*';
  const all = parseNetworks([name]);
  return containsAddress(all, host) || (isIP(host) === 4 && containsAddress(all, `::ffff:${host}`));
}

/** Without the brackets of an address, and dots and a star around a name. */
function bareHost(name: string): string {
  return name.replace(/^\[(.*)\]$/, '$1').replace(/^\*?\.+|\.+$/g, '');
}

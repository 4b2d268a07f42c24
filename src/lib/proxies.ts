import { isIP } from 'node:net';
import { containsAddress, isNetwork, parseNetworks } from './networks.ts';

/** Forward proxies for http and https URLs, null for none, and the hosts that bypass them. */
export type Proxies = Readonly<{ http: string | null; https: string | null; noProxy: readonly string[] }>;

/** Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` in either letter case, as the runtime does. */
export function readProxies(env: Readonly<Record<string, string | undefined>>): Proxies {
  const first = (...names: string[]) => names.map((name) => env[name]).find((text) => text && !/^["']+$/.test(text));
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
 * Returns the proxy for a URL, or null for a direct connection. The runtime applies NO_PROXY even to an explicit proxy,
 * so every host that it connects to directly must get null here.
 */
export function proxyFor({ http, https, noProxy }: Proxies, url: URL): string | null {
  const isSecure = url.protocol === 'https:';
  const host = bareHost(url.hostname);
  const port = url.port || (isSecure ? '443' : '80');
  return noProxy.some((item) => matchesHost(item, host, port)) ? null : isSecure ? https : http;
}

/** Reports whether a NO_PROXY item (`*`, domain, address or network, possibly with a port) covers a host and port. */
function matchesHost(item: string, host: string, port: string): boolean {
  const [, text = '', itemPort = port] = isNetwork(item) ? [item, item] : (/^(.*?)(?::(\d+))?$/.exec(item) ?? []);
  if (itemPort !== port) return false;
  const name = bareHost(text);
  if (!isIP(host)) return name === '*' || host === name || host.endsWith(`.${name}`);
  if (!isNetwork(name)) return name === '*';
  const network = parseNetworks([name]);
  return containsAddress(network, host) || (isIP(host) === 4 && containsAddress(network, `::ffff:${host}`));
}

/** Strips the brackets of an IPv6 address, and leading `*.` and surrounding dots of a name. */
const bareHost = (name: string): string => name.replace(/^\[(.*)\]$/, '$1').replace(/^\*?\.+|\.+$/g, '');

/** The host of the recipes in the manual. */
export const HOST = 'forms.example.com';
export const BASE_URL = `https://${HOST}`;

/** Ports of a proxy on this machine, which stand in for 443 and 80. */
export type ProxyPorts = Readonly<{ https: number; http: number }>;

export type Answer = Readonly<{ status: number; headers: Record<string, string[]>; body: string }>;

/** Sends a request to the public address through a proxy, as a browser would. `path` may be a whole http address. */
export async function curl({ https, http }: ProxyPorts, path: string, ...options: string[]): Promise<Answer> {
  const url = path.startsWith('http:') ? path : BASE_URL + path;
  const child = Bun.spawn(
    [
      ...['curl', '--silent', '--insecure', '--connect-to', `${HOST}:443:127.0.0.1:${https}`],
      ...['--connect-to', `${HOST}:80:127.0.0.1:${http}`, '--header', 'Expect:'],
      ...['--write-out', '\n%{http_code}\n%{header_json}', ...options, url],
    ],
    { stdout: 'pipe', stderr: 'ignore' },
  );
  const output = await child.stdout.text();
  await child.exited;
  const [, body = '', status = '', headers = '{}'] = /^(.*)\n(\d{3})\n(.*)$/s.exec(output) ?? [];
  return { status: Number(status), headers: JSON.parse(headers), body };
}

/** Returns the global options of a Caddy that runs beside others, with its files in `folder`. */
export const caddyOptions = (folder: string, { https, http }: ProxyPorts): string => `
  {
    admin off
    storage file_system ${folder}/caddy
    default_bind 127.0.0.1
    http_port ${http}
    https_port ${https}
    local_certs
    skip_install_trust
  }
`;

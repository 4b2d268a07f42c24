import type { Config } from './config.ts';
import type { LoadedEnvironment } from './environment.ts';
import { SETTINGS, type Setting } from './settings.ts';

/** A setting in effect. `source` is `default`, `environment` or the path of the settings file. */
export type SettingRow = Readonly<{ name: string; value: string | number | null; source: string }>;

const HIDDEN = '(hidden)';

/** Secrets whose host is shown. */
const URLS = new Set(['SMTP_URL', 'DATABASE_URL']);
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap((name) => [name, name.toLowerCase()]);

/** Lists all settings in the order of the manual. Secrets are hidden, also inside URLs. */
export function listSettings({ env, sources }: LoadedEnvironment, config: Config): SettingRow[] {
  const row = (name: string, value: SettingRow['value']): SettingRow => {
    return { name, value, source: env[name] ? (sources[name] ?? 'environment') : 'default' };
  };
  const own = Object.entries<Setting<unknown>>(SETTINGS).map(([key, { name, secret }]) => {
    if (!secret) return row(name, asVariable(config[key as keyof Config], env[name]));
    const fileName = `${name}_FILE`;
    if (env[fileName]) return row(fileName, env[fileName]);
    const text = env[name];
    return row(name, text ? (URLS.has(name) ? hideCredentials(text) : HIDDEN) : null);
  });
  const toProxy = (name: string) => row(name, hideCredentials(env[name] ?? ''));
  const proxies = PROXY_VARIABLES.filter((name) => env[name]).map(toProxy);
  const noProxy = ['NO_PROXY', 'no_proxy'].filter((name) => env[name]).map((name) => row(name, env[name] ?? null));
  return [...own, ...proxies, ...noProxy];
}

/** Returns a value as its variable takes it: lists and `PLANS` as text, null if empty, and booleans as yes or no. */
function asVariable(value: Config[keyof Config], text: string | undefined): string | number | null {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(',') || null;
  return typeof value === 'object' ? text || null : value;
}

/** Hides user, password, path and query of a URL, and all of any other text. */
function hideCredentials(text: string): string {
  const url = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(url)) return HIDDEN;
  const { protocol, host, username, password, pathname, search } = new URL(url);
  const user = username || password ? `${HIDDEN}@` : '';
  const rest = pathname.length > 1 || search ? `/${HIDDEN}` : '';
  return `${protocol}//${user}${host}${rest}`;
}

import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { databaseTls } from '../domain/instance/database-url.ts';
import { parseS3Location, type S3Location } from '../domain/instance/s3-location.ts';
import { parseSender } from '../domain/mail/email-address.ts';
import { BUILT_IN_PLANS, type Plans } from '../domain/teams/plan.ts';
import { ROLES, type Role } from '../domain/teams/roles.ts';
import { isLocalHost } from '../lib/local-host.ts';
import { isNetwork } from '../lib/networks.ts';
import { closed } from '../lib/schema.ts';
import { type MasterKeys, parseMasterKeys } from '../vault/key-ring.ts';

/** Makes the error for the part of the text that does not fit. */
type Refuse = (got: string) => Error;

/** Turns the text of a variable into its value, or throws the error of `refuse`. */
export type Parse<T> = (text: string, refuse: Refuse) => T;

export const plainText: Parse<string> = (text) => text;

export function wholeNumber(min: number, max: number): Parse<number> {
  return (text, refuse) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw refuse(text);
  };
}

export const yesOrNo: Parse<boolean> = (text, refuse) => {
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw refuse(text);
};

export function oneOf<T extends string>(values: readonly T[]): Parse<T> {
  return (text, refuse) => {
    const value = values.find((known) => known === text);
    if (value !== undefined) return value;
    throw refuse(text);
  };
}

function matching(pattern: RegExp): Parse<string> {
  return (text, refuse) => {
    if (pattern.test(text)) return text;
    throw refuse(text);
  };
}

/** Accepts an http or https URL without credentials, path, query and fragment, and drops its trailing slashes. */
export const baseUrl: Parse<string> = (text, refuse) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password) {
    if (/^\/+$/.test(url.pathname)) return url.origin;
  }
  throw refuse(text);
};

/** Accepts an https URL, or an http URL of this machine. A path and its trailing slash belong to an issuer. */
export const issuer: Parse<string> = (text, refuse) => {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocalHost(url));
  if (!url || !isSafe || url.search || url.hash || url.username || url.password) throw refuse(text);
  if (url.pathname.includes('/.well-known/')) throw refuse(text);
  return url.href;
};

/** Accepts an http or https URL without credentials. */
export const pageUrl: Parse<string> = (text, refuse) => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw refuse(text);
  return url.href;
};

export const scopes: Parse<string> = (text, refuse) => {
  const words = text.split(' ').filter(Boolean);
  if (!words.includes('openid') || !words.every((word) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word))) throw refuse(text);
  return words.join(' ');
};

/** A team and the role of people who join it without an invitation. */
export type TeamRole = Readonly<{ teamId: string; role: Role }>;

export const teamRole: Parse<TeamRole> = (text, refuse) => {
  const [, teamId, word] = /^(team_\w+):(\w+)$/.exec(text.trim()) ?? [];
  const role = ROLES.find((known) => known === word);
  if (teamId === undefined || role === undefined) throw refuse(text);
  return { teamId, role };
};

export const headerName = matching(/^[a-z][a-z0-9-]{0,99}$/i);

export const networkList: Parse<readonly string[]> = toList(isNetwork);

// A name that ends in a number is a mistyped address.
export const hostList: Parse<readonly string[]> = toList(
  (item) => isNetwork(item) || (/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/i.test(item) && !/(^|\.)\d+$/.test(item)),
);

const domains = toList((item) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(item));

export const domainList: Parse<readonly string[]> = (text, refuse) =>
  domains(text, refuse).map((domain) => domain.toLowerCase());

/** Splits at commas and drops empty items; the error names the first item that does not fit. */
function toList(isFine: (item: string) => boolean): Parse<readonly string[]> {
  return (text, refuse) => {
    const items = text.split(',').map((item) => item.trim());
    const wrong = items.find((item) => item && !isFine(item));
    if (wrong) throw refuse(wrong);
    return items.filter(Boolean);
  };
}

/** Accepts one address, alone or in angle brackets behind a name. White space alone counts as unset. */
export const sender: Parse<string | null> = (text, refuse) => {
  if (!text.trim()) return null;
  const from = parseSender(text);
  if (from === null) throw refuse(text);
  return from;
};

const PlanLimit = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);

const PlansJson = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_-]{0,31}$' }),
  closed({ api_access: Type.Boolean(), submissions_limit: PlanLimit, storage_bytes: Type.Optional(PlanLimit) }),
  { additionalProperties: false },
);

/** Adds the plans in a JSON object to the built-in ones, or replaces these. */
export const plans: Parse<Plans> = (text, refuse) => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(text);
  }
  if (!Value.Check(PlansJson, value)) throw refuse(text);
  return { ...BUILT_IN_PLANS, ...value };
};

export const encryptionKeys: Parse<MasterKeys> = (text, refuse) => {
  const keys = parseMasterKeys(text);
  if (keys) return keys;
  throw refuse(text);
};

export const metricsToken = matching(/^[\x21-\x7e]{16,256}$/);

/** Throws errors that name the part at fault and quote no secret. */
export const s3Url: Parse<S3Location> = (text) => parseS3Location(text);

/** Rejects characters that Bun's client leaves unencoded in a signed URL. */
export const s3AccessKeyId = matching(/^[\w.-]{1,256}$/);

export const printable = matching(/^[\x21-\x7e]+$/);

/** Rejects a path and an `@` in the query: both mean a password that was not percent-encoded. */
export const smtpUrl: Parse<string> = (text, refuse) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) throw refuse(text);
  const isPlain = /^\/?$/.test(url.pathname) && !url.hash && !url.search.includes('@') && !/[\s\p{Cc}]/u.test(text);
  if (isPlain && [url.username, url.password].every(isDecodable)) return text;
  throw refuse(text);
};

/** Requires a host, the name of a database, and for another machine the mode of encryption. */
export const postgresUrl: Parse<string> = (text, refuse) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || !url.hostname) throw refuse(text);
  const isPlain = /^\/[^/]+$/.test(url.pathname) && !url.hash && !/[\s\p{Cc}]/u.test(text);
  if (!isPlain || ![url.hostname, url.username, url.password].every(isDecodable)) throw refuse(text);
  databaseTls(text);
  return text;
};

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

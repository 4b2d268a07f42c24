import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { databaseTls } from '../domain/instance/database-url.ts';
import { parseS3Location, type S3Location } from '../domain/instance/s3-location.ts';
import { parseSender } from '../domain/mail/email-address.ts';
import { BUILT_IN_PLANS, type Plans } from '../domain/teams/plan.ts';
import { ROLES, type Role } from '../domain/teams/roles.ts';
import { jsonOrNull } from '../lib/json.ts';
import { isLocalHost } from '../lib/local-host.ts';
import { isNetwork } from '../lib/networks.ts';
import { closed } from '../lib/schema.ts';
import { type MasterKeys, parseMasterKeys } from '../vault/key-ring.ts';

/** Makes the error for the part of the text that does not fit. */
type Refuse = (got: string) => Error;

/** Turns the text of a variable into its value, or throws the error of `refuse`. */
export type Parse<T> = (text: string, refuse: Refuse) => T;

export const plainText: Parse<string> = (text) => text;

/** Returns a parser that refuses the texts for which `read` returns null. */
function accepting<T>(read: (text: string) => T | null): Parse<T> {
  return (text, refuse) => {
    const value = read(text);
    if (value !== null) return value;
    throw refuse(text);
  };
}

export const wholeNumber = (min: number, max: number) =>
  accepting((text) => (/^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null));

export const yesOrNo = accepting((text) => (text === 'yes' || text === 'no' ? text === 'yes' : null));

export const oneOf = <T extends string>(values: readonly T[]) =>
  accepting((text) => values.find((known) => known === text) ?? null);

const matching = (pattern: RegExp) => accepting((text) => (pattern.test(text) ? text : null));

/** Accepts an http or https URL without credentials, path, query and fragment, and drops its trailing slashes. */
export const baseUrl = accepting((text) => {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) return null;
  return /^\/+$/.test(url.pathname) ? url.origin : null;
});

/** Accepts an https URL, or an http URL of this machine. A path and its trailing slash belong to an issuer. */
export const issuer = accepting((text) => {
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocalHost(url));
  if (!url || !isSafe || url.search || url.hash || url.username || url.password) return null;
  return url.pathname.includes('/.well-known/') ? null : url.href;
});

/** Accepts an http or https URL without credentials. */
export const pageUrl = accepting((text) => {
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url.href : null;
});

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
export const plans = accepting<Plans>((text) => {
  const value = jsonOrNull(text);
  return Value.Check(PlansJson, value) ? { ...BUILT_IN_PLANS, ...value } : null;
});

export const encryptionKeys: Parse<MasterKeys> = accepting(parseMasterKeys);

export const metricsToken = matching(/^[\x21-\x7e]{16,256}$/);

/** Throws errors that name the part at fault and quote no secret. */
export const s3Url: Parse<S3Location> = (text) => parseS3Location(text);

/** Rejects characters that Bun's client leaves unencoded in a signed URL. */
export const s3AccessKeyId = matching(/^[\w.-]{1,256}$/);

export const printable = matching(/^[\x21-\x7e]+$/);

/** Rejects a path and an `@` in the query: both mean a password that was not percent-encoded. */
export const smtpUrl: Parse<string> = (text, refuse) => {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) throw refuse(text);
  const isPlain = /^\/?$/.test(url.pathname) && !url.hash && !url.search.includes('@') && !/[\s\p{Cc}]/u.test(text);
  if (isPlain && [url.username, url.password].every(isDecodable)) return text;
  throw refuse(text);
};

/** Requires a host, the name of a database, and for another machine the mode of encryption. */
export const postgresUrl: Parse<string> = (text, refuse) => {
  const url = URL.parse(text);
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

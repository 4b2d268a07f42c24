import { createPrivateKey, sign } from 'node:crypto';
import { HOUR, MINUTE, type Micros, SECOND } from '../../lib/clock.ts';
import { jsonObject } from '../../lib/json.ts';
import { refuseSetting, type Tokens } from './kind.ts';
import type { Send, TargetAnswer } from './target.ts';

/** A Google service account. */
export type ServiceAccount = Readonly<{ email: string; privateKey: string }>;

/** Fixed, because the address in a credentials file could lead anywhere. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/spreadsheets';
const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Parses the JSON key of a service account. Throws `invalid_input` for other files. */
export function parseServiceAccount(credentials: string): ServiceAccount {
  const { type, client_email: email, private_key: privateKey } = jsonObject(credentials);
  if (type === 'service_account' && typeof email === 'string' && isRsaKey(privateKey)) return { email, privateKey };
  throw refuseSetting('credentials', {
    api: 'The credentials are not the key of a Google service account. Create a key of type JSON and use that file.',
    en: 'This is not the JSON key of a service account. Create one in the Google Cloud console under “Keys”.',
    de: 'Das ist nicht der JSON-Schlüssel eines Dienstkontos. Legen Sie einen in der Google Cloud Console unter „Schlüssel“ an.',
  });
}

function isRsaKey(key: unknown): key is string {
  try {
    return typeof key === 'string' && createPrivateKey(key).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

/** Returns a token from `tokens`, or a new one once it is about to expire. Returns Google's answer if it refuses one. */
export async function getToken(
  send: Send,
  { email, privateKey }: ServiceAccount,
  tokens: Tokens,
  now: Micros,
): Promise<string | TargetAnswer> {
  for (const [key, { expiresAt }] of tokens) if (expiresAt <= now) tokens.delete(key);
  const cached = tokens.get(privateKey);
  if (cached) return cached.token;
  const body = new URLSearchParams({ grant_type: GRANT_TYPE, assertion: assertion(email, privateKey, now) });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const answer = await send({ url: TOKEN_URL, headers, body: body.toString() });
  const { access_token: token, expires_in: lifetime } = jsonObject(answer.body);
  if (answer.status !== 200 || typeof token !== 'string') return answer;
  const expiresAt = now + (typeof lifetime === 'number' ? lifetime * SECOND : HOUR) - 5 * MINUTE;
  tokens.set(privateKey, { token, expiresAt });
  return token;
}

/** Returns a signed JWT (RFC 7523) that Google exchanges for a token. */
function assertion(email: string, privateKey: string, now: Micros): string {
  const issuedAt = Math.floor(now / SECOND);
  const claims = { iss: email, scope: SCOPE, aud: TOKEN_URL, iat: issuedAt, exp: issuedAt + 3_600 };
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${encode({ alg: 'RS256', typ: 'JWT' })}.${encode(claims)}`;
  return `${unsigned}.${sign('sha256', Buffer.from(unsigned), privateKey).toString('base64url')}`;
}

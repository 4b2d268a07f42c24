import type { Session, User } from '../../domain/users/user.ts';
import { type Clock, type Micros, SECOND } from '../../lib/clock.ts';
import { randomString } from '../../lib/ids.ts';
import type { SecondFactorProof } from '../../storage/records.ts';
import type { Store } from '../../storage/store.ts';
import { openOr } from '../../vault/open-submission.ts';
import { totpOfferAad, totpSecretAad, type Vault } from '../../vault/vault.ts';
import { hashToken, newSession } from './sessions.ts';

type Deps = Readonly<{ store: Store; vault: Vault; clock: Clock }>;

/** Recovery codes per user. */
export const RECOVERY_CODES = 10;

const STEP: Micros = 30 * SECOND;
/** Defaults of RFC 6238, the only settings that all authenticator apps support. */
const TOTP_SETTINGS = { algorithm: 'SHA1', digits: 6, period: STEP / SECOND };
/** Steps that the clock of a user's device may be fast or slow. */
const MAX_DRIFT = 1;

/** Crockford's base32, without lookalikes. 30 characters are 150 bits, too many to search even with the keys. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_GROUPS = 6;
const GROUP_LENGTH = 5;
/** Length of the codes of earlier versions. */
const MIN_RECOVERY_CODE_LENGTH = 10;

/** A TOTP secret that is not enabled yet: in base32, and sealed as a hidden field of the setup page. */
export type TotpOffer = Readonly<{ secret: string; sealed: string }>;

/** Generates a secret for an authenticator app. It is not stored. */
export async function newTotpOffer(vault: Vault, { id }: Session): Promise<TotpOffer> {
  const { Secret } = await import('otpauth');
  const { base32: secret } = new Secret({ size: 20 });
  return { secret, sealed: Buffer.from(vault.seal(secret, totpOfferAad(id))).toString('base64url') };
}

/** Opens the sealed offer that a setup page sends back; null unless it was made for this session. */
export function openTotpOffer(vault: Vault, { id }: Session, sealed: string): TotpOffer | null {
  const secret = openOr(() => vault.open(Buffer.from(sealed, 'base64url'), totpOfferAad(id)).toString(), null);
  return secret === null ? null : { secret, sealed };
}

/** Returns the content of the QR code: `otpauth://totp/…`. */
export async function otpauthUri({ secret }: TotpOffer, email: string, issuer: string): Promise<string> {
  const { TOTP } = await import('otpauth');
  return new TOTP({ ...TOTP_SETTINGS, secret, label: email, issuer }).toString();
}

/**
 * Enables the second factor if `code` matches the offer, and ends all other sessions. Returns the recovery codes, which
 * are stored as hashes only.
 */
export async function enableSecondFactor(
  { store, vault, clock }: Deps,
  user: User,
  session: Session,
  { secret }: TotpOffer,
  code: string,
): Promise<readonly string[] | 'wrong' | 'on already'> {
  const step = await getStep(secret, code, clock());
  if (step === null) return 'wrong';
  const codes = newCodes();
  const sealed = vault.seal(secret, totpSecretAad(user.id));
  const factor = { secret: sealed, step, codeHashes: toHashes(vault, user.id, codes) };
  return (await store.secondFactors.add(user.id, factor, session.id)) ? codes : 'on already';
}

/** Replaces all recovery codes and ends all other sessions. Returns the new codes; null without a second factor. */
export async function renewRecoveryCodes(deps: Deps, user: User, session: Session): Promise<readonly string[] | null> {
  const { store, vault } = deps;
  const codes = newCodes();
  return (await store.secondFactors.replaceCodes(user.id, toHashes(vault, user.id, codes), session.id)) ? codes : null;
}

/**
 * Turns a pending session into a full one by an app code or a recovery code, each of which works once. Returns the
 * secret for the cookie; null if the code is wrong or used.
 */
export async function passSecondFactor(
  deps: Deps,
  user: User,
  pending: Session,
  code: string,
  from: Pick<Session, 'address' | 'browser'>,
): Promise<string | null> {
  const proof = await getProof(deps, user, code);
  if (!proof) return null;
  const { secret, session } = newSession(deps.clock, user, { ...from, method: pending.method });
  return (await deps.store.secondFactors.complete(pending.id, proof, hashToken(secret), session)) ? secret : null;
}

/** Uses up an app code or a recovery code of a signed-in user. Returns false if it is wrong or was used before. */
export async function spendCode(deps: Deps, user: User, code: string): Promise<boolean> {
  const proof = await getProof(deps, user, code);
  return proof !== null && deps.store.secondFactors.spendProof(user.id, proof);
}

/** Uses up a recovery code. Returns false if it is wrong or was used before. */
export function spendRecoveryCode({ store, vault }: Deps, user: User, code: string): Promise<boolean> {
  return store.secondFactors.spendProof(user.id, { codeHash: toHash(vault, user.id, normalise(code)) });
}

async function getProof({ store, vault, clock }: Deps, user: User, typed: string): Promise<SecondFactorProof | null> {
  const code = normalise(typed);
  if (code.length >= MIN_RECOVERY_CODE_LENGTH) return { codeHash: toHash(vault, user.id, code) };
  const factor = await store.secondFactors.find(user.id);
  if (!factor) return null;
  const secret = vault.open(factor.secret, totpSecretAad(user.id)).toString();
  const step = await getStep(secret, code, clock());
  return step === null ? null : { step };
}

/** Returns the time step of a valid code; null for an invalid or expired one. */
async function getStep(secret: string, typed: string, now: Micros): Promise<number | null> {
  const { TOTP } = await import('otpauth');
  const totp = new TOTP({ ...TOTP_SETTINGS, secret });
  const delta = totp.validate({ token: normalise(typed), timestamp: Math.floor(now / 1000), window: MAX_DRIFT });
  return delta === null ? null : Math.floor(now / STEP) + delta;
}

/** Generates codes such as ABCDE-FGHJK-MNPQR-STVWX-YZ012-34567. */
function newCodes(): readonly string[] {
  const newGroup = () => randomString(GROUP_LENGTH, ALPHABET);
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: CODE_GROUPS }, newGroup).join('-'));
}

/** Normalizes a typed code: removes spaces and hyphens, uppercases, and replaces letters that look like digits. */
function normalise(typed: string): string {
  const code = typed
    .slice(0, 100)
    .normalize('NFKC')
    .replace(/[\s\p{Dash}]/gu, '')
    .toUpperCase();
  return code.replaceAll('O', '0').replace(/[IL]/g, '1');
}

function toHashes(vault: Vault, userId: string, codes: readonly string[]): readonly string[] {
  return codes.map((code) => toHash(vault, userId, normalise(code)));
}

function toHash(vault: Vault, userId: string, code: string): string {
  return vault.fingerprint('recovery code', `${userId}\0${code}`);
}

import type { Session, User } from '../domain/user.ts';
import { type Clock, type Micros, SECOND } from '../lib/clock.ts';
import { randomString } from '../lib/ids.ts';
import type { SecondFactorProof, Store } from '../storage/store.ts';
import { totpOfferAad, totpSecretAad, UnreadableRecordError, type Vault } from '../vault/vault.ts';
import { hashToken, newSession } from './sessions.ts';

type Deps = Readonly<{ store: Store; vault: Vault; clock: Clock }>;

/** How many recovery codes somebody gets. */
export const RECOVERY_CODES = 10;

const STEP: Micros = 30 * SECOND;
/** What RFC 6238 has by default, and the only one that all apps know. */
const TOTP_SETTINGS = { algorithm: 'SHA1', digits: 6, period: STEP / SECOND };
/** How many steps the clock of somebody's device may be fast or slow. */
const DRIFT = 1;

/** Crockford's base32, which has no two that look alike: 25 of them are 125 bits, which nobody searches, also with the keys. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_GROUPS = 5;
const GROUP_LENGTH = 5;
/** Those made by earlier versions have ten. */
const SHORTEST_CODE = 10;

/** A secret that is not anybody's yet: in base32, and sealed for the page that shows it to bring it back. */
export type Offer = Readonly<{ secret: string; sealed: string }>;

/** Thinks of a secret for somebody to take into their app. Nothing is kept. */
export async function offerSecret(vault: Vault, { id }: Session): Promise<Offer> {
  const { Secret } = await import('otpauth');
  const { base32: secret } = new Secret({ size: 20 });
  return { secret, sealed: Buffer.from(vault.seal(secret, totpOfferAad(id))).toString('base64url') };
}

/** The offer that a page brings back; null unless it was made for this session. */
export function openOffer(vault: Vault, { id }: Session, sealed: string): Offer | null {
  try {
    return { secret: vault.open(Buffer.from(sealed, 'base64url'), totpOfferAad(id)).toString(), sealed };
  } catch (error) {
    if (error instanceof UnreadableRecordError) return null;
    throw error;
  }
}

/** What the QR code says, as apps read it: `otpauth://totp/…`. */
export async function addressForApp({ secret }: Offer, email: string, issuer: string): Promise<string> {
  const { TOTP } = await import('otpauth');
  return new TOTP({ ...TOTP_SETTINGS, secret, label: email, issuer }).toString();
}

/** Turns it on if the code is of the offer, and ends all other sessions; the recovery codes, which are kept nowhere. */
export async function turnOn(
  { store, vault, clock }: Deps,
  user: User,
  session: Session,
  { secret }: Offer,
  code: string,
): Promise<readonly string[] | 'wrong' | 'on already'> {
  const step = await stepOf(secret, code, clock());
  if (step === null) return 'wrong';
  const codes = newCodes();
  const sealed = vault.seal(secret, totpSecretAad(user.id));
  const factor = { secret: sealed, step, codeHashes: hashesOf(vault, user.id, codes) };
  return (await store.addSecondFactor(user.id, factor, session.id)) ? codes : 'on already';
}

/** New recovery codes in the place of all others, whose sessions end but for this one; null for who has no second factor. */
export async function renewCodes(
  { store, vault }: Deps,
  user: User,
  session: Session,
): Promise<readonly string[] | null> {
  const codes = newCodes();
  return (await store.replaceRecoveryCodes(user.id, hashesOf(vault, user.id, codes), session.id)) ? codes : null;
}

/**
 * Makes a whole session of a pending one by a code of the app or a recovery code, either of which counts once. The secret
 * for the cookie; null where the code is none of theirs or was used.
 */
export async function passSecondFactor(
  deps: Deps,
  user: User,
  pending: Session,
  code: string,
  from: Pick<Session, 'address' | 'browser'>,
): Promise<string | null> {
  const proof = await proofOf(deps, user, code);
  if (!proof) return null;
  const { secret, session } = newSession(deps.clock, user, from);
  return (await deps.store.completeSecondFactor(pending.id, proof, hashToken(secret), session)) ? secret : null;
}

async function proofOf({ store, vault, clock }: Deps, user: User, typed: string): Promise<SecondFactorProof | null> {
  const code = normalise(typed);
  if (code.length >= SHORTEST_CODE) return { codeHash: hashOf(vault, user.id, code) };
  const factor = await store.findSecondFactor(user.id);
  if (!factor) return null;
  const secret = vault.open(factor.secret, totpSecretAad(user.id)).toString();
  const step = await stepOf(secret, code, clock());
  return step === null ? null : { step };
}

/** The step of time that a code is of, near the present; null for any other code. */
async function stepOf(secret: string, typed: string, now: Micros): Promise<number | null> {
  const { TOTP } = await import('otpauth');
  const totp = new TOTP({ ...TOTP_SETTINGS, secret });
  const delta = totp.validate({ token: normalise(typed), timestamp: Math.floor(now / 1000), window: DRIFT });
  return delta === null ? null : Math.floor(now / STEP) + delta;
}

/** As ABCDE-FGHJK-MNPQR-STVWX-YZ012. */
function newCodes(): readonly string[] {
  const newGroup = () => randomString(GROUP_LENGTH, ALPHABET);
  return Array.from({ length: RECOVERY_CODES }, () => Array.from({ length: CODE_GROUPS }, newGroup).join('-'));
}

/** A code however it was typed: without spaces and hyphens, in capitals, letters that look like digits read as those. */
function normalise(typed: string): string {
  const code = typed
    .slice(0, 100)
    .normalize('NFKC')
    .replace(/[\s\p{Dash}]/gu, '')
    .toUpperCase();
  return code.replaceAll('O', '0').replace(/[IL]/g, '1');
}

function hashesOf(vault: Vault, userId: string, codes: readonly string[]): readonly string[] {
  return codes.map((code) => hashOf(vault, userId, normalise(code)));
}

function hashOf(vault: Vault, userId: string, code: string): string {
  return vault.fingerprint('recovery code', `${userId}\0${code}`);
}

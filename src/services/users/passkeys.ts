import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey, RelyingParty } from '../../domain/users/passkey.ts';
import type { User } from '../../domain/users/user.ts';
import { type Clock, MINUTE } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { isSameText } from '../../lib/is-same-text.ts';
import { jsonObject } from '../../lib/json.ts';
import type { Logger } from '../../lib/log.ts';
import type { SpentChallenge } from '../../storage/records.ts';
import type { Store } from '../../storage/store.ts';
import type { Vault } from '../../vault/vault.ts';
import { ANONYMOUS, recordAction } from '../audit/audit.ts';
import { getTeamIds } from '../teams/teams.ts';
import { createResetLink, type NewLink } from './accounts.ts';
import { spendRecoveryCode } from './second-factor.ts';
import { hashToken, newToken } from './sessions.ts';

type Deps = Readonly<{ store: Store; vault: Vault; clock: Clock; log: Logger }>;

/** The time to answer a challenge. */
export const CHALLENGE_TTL = 5 * MINUTE;

/** The difference allowed between the clocks of processes. */
const MAX_DRIFT = MINUTE;

/** A question to a browser: its purpose, and the secret or session of the browser that may answer it. */
type Question = Readonly<{ party: RelyingParty; purpose: 'sign in' | 'confirm' | 'add'; browser: string }>;

/** Returns a challenge in base64url. It is stored nowhere: a keyed hash binds it to time, purpose and browser. */
function newChallenge({ vault, clock }: Deps, question: Question): string {
  const text = `${clock()}.${newToken()}`;
  return Buffer.from(`${text}.${sign(vault, question, text)}`).toString('base64url');
}

/** Returns the challenge in a browser's answer; null if it has expired, or belongs to another question. */
function openChallenge({ vault, clock }: Deps, question: Question, answer: string) {
  const { response } = jsonObject(answer) as { response?: { clientDataJSON?: unknown } };
  const clientData = Buffer.from(String(response?.clientDataJSON), 'base64url').toString();
  const challenge = String(jsonObject(clientData).challenge);
  const [time = '', random = '', signature = ''] = Buffer.from(challenge, 'base64url').toString().split('.');
  const age = clock() - Number(time);
  const isValid = isSameText(signature, sign(vault, question, `${time}.${random}`));
  if (!isValid || age > CHALLENGE_TTL || age < -MAX_DRIFT) return null;
  const expiresAt = Number(time) + CHALLENGE_TTL + MAX_DRIFT;
  const spent: SpentChallenge = { id: hashToken(`passkey ${challenge}`), expiresAt };
  return { challenge, spent };
}

function sign(vault: Vault, { purpose, browser }: Question, text: string): string {
  return vault.fingerprint('passkey challenge', `${purpose}\0${browser}\0${text}`);
}

/** Returns the options with which a browser asks for any passkey of the host. */
export function requestOptions(deps: Deps, question: Question): PublicKeyCredentialRequestOptionsJSON {
  return { challenge: newChallenge(deps, question), rpId: question.party.id, userVerification: 'preferred' };
}

/** Returns the options with which a browser creates a passkey of the user. */
export async function creationOptions(
  deps: Deps,
  question: Question,
  user: User,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const options = await generateRegistrationOptions({
    rpName: 'Formstead',
    rpID: question.party.id,
    userID: Buffer.from(user.id),
    userName: user.email,
    userDisplayName: user.name ?? user.email,
    excludeCredentials: (await deps.store.passkeys.list(user.id)).map(({ credentialId: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
  return { ...options, challenge: newChallenge(deps, question) };
}

/** Adds the passkey that a browser created. Refuses a wrong, late or repeated answer. */
export async function addPasskey(
  deps: Deps,
  question: Question,
  user: User,
  { answer, name }: Readonly<{ answer: string; name: string }>,
): Promise<Passkey | 'refused' | 'known' | 'too many'> {
  const opened = openChallenge(deps, question, answer);
  if (!opened) return 'refused';
  const response = await withoutAttestation(answer).catch(() => null);
  if (!response) return 'refused';
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: opened.challenge,
    expectedOrigin: question.party.origin,
    expectedRPID: question.party.id,
    requireUserVerification: false,
  }).catch(() => null);
  if (!verified?.verified) return 'refused';
  const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential;
  const key = { credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  const now = deps.clock();
  const passkey = { id: newId('pky'), userId: user.id, ...key, name, createdAt: now, lastUsedAt: now };
  const outcome = await deps.store.passkeys.add(passkey, opened.spent);
  return outcome === 'added' ? passkey : outcome;
}

/**
 * Returns an answer with its attestation replaced by none. Options ask for none, and to verify one the library would
 * fetch the revocation lists that its certificates name, from any address. Throws for a malformed answer.
 */
async function withoutAttestation(answer: string): Promise<RegistrationResponseJSON> {
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import('@simplewebauthn/server/helpers');
  const created = jsonObject(answer) as unknown as RegistrationResponseJSON;
  const object = decodeAttestationObject(isoBase64URL.toBuffer(created.response.attestationObject));
  const none = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', object.get('authData')],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(none as Parameters<typeof isoCBOR.encode>[0]));
  return { ...created, response: { ...created.response, attestationObject } };
}

/** Finds the passkey that a browser claims to answer with, and its user. Nothing is verified yet. */
export function findPasskey({ store }: Deps, answer: string): ReturnType<Store['passkeys']['find']> {
  return store.passkeys.find(String(jsonObject(answer).id));
}

/**
 * Verifies an answer by a passkey and uses up its challenge. `isVerified` if the authenticator has verified the user, such
 * as by fingerprint or PIN. Refuses a wrong, late or repeated answer, and one by an authenticator whose counter shows that
 * it was copied, which is recorded; `address` is the client's, shortened for storage.
 */
export async function verifyPasskey(
  deps: Deps,
  question: Question & Readonly<{ address: string | null }>,
  { passkey, user }: Readonly<{ passkey: Passkey; user: User }>,
  answer: string,
): Promise<Readonly<{ user: User; isVerified: boolean }> | 'refused' | 'cloned'> {
  const opened = openChallenge(deps, question, answer);
  if (!opened) return 'refused';
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const response = jsonObject(answer) as unknown as AuthenticationResponseJSON;
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: opened.challenge,
    expectedOrigin: question.party.origin,
    expectedRPID: question.party.id,
    // The store compares the counter, in the transaction that sets it.
    credential: { id: passkey.credentialId, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter: 0 },
    requireUserVerification: false,
  }).catch(() => null);
  const handle = response.response?.userHandle ?? '';
  if (!verified?.verified || Buffer.from(handle, 'base64url').toString() !== user.id) return 'refused';
  const { newCounter, userVerified } = verified.authenticationInfo;
  const outcome = await deps.store.passkeys.use(passkey.id, newCounter, opened.spent);
  if (outcome === 'used') return { user, isVerified: userVerified };
  if (outcome === 'cloned') {
    const details = { user_id: user.id, passkey_id: passkey.id };
    const actor = { ...ANONYMOUS, address: question.address };
    await recordAction(deps, { teamIds: getTeamIds(deps.store, user.id), actor, action: 'passkey.cloned', details });
  }
  return outcome;
}

/** Creates a reset link for a recovery code of a user with passkeys and no password. Returns null for others and a wrong code. */
export async function recoverByCode(
  deps: Deps,
  email: string,
  code: string,
): Promise<Readonly<{ user: User; link: NewLink }> | null> {
  const account = await deps.store.users.findByEmail(email);
  if (account?.passwordHash !== null || (await deps.store.passkeys.list(account.id)).length === 0) return null;
  if (!(await spendRecoveryCode(deps, account, code))) return null;
  const { passwordHash: _, ...user } = account;
  return { user, link: await createResetLink(deps, user.id) };
}

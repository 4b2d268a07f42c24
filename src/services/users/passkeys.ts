import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Passkey, RelyingParty } from '../../domain/users/passkey.ts';
import type { User } from '../../domain/users/user.ts';
import { type Clock, MINUTE, SECOND } from '../../lib/clock.ts';
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

type Deps = Readonly<{ store: Store; vault: Vault; clock: Clock }>;

/** The time to answer a challenge. */
export const CHALLENGE_TTL = 5 * MINUTE;

/** The difference allowed between the clocks of processes. */
const MAX_DRIFT = MINUTE;

/** A challenge's purpose and the secret or session of the browser that it was given to. */
export type ChallengeFor = Readonly<{ purpose: 'sign in' | 'confirm' | 'add'; browser: string }>;

/** Returns a challenge in base64url. It is stored nowhere: its keyed hash binds it to time, purpose and browser. */
function newChallenge({ vault, clock }: Deps, to: ChallengeFor): string {
  const text = `${clock()}.${newToken()}`;
  return Buffer.from(`${text}.${sign(vault, to, text)}`).toString('base64url');
}

/** A challenge that a browser answered. */
type Answered = Readonly<{ challenge: string; spent: SpentChallenge }>;

/**
 * Returns the challenge in a browser's answer, to be spent; null if it has expired, or was not given to this browser for
 * this purpose.
 */
function openChallenge({ vault, clock }: Deps, to: ChallengeFor, answer: string): Answered | null {
  const { response } = jsonObject(answer) as { response?: { clientDataJSON?: unknown } };
  const clientData = Buffer.from(String(response?.clientDataJSON), 'base64url').toString();
  const challenge = String(jsonObject(clientData).challenge);
  const [time = '', random = '', signature = ''] = Buffer.from(challenge, 'base64url').toString().split('.');
  if (!isSameText(signature, sign(vault, to, `${time}.${random}`))) return null;
  const age = clock() - Number(time);
  if (age > CHALLENGE_TTL || age < -MAX_DRIFT) return null;
  const id = hashToken(`passkey ${challenge}`);
  return { challenge, spent: { id, expiresAt: Number(time) + CHALLENGE_TTL + MAX_DRIFT } };
}

function sign(vault: Vault, { purpose, browser }: ChallengeFor, text: string): string {
  return vault.fingerprint('passkey challenge', `${purpose}\0${browser}\0${text}`);
}

/** Returns the options with which a browser asks for one of some passkeys, or for any of this host. */
export function requestOptions(
  deps: Deps,
  { id: rpId }: RelyingParty,
  to: ChallengeFor,
  passkeys: readonly Passkey[] = [],
): PublicKeyCredentialRequestOptionsJSON {
  const challenge = newChallenge(deps, to);
  const timeout = (CHALLENGE_TTL / SECOND) * 1000;
  return { challenge, rpId, timeout, userVerification: 'preferred', allowCredentials: passkeys.map(toDescriptor) };
}

/** Returns the options with which a browser creates a passkey of the user. */
export async function creationOptions(
  deps: Deps,
  { id }: RelyingParty,
  to: ChallengeFor,
  user: User,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const passkeys = await deps.store.passkeys.list(user.id);
  const options = await generateRegistrationOptions({
    rpName: 'Formstead',
    rpID: id,
    userID: Buffer.from(user.id),
    userName: user.email,
    userDisplayName: user.name ?? user.email,
    timeout: (CHALLENGE_TTL / SECOND) * 1000,
    excludeCredentials: passkeys.map(toDescriptor),
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
  });
  return { ...options, challenge: newChallenge(deps, to) };
}

function toDescriptor({ credentialId, transports }: Passkey) {
  return { id: credentialId, type: 'public-key' as const, transports: transports as AuthenticatorTransport[] };
}

/** Adds the passkey that a browser created. Returns an error for a wrong, late or repeated answer. */
export async function addPasskey(
  deps: Deps,
  { id, origin }: RelyingParty,
  to: ChallengeFor,
  user: User,
  { credential, name }: Readonly<{ credential: string; name: string }>,
): Promise<Passkey | 'refused' | 'known' | 'too many'> {
  const answered = openChallenge(deps, to, credential);
  if (!answered) return 'refused';
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const verified = await verifyRegistrationResponse({
    response: jsonObject(credential) as unknown as RegistrationResponseJSON,
    expectedChallenge: answered.challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: false,
  }).catch(() => null);
  if (!verified?.verified) return 'refused';
  const { credential: made } = verified.registrationInfo;
  const now = deps.clock();
  const passkey = {
    ...{ id: newId('pky'), userId: user.id, credentialId: made.id, counter: made.counter },
    publicKey: Buffer.from(made.publicKey).toString('base64url'),
    ...{ transports: toTransports(made.transports), name, createdAt: now, lastUsedAt: now },
  };
  const outcome = await deps.store.passkeys.add(passkey, answered.spent);
  if (outcome === 'added') return passkey;
  return outcome === 'spent' ? 'refused' : outcome;
}

/** Returns the known transports of a browser's answer, which may contain anything. */
function toTransports(stated: unknown): readonly string[] {
  const all = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];
  return Array.isArray(stated) ? all.filter((transport) => stated.includes(transport)) : [];
}

/** A passkey's user, and if the authenticator verified them, such as by fingerprint or PIN. */
export type PasskeyProof = Readonly<{ user: User; isVerified: boolean }>;

/** Returns the credential id in a browser's answer, which is not verified yet. */
export function getCredentialId(answer: string): string {
  return String(jsonObject(answer).id);
}

/** The question that a browser answers, and its address, shortened for storage. */
type Asked = Readonly<{ party: RelyingParty; to: ChallengeFor; address: string | null }>;

/**
 * Verifies a browser's answer by a registered passkey, and uses up its challenge. Returns an error for a wrong, late or
 * repeated answer, and for an authenticator whose counter shows that it was copied, which is recorded.
 */
export async function verifyPasskey(
  deps: Deps & Readonly<{ log: Logger }>,
  { party: { id, origin }, to, address }: Asked,
  { passkey, user }: Readonly<{ passkey: Passkey; user: User }>,
  answer: string,
): Promise<PasskeyProof | 'refused' | 'cloned'> {
  const answered = openChallenge(deps, to, answer);
  if (!answered) return 'refused';
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const response = jsonObject(answer) as unknown as AuthenticationResponseJSON;
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: answered.challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    // The store compares the counter, in the transaction that sets it.
    credential: { id: passkey.credentialId, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter: 0 },
    requireUserVerification: false,
  }).catch(() => null);
  const handle = response.response?.userHandle;
  const isOwn = handle === undefined || handle === Buffer.from(user.id).toString('base64url');
  if (!verified?.verified || !isOwn) return 'refused';
  const { newCounter, userVerified } = verified.authenticationInfo;
  const outcome = await deps.store.passkeys.use(passkey.id, newCounter, answered.spent);
  if (outcome === 'used') return { user, isVerified: userVerified };
  if (outcome !== 'cloned') return 'refused';
  const teamIds = getTeamIds(deps.store, user.id);
  const details = { user_id: user.id, passkey_id: passkey.id };
  await recordAction(deps, { teamIds, actor: { ...ANONYMOUS, address }, action: 'passkey.cloned', details });
  return 'cloned';
}

/**
 * Creates a reset link for a recovery code of a user without a password, who has lost their passkeys. Returns null for
 * other users, and for a wrong code.
 */
export async function recoverByCode(
  deps: Deps,
  email: string,
  code: string,
): Promise<Readonly<{ user: User; link: NewLink }> | null> {
  const account = await deps.store.users.findByEmail(email);
  if (account?.passwordHash !== null || !(await spendRecoveryCode(deps, account, code))) return null;
  const { passwordHash: _, ...user } = account;
  return { user, link: await createResetLink(deps, user.id) };
}

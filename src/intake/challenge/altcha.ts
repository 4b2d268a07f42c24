import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { ALTCHA_PARAMETERS } from '../../domain/forms/challenge.ts';
import { HOUR, type Micros, SECOND } from '../../lib/clock.ts';
import { jsonOrNull } from '../../lib/json.ts';
import type { SpentChallenge } from '../../storage/records.ts';
import type { Vault } from '../../vault/vault.ts';

/** PBKDF2 iterations for each of about 256 attempts: 0.1 s on a desktop, 1 s on an old phone. */
const COST = 5_000;
/** Time for filling in a long form; the widget fetches a new challenge after expiry. */
const TTL = HOUR;
const MAX_TOKEN_CHARACTERS = 4_096;

/** Token of the widget, in base64: the challenge as it was created, and its solution. */
const Token = Type.Object({
  challenge: Type.Object({ parameters: Type.Object(ALTCHA_PARAMETERS), signature: Type.String() }),
  solution: Type.Object({ counter: Type.Number(), derivedKey: Type.String() }),
});

/**
 * Creates a proof-of-work challenge (ALTCHA, version 2) for a form. It is not stored: its signature covers the form,
 * the expiry and the cost.
 */
export function newAltchaChallenge(vault: Vault, formId: string, now: Micros) {
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    deriveKey,
    data: { form: formId },
    expiresAt: Math.floor((now + TTL) / SECOND),
    hmacSignatureSecret: getSecret(vault),
  });
}

/** Returns the challenge that a token solves, to be spent with the submission; null if it isn't for this form. */
export async function verifyAltcha(
  vault: Vault,
  formId: string,
  token: string,
  now: Micros,
): Promise<SpentChallenge | null> {
  if (token.length > MAX_TOKEN_CHARACTERS) return null;
  const parsed = jsonOrNull(Buffer.from(token, 'base64').toString());
  if (!Value.Check(Token, parsed)) return null;
  const { challenge, solution } = parsed;
  const { data, nonce, expiresAt: seconds } = challenge.parameters;
  const expiresAt = seconds * SECOND;
  if (data.form !== formId || !(expiresAt > now)) return null;
  const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: getSecret(vault) });
  // A challenge has many solutions but one nonce, so the nonce identifies a spent challenge.
  return verified ? { id: vault.fingerprint('spent challenge', nonce), expiresAt } : null;
}

const getSecret = (vault: Vault): string => vault.fingerprint('altcha', 'challenges');

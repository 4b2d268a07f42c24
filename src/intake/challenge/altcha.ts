import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { HOUR, type Micros, SECOND } from '../../lib/clock.ts';
import type { SpentChallenge } from '../../storage/store.ts';
import type { Vault } from '../../vault/vault.ts';

/** Rounds of PBKDF2 for each of about 256 tries: a tenth of a second on a desktop, a second on an old phone. */
const COST = 5_000;
/** Long forms take long to fill in; the widget asks for a new challenge when this has passed. */
const LIFE = HOUR;
const MAX_TOKEN_CHARACTERS = 4_096;

/** What the widget sends, in base64: the challenge as it was set, and how it was solved. */
const Solved = Type.Object({
  challenge: Type.Object({
    parameters: Type.Object({
      algorithm: Type.String(),
      nonce: Type.String(),
      salt: Type.String(),
      cost: Type.Number(),
      keyLength: Type.Number(),
      keyPrefix: Type.String(),
      expiresAt: Type.Number(),
      data: Type.Object({ form: Type.String() }),
    }),
    signature: Type.String(),
  }),
  solution: Type.Object({ counter: Type.Number(), derivedKey: Type.String() }),
});

/**
 * Sets a proof-of-work challenge (ALTCHA, version 2) for a form. It is kept nowhere: its signature covers all of it, the
 * form, the expiry and the cost included.
 */
export function setChallenge(vault: Vault, formId: string, now: Micros) {
  return createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: COST,
    deriveKey,
    data: { form: formId },
    expiresAt: Math.floor((now + LIFE) / SECOND),
    hmacSignatureSecret: secretOf(vault),
  });
}

/** The challenge that a token solves, to be spent with the submission; null if it solves none of this form's. */
export async function solvedChallenge(
  vault: Vault,
  formId: string,
  token: string,
  now: Micros,
): Promise<SpentChallenge | null> {
  const solved = parse(token);
  if (!Value.Check(Solved, solved)) return null;
  const { challenge, solution } = solved;
  const { data, nonce, expiresAt: seconds } = challenge.parameters;
  const expiresAt = seconds * SECOND;
  if (data.form !== formId || !(expiresAt > now)) return null;
  const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret: secretOf(vault) });
  // Of one challenge there are many solutions, but only one nonce.
  return verified ? { id: vault.fingerprint('spent challenge', nonce), expiresAt } : null;
}

function secretOf(vault: Vault): string {
  return vault.fingerprint('altcha', 'challenges');
}

function parse(token: string): unknown {
  if (token.length > MAX_TOKEN_CHARACTERS) return null;
  try {
    return JSON.parse(Buffer.from(token, 'base64').toString());
  } catch {
    return null;
  }
}

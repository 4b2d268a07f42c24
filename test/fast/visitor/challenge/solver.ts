import { type Challenge, createChallenge, type Solution, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { HOUR, SECOND } from '../../../../src/lib/clock.ts';
import type { Instance, Owner } from '../../../support/instance.ts';

/** Creates an owner whose form has an ALTCHA challenge. */
export async function guarded(instance: Instance, settings: Parameters<Instance['makeForm']>[1] = {}): Promise<Owner> {
  const owner = await instance.makeOwner();
  return {
    ...owner,
    form: await instance.makeForm(owner, settings, { kind: 'altcha', secret: null, verifyUrl: null }),
  };
}

/** Fetches a new challenge of a form. */
export async function challengeOf({ url }: Pick<Instance, 'url'>, id: string): Promise<Challenge> {
  return (await (await fetch(`${url}/v1/forms/${id}/challenge`)).json()) as Challenge;
}

/** Signs a challenge like the server, with the lowest cost. */
export function easyChallengeOf({ context: { vault, clock } }: Instance, id: string): Promise<Challenge> {
  return createChallenge({
    ...{ algorithm: 'PBKDF2/SHA-256', cost: 1, deriveKey, data: { form: id } },
    expiresAt: Math.floor((clock() + HOUR) / SECOND),
    hmacSignatureSecret: vault.fingerprint('altcha', 'challenges'),
  });
}

/** Returns the first solution from this counter on. */
export async function solutionOf(challenge: Challenge, counterStart = 0): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey, counterStart });
  if (!solution) throw new Error('the challenge was not solved in time');
  return solution;
}

/** Returns the token that the widget would send. */
export function tokenOf(challenge: unknown, solution: unknown): string {
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** Returns a valid one-time token of the lowest cost, for tests that don't concern the work. */
export async function easyToken(instance: Instance, id: string): Promise<string> {
  const challenge = await easyChallengeOf(instance, id);
  return tokenOf(challenge, await solutionOf(challenge));
}

/** Returns a valid one-time token. */
export async function solvedToken(instance: Pick<Instance, 'url'>, id: string): Promise<string> {
  const challenge = await challengeOf(instance, id);
  return tokenOf(challenge, await solutionOf(challenge));
}

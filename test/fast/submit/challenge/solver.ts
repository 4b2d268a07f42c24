import { type Challenge, createChallenge, type Solution, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { HOUR, SECOND } from '../../../../src/lib/clock.ts';
import type { Instance, Owner } from '../../../support/instance.ts';

/** A new owner whose form has a challenge of our own. */
export async function guarded(instance: Instance, settings: Parameters<Instance['makeForm']>[1] = {}): Promise<Owner> {
  const owner = await instance.makeOwner();
  return {
    ...owner,
    form: await instance.makeForm(owner, settings, { kind: 'altcha', secret: null, verifyUrl: null }),
  };
}

/** The challenge that a form sets now. */
export async function challengeOf({ url }: Pick<Instance, 'url'>, id: string): Promise<Challenge> {
  return (await (await fetch(`${url}/v1/forms/${id}/challenge`)).json()) as Challenge;
}

/** Signs a challenge as the server does, but one that is solved at once. */
export function easyChallengeOf({ context: { vault, clock } }: Instance, id: string): Promise<Challenge> {
  return createChallenge({
    ...{ algorithm: 'PBKDF2/SHA-256', cost: 1, deriveKey, data: { form: id } },
    expiresAt: Math.floor((clock() + HOUR) / SECOND),
    hmacSignatureSecret: vault.fingerprint('altcha', 'challenges'),
  });
}

/** The first solution from this counter on. */
export async function solutionOf(challenge: Challenge, counterStart = 0): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey, counterStart });
  if (!solution) throw new Error('the challenge was not solved in time');
  return solution;
}

/** What the widget would send. */
export function tokenOf(challenge: unknown, solution: unknown): string {
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** A token that the form takes, once, and that costs no work: for tests of anything but the work. */
export async function easyToken(instance: Instance, id: string): Promise<string> {
  const challenge = await easyChallengeOf(instance, id);
  return tokenOf(challenge, await solutionOf(challenge));
}

/** A token that the form takes, once. */
export async function solvedToken(instance: Pick<Instance, 'url'>, id: string): Promise<string> {
  const challenge = await challengeOf(instance, id);
  return tokenOf(challenge, await solutionOf(challenge));
}

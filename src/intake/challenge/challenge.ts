import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/form.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SpentChallenge } from '../../storage/store.ts';
import { challengeSecretAad, type Vault } from '../../vault/vault.ts';
import { solvedChallenge } from './altcha.ts';
import { ChallengeServiceError, type ChallengeServices } from './siteverify.ts';

type Deps = Readonly<{ vault: Vault; clock: Clock; services: ChallengeServices }>;

/**
 * Sees to it that the challenge of a form was solved; `token` is what its widget sent, null for nothing. Returns what is to
 * be spent with the submission, null where the service that set the challenge spends it. Throws `challenge_missing`,
 * `challenge_failed`, and `challenge_unavailable` if that cannot be told.
 */
export async function requireSolved(
  { vault, clock, services }: Deps,
  form: Form,
  token: string | null,
): Promise<SpentChallenge | null> {
  if (form.challenge === null) return null;
  if (!token) throw new AppError('challenge_missing', 'The check against spam is missing. Complete it and send again.');
  if (form.challenge === 'altcha') {
    const spent = await solvedChallenge(vault, form.id, token, clock());
    if (spent) return spent;
    throw challengeFailed();
  }
  if (!(await askService(vault, services, form, token))) throw challengeFailed();
  return null;
}

export function challengeFailed(): AppError {
  return new AppError('challenge_failed', 'The check against spam failed or has expired. Complete it again.');
}

async function askService(vault: Vault, services: ChallengeServices, form: Form, token: string): Promise<boolean> {
  const { id, challengeVerifyUrl: url, challengeSecret, allowedOrigins } = form;
  try {
    if (url === null || challengeSecret === null) throw new ChallengeServiceError('not set up');
    const secret = vault.open(challengeSecret, challengeSecretAad(id)).toString();
    const hostnames = allowedOrigins.map((origin) => new URL(origin).hostname);
    return await services.verify({ url, secret, token, hostnames });
  } catch (cause) {
    const message =
      'The check against spam cannot be made just now, and nothing was kept. Please try again in a minute.';
    throw new AppError('challenge_unavailable', message, { headers: { 'Retry-After': '60' }, cause });
  }
}

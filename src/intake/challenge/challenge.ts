import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/forms/form.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SpentChallenge } from '../../storage/records.ts';
import type { Store } from '../../storage/store.ts';
import { challengeSecretAad, type Vault } from '../../vault/vault.ts';
import { verifyAltcha } from './altcha.ts';
import { ChallengeServiceError, type ChallengeServices } from './siteverify.ts';

type Deps = Readonly<{ store: Store; vault: Vault; clock: Clock; challengeServices: ChallengeServices }>;

/**
 * Verifies the widget's token for the challenge of a form. Returns the challenge to be spent with the submission; null
 * if the form has none or an external service spends it. Throws `challenge_missing`, `challenge_failed`, or
 * `challenge_unavailable` if the token can't be verified.
 */
export async function requireSolved(
  { store, vault, clock, challengeServices }: Deps,
  form: Form,
  token: string | null,
): Promise<SpentChallenge | null> {
  if (form.challenge === null) return null;
  if (form.challenge === 'altcha') return requireProof({ vault, clock }, form, token);
  if (!token) throw challengeMissing();
  const teamId = (await store.workspaces.find(form.workspaceId))?.teamId ?? '';
  if (!(await verifyWithService(vault, challengeServices, teamId, form, token))) throw challengeFailed();
  return null;
}

/** Returns whether a form asks for a proof of work before it accepts a post that may be spam. */
export function asksForProof({ challenge, maybeSpamAction }: Form): boolean {
  return challenge === null && maybeSpamAction === 'challenge';
}

/** Verifies the token of a proof of work. Throws `challenge_missing` or `challenge_failed`. */
export async function requireProof(
  { vault, clock }: Pick<Deps, 'vault' | 'clock'>,
  form: Form,
  token: string | null,
): Promise<SpentChallenge> {
  if (!token) throw challengeMissing();
  const spent = await verifyAltcha(vault, form.id, token, clock());
  if (spent) return spent;
  throw challengeFailed();
}

function challengeMissing(): AppError {
  return new AppError('challenge_missing', 'The spam check is missing. Complete it and submit again.');
}

/** Returns the refusal of a token that is wrong, expired or spent. */
export function challengeFailed(): AppError {
  return new AppError('challenge_failed', 'The spam check failed or has expired. Complete it again.');
}

async function verifyWithService(vault: Vault, services: ChallengeServices, teamId: string, form: Form, token: string) {
  const { id, challengeVerifyUrl: url, challengeSecret, allowedOrigins } = form;
  try {
    if (url === null || challengeSecret === null) throw new ChallengeServiceError('not configured');
    const secret = vault.open(challengeSecret, challengeSecretAad(id)).toString();
    const hostnames = allowedOrigins.map((origin) => new URL(origin).hostname);
    return await services.verify(teamId, { url, secret, token, hostnames });
  } catch (cause) {
    const message = 'The spam check is unavailable and nothing was saved. Try again in a minute.';
    throw new AppError('challenge_unavailable', message, { headers: { 'Retry-After': '60' }, cause });
  }
}

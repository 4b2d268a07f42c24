import type { Form } from '../../domain/form.ts';
import { proxyFor } from '../../lib/proxies.ts';
import { PrivateHostError, SsrfGuard } from '../../lib/ssrf-guard.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';

type Context = Pick<CommandContext, 'store' | 'config' | 'proxies'>;

/**
 * Checks that the hosts of challenge services resolve to addresses that the server may connect to. Resolves each host
 * once, sends no request, and skips hosts that are reached through a proxy.
 */
export async function challenges(
  { store, config, proxies }: Context,
  guard = new SsrfGuard(config.allowedPrivateHosts),
): Promise<Finding> {
  const check = 'challenges';
  const teams = await store.listTeams();
  const forms = (await Promise.all(teams.map(({ id }) => store.listForms(id)))).flat();
  const challenged = forms.filter(({ challengeVerifyUrl }) => challengeVerifyUrl !== null);
  if (challenged.length === 0) return { check, state: 'off', says: 'no form uses a challenge service' };
  const direct = challenged.filter((form) => proxyFor(proxies, urlOf(form)) === null);
  const formOfHost = new Map(direct.map((form) => [urlOf(form).hostname, form]));
  const faults = await Promise.all(Array.from(formOfHost.values(), (form) => findFault(guard, form)));
  const [first] = faults.filter((fault) => fault !== null).toSorted(({ state }) => (state === 'broken' ? -1 : 1));
  if (first) return { check, ...first };
  return {
    check,
    state: 'ok',
    says: `${challenged.length} of ${forms.length} forms use a challenge service; all are allowed`,
  };
}

async function findFault(guard: SsrfGuard, form: Form) {
  try {
    await guard.resolve(urlOf(form));
    return null;
  } catch (error) {
    if (error instanceof PrivateHostError) {
      const says = `the form ${form.id} refuses all submissions: ${error.message}; to allow that host, add it to ALLOWED_PRIVATE_HOSTS`;
      return { state: 'broken', says } as const;
    }
    const { hostname } = urlOf(form);
    return {
      state: 'unknown',
      says: `the form ${form.id} uses ${hostname}, which cannot be resolved at the moment`,
    } as const;
  }
}

function urlOf({ challengeVerifyUrl }: Form): URL {
  return new URL(challengeVerifyUrl ?? '');
}

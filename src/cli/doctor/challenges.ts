import type { Form } from '../../domain/form.ts';
import { proxyFor } from '../../lib/proxies.ts';
import { PrivateHostError, SsrfGuard } from '../../lib/ssrf-guard';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';

type Context = Pick<CommandContext, 'store' | 'config' | 'proxies'>;

/**
 * Whether the services that verify challenges are where the server asks. Each host is looked up once, and not asked; none that a
 * proxy is asked for.
 */
export async function challenges(
  { store, config, proxies }: Context,
  destinations = new SsrfGuard(config.allowedPrivateHosts),
): Promise<Finding> {
  const check = 'challenges';
  const teams = await store.listTeams();
  const forms = (await Promise.all(teams.map(({ id }) => store.listForms(id)))).flat();
  const asking = forms.filter(({ challengeVerifyUrl }) => challengeVerifyUrl !== null);
  if (asking.length === 0) return { check, state: 'off', says: 'no form asks a service' };
  const looked = asking.filter((form) => proxyFor(proxies, urlOf(form)) === null);
  const ofHosts = new Map(looked.map((form) => [urlOf(form).hostname, form]));
  const faults = await Promise.all(Array.from(ofHosts.values(), (form) => faultOf(destinations, form)));
  const [first] = faults.filter((fault) => fault !== null).toSorted(({ state }) => (state === 'broken' ? -1 : 1));
  if (first) return { check, ...first };
  return { check, state: 'ok', says: `${asking.length} of ${forms.length} forms ask services that may be asked` };
}

async function faultOf(destinations: SsrfGuard, form: Form) {
  try {
    await destinations.resolve(urlOf(form));
    return null;
  } catch (error) {
    if (error instanceof PrivateHostError) {
      const says = `the form ${form.id} takes no posts: ${error.message}; to allow that, name it in ALLOWED_PRIVATE_HOSTS`;
      return { state: 'broken', says } as const;
    }
    const { hostname } = urlOf(form);
    return {
      state: 'unknown',
      says: `the form ${form.id} asks ${hostname}, which cannot be looked up just now`,
    } as const;
  }
}

function urlOf({ challengeVerifyUrl }: Form): URL {
  return new URL(challengeVerifyUrl ?? '');
}

import type { Context } from '../../context/context.ts';
import type { Form } from '../../domain/forms/form.ts';
import { type Proxies, proxyFor } from '../../lib/proxies.ts';
import { RefusedHostError, SsrfGuard } from '../../lib/ssrf-guard.ts';
import { broken, off, ok, unknown, type Verdict } from './finding.ts';

/**
 * Checks that the server may connect to the hosts of challenge services. Resolves each host once unless it is reached
 * through a proxy, and sends no request.
 */
export async function challenges(
  { store, config, proxies }: Pick<Context, 'store' | 'config' | 'proxies'>,
  guard = new SsrfGuard(config),
): Promise<Verdict> {
  const teams = await store.teams.list();
  const forms = (await Promise.all(teams.map(({ id }) => store.forms.list(id)))).flat();
  const challenged = forms.filter(({ challengeVerifyUrl }) => challengeVerifyUrl !== null);
  if (challenged.length === 0) return off('No form uses a challenge service.');
  const formOfHost = new Map(challenged.map((form) => [`${toUrl(form).protocol}${toUrl(form).hostname}`, form]));
  const faults = await Promise.all(Array.from(formOfHost.values(), (form) => findFault(guard, proxies, form)));
  const [first] = faults.filter((fault) => fault !== null).toSorted(({ state }) => (state === 'broken' ? -1 : 1));
  if (first) return first;
  return ok(`${challenged.length} of ${forms.length} forms use a challenge service; all are allowed.`);
}

async function findFault(guard: SsrfGuard, proxies: Proxies, form: Form) {
  const url = toUrl(form);
  try {
    guard.requireListed(url);
    if (proxyFor(proxies, url) === null) await guard.resolve(url);
    return null;
  } catch (error) {
    if (error instanceof RefusedHostError) {
      return broken(
        `The form ${form.id} refuses all submissions: ${error.message}. To allow that host, add it to ${error.setting}.`,
      );
    }
    return unknown(`The form ${form.id} uses ${url.hostname}, which cannot be resolved at the moment.`);
  }
}

const toUrl = ({ challengeVerifyUrl }: Form): URL => new URL(challengeVerifyUrl ?? '');

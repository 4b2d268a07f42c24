import type { Form } from '../../domain/form.ts';
import { Destinations, PrivateHostError } from '../../lib/destinations.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';

/** Whether the services that verify challenges are where the server asks. They are looked up, and not asked. */
export async function challenges({ store, config }: CommandContext): Promise<Finding> {
  const check = 'challenges';
  const destinations = new Destinations(config.allowedPrivateHosts);
  const teams = await store.listTeams();
  const forms = (await Promise.all(teams.map(({ id }) => store.listForms(id)))).flat();
  const asking = forms.filter(({ challengeVerifyUrl }) => challengeVerifyUrl !== null);
  if (asking.length === 0) return { check, state: 'off', says: 'no form asks a service' };
  const faults = (await Promise.all(asking.map((form) => faultOf(destinations, form)))).filter(
    (fault) => fault !== null,
  );
  const [first] = faults.toSorted(({ state }) => (state === 'broken' ? -1 : 1));
  if (first) return { check, ...first };
  return { check, state: 'ok', says: `${asking.length} of ${forms.length} forms ask services that may be asked` };
}

async function faultOf(destinations: Destinations, { id, challengeVerifyUrl }: Form) {
  try {
    await destinations.addressesOf(new URL(challengeVerifyUrl ?? ''));
    return null;
  } catch (error) {
    if (error instanceof PrivateHostError) {
      const says = `the form ${id} takes no posts: ${error.message}; to allow that, name it in ALLOWED_PRIVATE_HOSTS`;
      return { state: 'broken', says } as const;
    }
    const { hostname } = new URL(challengeVerifyUrl ?? '');
    return { state: 'unknown', says: `the form ${id} asks ${hostname}, which cannot be looked up just now` } as const;
  }
}

import type { Context } from '../../context.ts';
import type { Finding } from './finding.ts';

const MAX_LISTED = 10;

/** Checks that no webhook rests or was disabled because of failures. */
export async function webhooks({ store }: Context): Promise<Finding> {
  const failing = await store.webhooks.listFailing(MAX_LISTED + 1);
  if (failing.length === 0) return { check: 'webhooks', state: 'ok', says: 'no webhook is failing' };
  const ids = failing.slice(0, MAX_LISTED).map(({ id }) => id);
  const more = failing.length > MAX_LISTED ? ' and more' : '';
  const says = `failing: ${ids.join(', ')}${more}; see "webhook deliveries <id>", and after the fix run "webhook update <id> --active true"`;
  return { check: 'webhooks', state: 'broken', says };
}

import { formatTime, MINUTE } from '../../lib/clock.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';

/** Reads all of it. */
export async function database({ store }: CommandContext): Promise<Finding> {
  const damage = await store.checkIntegrity();
  if (damage.length > 0) {
    const says = `damaged; stop the server, keep a copy of the data directory and go back to a backup. It says: ${damage.join('; ')}`;
    return { check: 'database', state: 'broken', says };
  }
  const { schema, engine } = await store.readStats(0);
  return { check: 'database', state: 'ok', says: `whole; schema ${schema}, ${engine}` };
}

/** Held against what was stored, since nobody else is asked: a clock that is ahead shows only once it is set right. */
export async function clock({ store, clock }: CommandContext): Promise<Finding> {
  const now = clock();
  const { lastCreatedAt } = await store.readStats(0);
  if (lastCreatedAt === null || lastCreatedAt <= now + MINUTE)
    return { check: 'clock', state: 'ok', says: formatTime(now) };
  const says = `it says ${formatTime(now)}, and the last submission came at ${formatTime(lastCreatedAt)}, after that: set it right (timedatectl shows it). If it was ahead then and is right now, new submissions are dated from that time on until it has passed.`;
  return { check: 'clock', state: 'broken', says };
}

/** Whether the settings have the plan of every team. */
export async function plans({ store, config }: CommandContext): Promise<Finding> {
  const without = (await store.listTeams()).filter(({ plan }) => !Object.hasOwn(config.plans, plan));
  if (without.length === 0) return { check: 'plans', state: 'ok', says: 'every team has one that is defined' };
  const named = without.map(({ id, plan }) => `${id} (${plan})`).join(', ');
  const says = `PLANS does not define the plan of ${named}: define it, or run formstead team update <id> --plan unlimited`;
  return { check: 'plans', state: 'broken', says };
}

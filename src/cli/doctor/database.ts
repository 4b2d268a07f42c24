import type { Context } from '../../context/context.ts';
import type { DatabaseTls } from '../../domain/instance/database-url.ts';
import { describeDamage, describeFailure } from '../../domain/instance/system-fault.ts';
import { formatTime, MINUTE, SECOND } from '../../lib/clock.ts';
import { broken, off, ok, toSentence, type Verdict } from './finding.ts';

/**
 * Checks the integrity of the whole database and tries a write that is rolled back. Names the processes that serve the
 * database if there are several.
 */
export async function database({ store, moveMark, instanceName }: Context): Promise<Verdict> {
  const damage = await store.upkeep.checkIntegrity();
  if (damage.length > 0) return broken(toSentence(describeDamage(damage, instanceName === null)));
  // A database that was moved refuses changes.
  const fault = moveMark ? null : await store.queue.probe(true).then(() => null, describeFailure);
  if (fault !== null) return broken(toSentence(`Could not store submissions: ${fault}`));
  const { schema, engine } = await store.upkeep.readStats(0);
  const instances = await store.instances.list();
  const leaderlessFor = instances.length > 0 ? await store.instances.leaderlessFor() : 0;
  if (leaderlessFor > MINUTE) {
    return broken(
      `No process has run the jobs of the instance for ${Math.round(leaderlessFor / SECOND)} s, such as retention. See the logs of the processes.`,
    );
  }
  const names = instances.map(({ host, pid, version }) => `${host} (pid ${pid}, version ${version})`);
  const servedBy = names.length > 1 ? `; served by ${names.join(', ')}` : '';
  return ok(`Intact; schema ${schema}, ${engine}${servedBy}.`);
}

const CONNECTION: Readonly<Record<DatabaseTls, Verdict>> = {
  verified: ok('Encrypted by TLS, and the server is verified.'),
  local: ok('It does not leave this machine.'),
  unverified: off('Encrypted, but anybody could answer. Use sslmode=verify-full and sslrootcert.'),
  none: off('Not encrypted, because DATABASE_URL has sslmode=disable.'),
};

/** Names the protection of the connection to PostgreSQL. */
export function connection({ databaseTls }: Context): Verdict {
  return databaseTls ? CONNECTION[databaseTls] : off('None: SQLite in DATA_DIR.');
}

/** Compares the clock with the newest submission. A clock that is ahead is noticed only after it has been corrected. */
export async function clock({ store, clock }: Context): Promise<Verdict> {
  const now = clock();
  const { lastCreatedAt } = await store.upkeep.readStats(0);
  if (lastCreatedAt === null || lastCreatedAt <= now + MINUTE) return ok(`It is ${formatTime(now)}.`);
  return broken(
    `It is ${formatTime(now)}, but the newest submission is dated later, ${formatTime(lastCreatedAt)}. Correct the clock (timedatectl shows its state). If it was ahead before and is right now, stop the server and run "formstead clock repair"; otherwise new submissions are dated after the newest one until that time has passed.`,
  );
}

/** Checks that PLANS defines the plan of every team. */
export async function plans({ store, config }: Context): Promise<Verdict> {
  const affected = (await store.teams.list()).filter(({ plan }) => !Object.hasOwn(config.plans, plan));
  if (affected.length === 0) return ok('The plan of every team is defined.');
  const names = affected.map(({ id, plan }) => `${id} (${plan})`).join(', ');
  return broken(
    `PLANS does not define the plan of ${names}. Define it, or run "formstead team update <id> --plan unlimited".`,
  );
}

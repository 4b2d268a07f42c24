import type { Team } from '../../domain/teams/team.ts';
import type { Store } from '../../storage/store.ts';

/** Steps from an empty instance to one that loses nothing, in their order. */
export const SETUP_STEPS = ['form', 'mail', 'key', 'backup'] as const;

export type SetupStep = (typeof SETUP_STEPS)[number];

/** Null are the sender of `mail` without a mail server, `keyFile` if the operator keeps the master key, and `instanceName` with SQLite. */
type Deps = Readonly<{
  store: Store;
  mail: Readonly<{ sender: string | null }>;
  keyFile: unknown;
  instanceName: string | null;
  config: Readonly<{ backupDir: string | null }>;
}>;

/**
 * Returns the steps that are done: a form has received a submission, a mail was sent, the master key was copied, and
 * scheduled backups are on. Backups of PostgreSQL are made elsewhere, so that step counts as done.
 */
export async function finishedSteps(deps: Deps, team: Team): Promise<Set<SetupStep>> {
  const { store, mail, keyFile, instanceName, config } = deps;
  const milestones = await store.milestones.list();
  const isDone: Record<SetupStep, boolean> = {
    form: (await store.usage.list(team.id, 1)).length > 0,
    mail: mail.sender !== null && milestones.includes('mail_tested'),
    key: keyFile === null || milestones.includes('key_copied'),
    backup: instanceName !== null || config.backupDir !== null,
  };
  return new Set(SETUP_STEPS.filter((step) => isDone[step]));
}

import { Command } from 'commander';
import { AppError, SetupError } from '../domain/errors.ts';
import { explainFailure } from '../services/test-mail.ts';
import { type CliContext, type CommandContext, printList, withContext } from './command.ts';
import { backups } from './doctor/backups.ts';
import { challenges } from './doctor/challenges.ts';
import { directory, disk, permissions } from './doctor/data-directory.ts';
import { clock, database, plans } from './doctor/database.ts';
import type { Check, Finding } from './doctor/finding.ts';
import { address, metrics, visitors } from './doctor/public-address.ts';

/** In the order in which they are told. */
const CHECKS: readonly Check[] = [
  directory,
  permissions,
  disk,
  database,
  key,
  clock,
  plans,
  challenges,
  backups,
  mail,
  address,
  visitors,
  metrics,
];

/** `formstead doctor` */
export function doctorCommand(surroundings: CliContext): Command {
  return new Command('doctor')
    .description('look whether everything is in order, and say how to mend what is not')
    .action(async ({ json }: { json?: boolean }) => {
      const isWatched = surroundings.ask !== null;
      if (isWatched) surroundings.stderr('Reading all of the database, which takes a while where it is large.\n');
      const findings = await examine(surroundings);
      printList(surroundings, json === true, findings, ['check', 'state', 'says']);
      const broken = findings.filter(({ state }) => state === 'broken').map(({ check }) => check);
      if (broken.length > 0) throw new AppError('invalid_input', `not in order: ${broken.join(', ')}.`);
    });
}

async function examine(surroundings: CliContext): Promise<Finding[]> {
  try {
    return await withContext(surroundings, async (context) => {
      const findings: Finding[] = [];
      for (const check of CHECKS) findings.push(await check(context));
      return findings;
    });
  } catch (error) {
    // Settings, data directory, database and key are looked at by every start: nothing opens if one of them does not fit.
    if (error instanceof SetupError) return [{ check: 'start', state: 'broken', says: error.message }];
    throw error;
  }
}

function key({ keyFile }: CommandContext): Finding {
  const says = keyFile ? `opens what is stored; keep a copy of ${keyFile.path}` : 'opens what is stored';
  return { check: 'encryption key', state: 'ok', says };
}

async function mail({ mail }: CommandContext): Promise<Finding> {
  if (!mail) return { check: 'mail', state: 'off', says: 'no mail is sent: SMTP_URL is not set' };
  const answer = await mail.mailer.check();
  if (answer.outcome !== 'sent') return { check: 'mail', state: 'broken', says: explainFailure(answer) };
  return { check: 'mail', state: 'ok', says: `the server lets us in; mails come from ${mail.sender}` };
}

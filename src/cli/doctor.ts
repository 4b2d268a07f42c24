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

/** All checks, in the order of the output. */
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
export function doctorCommand(cli: CliContext): Command {
  return new Command('doctor')
    .description('check the installation, and say how to fix each problem')
    .action(async ({ json }: { json?: boolean }) => {
      if (cli.prompt) cli.stderr('Reading the whole database. This takes a while if it is large.\n');
      const findings = await runChecks(cli);
      printList(cli, json === true, findings, ['check', 'state', 'says']);
      const broken = findings.filter(({ state }) => state === 'broken').map(({ check }) => check);
      if (broken.length > 0) throw new AppError('invalid_input', `problems found: ${broken.join(', ')}.`);
    });
}

async function runChecks(cli: CliContext): Promise<Finding[]> {
  try {
    return await withContext(cli, async (context) => {
      const findings: Finding[] = [];
      for (const check of CHECKS) findings.push(await check(context));
      return findings;
    });
  } catch (error) {
    // Opening the context already checks settings, data directory, database and key.
    if (error instanceof SetupError) return [{ check: 'start', state: 'broken', says: error.message }];
    throw error;
  }
}

function key({ keyFile }: CommandContext): Finding {
  const says = keyFile
    ? `matches the stored data; keep a copy of ${keyFile.path} elsewhere`
    : 'matches the stored data';
  return { check: 'encryption key', state: 'ok', says };
}

async function mail({ mail }: CommandContext): Promise<Finding> {
  if (!mail) return { check: 'mail', state: 'off', says: 'no mail is sent: SMTP_URL is not set' };
  const result = await mail.mailer.check();
  if (result.outcome !== 'sent') return { check: 'mail', state: 'broken', says: explainFailure(result, 'en') };
  return { check: 'mail', state: 'ok', says: `the mail server accepts the login; sender is ${mail.sender}` };
}

import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Context } from '../context.ts';
import { AppError, NoInstanceError, SettingsError, SetupError } from '../domain/errors.ts';
import { markText } from '../domain/move.ts';
import { explainFailure } from '../services/test-mail.ts';
import { currentRelease, releaseText } from '../version.ts';
import { type CliContext, printList, type SettingsReport, withContext } from './command.ts';
import { backups } from './doctor/backups.ts';
import { challenges } from './doctor/challenges.ts';
import { directory, disk, permissions } from './doctor/data-directory.ts';
import { clock, connection, database, durability, plans } from './doctor/database.ts';
import { files } from './doctor/files.ts';
import type { Check, Finding } from './doctor/finding.ts';
import { address, metrics, visitors } from './doctor/public-address.ts';
import { webhooks } from './doctor/webhooks.ts';

/** All checks, in the order of the output. */
const CHECKS: readonly Check[] = [
  directory,
  permissions,
  disk,
  files,
  database,
  connection,
  durability,
  key,
  clock,
  plans,
  challenges,
  backups,
  mail,
  webhooks,
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
      const broken = new Set(findings.filter(({ state }) => state === 'broken').map(({ check }) => check));
      if (broken.size > 0) throw new AppError('invalid_input', `problems found: ${[...broken].join(', ')}.`);
    });
}

async function runChecks(cli: CliContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    const report = await cli.settings();
    findings.push(await instance(report), settings(report));
    await withContext(cli, async (context) => {
      if (context.moveMark) findings.push({ check: 'move', state: 'broken', says: markText(context.moveMark) });
      for (const check of CHECKS) findings.push(await check(context));
    });
  } catch (error) {
    // Opening the context already checks settings, data directory, database and key.
    if (error instanceof NoInstanceError || !(error instanceof SetupError)) throw error;
    const messages = error instanceof SettingsError ? error.messages : [error.message];
    findings.push(...messages.map((says): Finding => ({ check: 'start', state: 'broken', says })));
  }
  return findings;
}

async function instance({ dataDir, baseUrl }: SettingsReport): Promise<Finding> {
  const version = releaseText(await currentRelease());
  const says = `${resolve(dataDir)}, version ${version}, BASE_URL ${baseUrl ?? 'not set'}`;
  return { check: 'instance', state: 'ok', says };
}

function settings({ file, warnings }: SettingsReport): Finding {
  if (warnings.length > 0) return { check: 'settings', state: 'broken', says: warnings.join(' ') };
  const source = file === null ? 'the environment; no settings file was read' : `the environment and ${file}`;
  return { check: 'settings', state: 'ok', says: `from ${source}` };
}

function key({ keyFile }: Context): Finding {
  const says = keyFile
    ? `matches the stored data; keep a copy of ${keyFile.path} elsewhere`
    : 'matches the stored data';
  return { check: 'encryption key', state: 'ok', says };
}

/** Counts stop here. */
const MAX_FAILED_MAILS = 1_000;

async function mail({ mail, store }: Context): Promise<Finding> {
  if (!mail) return { check: 'mail', state: 'off', says: 'no mail is sent: SMTP_URL is not set' };
  const result = await mail.mailer.check();
  if (result.outcome !== 'sent') return { check: 'mail', state: 'broken', says: explainFailure(result, 'en') };
  const failed = await store.mails.countFailed(null, MAX_FAILED_MAILS);
  if (failed > 0) {
    const count =
      failed === MAX_FAILED_MAILS ? `at least ${failed} mails` : failed === 1 ? '1 mail' : `${failed} mails`;
    const says = `${count} failed. See "formstead outbox list --state dead", then send them again with "formstead outbox retry --dead"`;
    return { check: 'mail', state: 'broken', says };
  }
  return { check: 'mail', state: 'ok', says: `the mail server accepts the login; sender is ${mail.sender}` };
}

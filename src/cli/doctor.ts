import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Context } from '../context/context.ts';
import { invalidInput, NoInstanceError, SettingsError, SetupError } from '../domain/errors.ts';
import { markText } from '../domain/instance/move.ts';
import * as checks from '../services/instance/checks/checks.ts';
import { explainFailure } from '../services/mail/test-mail.ts';
import { currentRelease, releaseText } from '../version.ts';
import { CliCommand, type CliContext, printList, type SettingsReport, withContext } from './command.ts';
import { challenges } from './doctor/challenges.ts';
import { directory, permissions } from './doctor/data-directory.ts';
import { clock, connection, database, plans } from './doctor/database.ts';
import { files } from './doctor/files.ts';
import { broken, type Check, type Finding, ok, toSentence, type Verdict } from './doctor/finding.ts';
import { address, metrics, visitors } from './doctor/public-address.ts';

/** Order of the output. Names are checks that the Status page makes too; its others follow. */
const CHECKS: ReadonlyArray<readonly [name: string, check: Check] | checks.CheckName> = [
  ['data directory', directory],
  ['permissions', permissions],
  'disk',
  ['files', files],
  ['database', database],
  ['connection', connection],
  'database',
  'key',
  ['clock', clock],
  ['plans', plans],
  ['challenges', challenges],
  'backups',
  'mail',
  'webhooks',
  'pages',
  'address',
  ['visitor addresses', visitors],
  ['metrics', metrics],
];

/** Checks that take longer than a page may. Null keeps the finding of the Status page. */
const DEEPER: Partial<Record<checks.CheckName, (context: Context) => Promise<Verdict | null>>> = {
  address,
  /** Logs in to the mail server and sends nothing. */
  mail: async ({ mail }) => {
    if (mail.sender === null) return null;
    const result = await mail.mailer.check();
    return result.outcome === 'sent' ? null : broken(explainFailure(result, 'en'));
  },
};

export function doctorCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'doctor')
    .description('check the installation, and say how to fix each problem')
    .action(async () => {
      if (cli.prompt) cli.stderr('Reading the whole database. This takes a while if it is large.\n');
      const findings = await runChecks(cli);
      printList(cli, findings, ['check', 'state', 'message']);
      const broken = new Set(findings.filter(({ state }) => state === 'broken').map(({ check }) => check));
      if (broken.size > 0) throw invalidInput(`problems found: ${[...broken].join(', ')}.`);
    });
}

async function runChecks(cli: CliContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    const report = await cli.settings();
    findings.push(await instance(report), settings(report));
    await withContext(cli, async (context) => {
      if (context.moveMark) findings.push({ check: 'move', ...broken(markText(context.moveMark)) });
      const shared = await checks.instanceChecks(context, null, await context.isServerRunning());
      // Prints checks that are missing from `CHECKS` last.
      for (const one of new Set([...CHECKS, ...shared.map(({ check }) => check)])) {
        const [check, run] = typeof one === 'string' ? [one, DEEPER[one]] : one;
        const verdict = await run?.(context);
        if (verdict) findings.push({ check, ...verdict });
        else findings.push(...shared.filter((each) => each.check === one).map(toDoctor));
      }
    });
  } catch (error) {
    // Opening the context already checks settings, data directory, database and key.
    if (error instanceof NoInstanceError || !(error instanceof SetupError)) throw error;
    const messages = error instanceof SettingsError ? error.messages : [error.message];
    findings.push(...messages.map((message): Finding => ({ check: 'start', state: 'broken', message })));
  }
  return findings;
}

async function instance({ dataDir, baseUrl }: SettingsReport): Promise<Finding> {
  const version = releaseText(await currentRelease());
  const message = `Version ${version} in ${resolve(dataDir)}; BASE_URL is ${baseUrl ?? 'not set'}.`;
  return { check: 'instance', ...ok(message) };
}

function settings({ file, warnings }: SettingsReport): Finding {
  if (warnings.length > 0) return { check: 'settings', ...broken(warnings.join(' ')) };
  const source = file === null ? 'without a settings file' : `and from ${file}`;
  return { check: 'settings', ...ok(`They are read from the environment ${source}.`) };
}

const NAMES: Partial<Record<checks.CheckName, string>> = { database: 'durability', key: 'encryption key' };

/** Returns a finding of the Status page as `doctor` prints it, with the fix for the server's administrator. */
export function toDoctor(finding: checks.Finding): Finding {
  const { check, state, command } = finding;
  // The store names the settings of the database, for which Status refers to `doctor`.
  const parts = check === 'database' ? [toSentence(command ?? '')] : [checks.englishText(finding), command];
  if (check === 'mail' && state === 'ok') parts.push('The mail server accepts the login.');
  const message = parts.filter(Boolean).join(' ');
  return { check: NAMES[check] ?? check, state: state === 'bad' ? 'broken' : state, message };
}

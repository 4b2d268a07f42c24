import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { AppError, SetupError } from '../domain/errors.ts';
import { newId } from '../lib/ids.ts';
import { explained } from '../services/test-mail.ts';
import { type CommandContext, printList, type Surroundings, withContext } from './command.ts';

/** `off` is what works and could do more; `says` tells how to mend what is broken. */
type Finding = Readonly<{ check: string; state: 'ok' | 'off' | 'broken'; says: string }>;

/** `formstead doctor` */
export function doctorCommand(surroundings: Surroundings): Command {
  return new Command('doctor')
    .description('look whether everything is in order, and say how to mend what is not')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine(surroundings);
      printList(surroundings, json === true, findings, ['check', 'state', 'says']);
      const broken = findings.filter(({ state }) => state === 'broken').map(({ check }) => check);
      if (broken.length > 0) throw new AppError('invalid_input', `not in order: ${broken.join(', ')}.`);
    });
}

async function examine(surroundings: Surroundings): Promise<Finding[]> {
  try {
    return await withContext(surroundings, (context) =>
      Promise.all([directory(context), database(context), key(context), mail(context), address(context)]),
    );
  } catch (error) {
    // Settings, data directory, database and key are looked at by every start: nothing opens if one of them does not fit.
    if (error instanceof SetupError) return [{ check: 'start', state: 'broken', says: error.message }];
    throw error;
  }
}

function directory({ config: { dataDir } }: CommandContext): Finding {
  const probe = join(dataDir, newId('probe'));
  try {
    writeFileSync(probe, 'x', { flush: true });
    return { check: 'data directory', state: 'ok', says: dataDir };
  } catch (error) {
    const says = `${dataDir} cannot be written (${error}); give it to the user that Formstead runs as, and make room on its disk.`;
    return { check: 'data directory', state: 'broken', says };
  } finally {
    rmSync(probe, { force: true });
  }
}

async function database({ store }: CommandContext): Promise<Finding> {
  const damage = await store.findDamage();
  if (damage.length === 0) return { check: 'database', state: 'ok', says: 'whole' };
  const says = `damaged; stop the server, keep a copy of the data directory and go back to a backup. It says: ${damage.join('; ')}`;
  return { check: 'database', state: 'broken', says };
}

function key({ keyFile }: CommandContext): Finding {
  const says = keyFile ? `opens what is stored; keep a copy of ${keyFile.path}` : 'opens what is stored';
  return { check: 'encryption key', state: 'ok', says };
}

async function mail({ mail }: CommandContext): Promise<Finding> {
  if (!mail) return { check: 'mail', state: 'off', says: 'no mail is sent: SMTP_URL is not set' };
  const answer = await mail.mailer.check();
  if (answer.outcome !== 'sent') return { check: 'mail', state: 'broken', says: explained(answer) };
  return { check: 'mail', state: 'ok', says: `the server lets us in; mails come from ${mail.sender}` };
}

function address({ config: { baseUrl } }: CommandContext): Finding {
  if (baseUrl !== null) return { check: 'address', state: 'ok', says: baseUrl };
  const says = 'mails hold no links to the dashboard: BASE_URL is not set to the address that visitors use';
  return { check: 'address', state: 'off', says };
}

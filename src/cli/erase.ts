import { open } from 'node:fs/promises';
import { Command } from 'commander';
import { parsePersonAddress } from '../domain/person.ts';
import { Semaphore } from '../lib/semaphore';
import {
  type ErasureDeps,
  erasePerson,
  newCounts,
  newSearch,
  type PersonSearch,
  personLines,
  searchPerson,
} from '../services/erasure.ts';
import { requireTeam } from '../services/teams.ts';
import { type CliContext, printOne, withContext } from './command.ts';
import { telling } from './progress.ts';

type Options = Readonly<{ email: string; team: string; export?: string; yes?: boolean; json?: boolean }>;

/** `formstead submission erase` */
export function eraseCommand(surroundings: CliContext): Command {
  const { ask, stderr } = surroundings;
  return new Command('erase')
    .description('delete for good all submissions of a team that hold an e-mail address, with files and mails')
    .requiredOption('--email <address>', 'the address, which is looked for in all that was filled in')
    .requiredOption('--team <id>', 'the team')
    .option('--export <file>', 'first write what was found to a new file, as JSON Lines')
    .option('--yes', 'do not ask before deleting')
    .action(({ email, team, yes, json, ...options }: Options, command: Command) => {
      if (!yes && !ask) command.error('error: nobody can be asked here; --yes says that it is meant');
      return withContext(surroundings, async (context) => {
        await requireTeam(context.store, team);
        const person = { teamId: team, address: parsePersonAddress(email) };
        const deps = { ...context, semaphore: new Semaphore(1) };
        const { note } = context;
        note({}, { action: 'person.searched' });

        const search = newSearch(context.clock);
        const found = () => `${search.scanned} of at most ${Math.max(search.scanned, search.atMost)} looked at`;
        await telling(stderr, found, searchPerson(deps, person, search));
        stderr(`${search.times.length} found, ${search.scanned} looked at, ${search.unreadable} damaged.\n`);
        if (options.export !== undefined) {
          await exportTo(options.export, deps, search);
          note({ found: search.times.length }, { action: 'person.exported' });
        }
        if (search.times.length > 0 && !yes) {
          const answer = await ask?.(`Delete ${search.times.length} for good? This is final. Type "yes": `);
          if (answer?.trim() !== 'yes') {
            stderr('Nothing was deleted.\n');
            return;
          }
        }
        const counts = newCounts();
        const deleted = () => `${counts.scanned} of ${search.times.length} deleted`;
        const receipt = await telling(stderr, deleted, erasePerson(deps, person, search, counts));
        const { submissions, files, mails } = receipt;
        note({ submissions, files, mails }, { action: 'person.erased' });
        printOne(surroundings, json === true, receipt);
      });
    });
}

/** On the disk when it returns. A file that is there already is left alone: that throws. */
async function exportTo(path: string, deps: ErasureDeps, search: PersonSearch): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    const progress = { step: 'writing' as const, submissions: 0, atMost: search.times.length };
    for await (const piece of personLines(deps, search, progress)) await file.appendFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

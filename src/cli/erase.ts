import type { Command } from 'commander';
import type { Context } from '../context/context.ts';
import { parsePersonAddress } from '../domain/submissions/person.ts';
import { Semaphore } from '../lib/semaphore.ts';
import * as erasure from '../services/erasure/erasure.ts';
import { awaitPurge } from '../services/instance/purges.ts';
import { requireTeam } from '../services/teams/teams.ts';
import { CliCommand, type CliContext, printOne } from './command.ts';
import { withProgress } from './progress.ts';
import { writeNewFile } from './submission-export.ts';

type Options = Readonly<{ email: string; team: string; export?: string; yes?: boolean }>;

export function eraseCommand(cli: CliContext): Command {
  const { prompt, stderr } = cli;
  return new CliCommand(cli, 'erase')
    .description(
      'permanently delete all submissions of a team that contain an email address, with their files and mails',
    )
    .requiredOption('--email <address>', 'address to search for in all fields and file names')
    .requiredOption('--team <id>', 'id of the team')
    .option('--export <file>', 'first write the submissions found to a new file as JSON Lines')
    .confirmable()
    .run(async (context, { email, team, yes, ...options }: Options) => {
      await requireTeam(context.store, team);
      const person = { teamId: team, address: parsePersonAddress(email) };
      const deps = { ...context, semaphore: new Semaphore(1) };
      const { note } = context;
      note({}, { action: 'person.searched' });

      const search = erasure.newSearch(context.clock);
      const searched = () =>
        `${search.scanned} of at most ${Math.max(search.scanned, search.atMost)} submissions searched`;
      await withProgress(cli, searched, erasure.searchPerson(deps, person, search));
      stderr(`${search.times.length} found, ${search.scanned} searched, ${search.unreadable} damaged.\n`);
      if (options.export !== undefined) {
        const progress = { step: 'writing' as const, submissions: 0, atMost: search.times.length };
        await writeNewFile(options.export, erasure.personLines(deps, search, progress), '--export');
        note({ found: search.times.length }, { action: 'person.exported' });
      }
      if (search.times.length > 0 && !yes) {
        const answer = await prompt?.(`Permanently delete ${search.times.length} submissions? Type "yes": `);
        if (answer?.trim() !== 'yes') {
          stderr('Nothing was deleted.\n');
          return;
        }
      }
      const counts = erasure.newCounts();
      const deleted = () => `${counts.scanned} of ${search.times.length} submissions deleted`;
      const erased = await withProgress(cli, deleted, erasure.erasePerson(deps, person, search, counts));
      const { submissions, files, mails } = erased.facts;
      note({ submissions, files, mails }, { action: 'person.erased' });
      await withProgress(cli, () => 'purging the database', purge(context, erased));
      printOne(cli, await erasure.getReceipt(context, erased));
    });
}

/** Purges the database, or waits for a server to do it. The receipt says if it is still pending. */
async function purge(context: Context, { purge: request }: erasure.Erased): Promise<void> {
  const { store, isServerRunning } = context;
  if (request === 0) return;
  if (await isServerRunning()) return awaitPurge(context, request);
  const residue = await store.upkeep.purge();
  if (residue) context.log.warn('deleted data may have left copies in the database', residue);
}

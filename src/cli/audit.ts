import type { Command } from 'commander';
import type { StoredAuditEntry } from '../domain/audit.ts';
import { formatTime, type Micros } from '../lib/clock.ts';
import { requireTeam } from '../services/teams/teams.ts';
import { CliCommand, type CliContext, parseTimeOption, toJson } from './command.ts';

const PAGE_SIZE = 500;

export function auditCommand(cli: CliContext): Command {
  const audit = new CliCommand(cli, 'audit').description('audit log: who did what, when and from where');

  audit
    .command('export')
    .description('print all entries as JSON Lines, oldest first; with --json as one array')
    .option('--team <id>', 'only entries of this team')
    .option('--since <time>', 'only entries from this time on, such as 2027-01-31T00:00:00Z', parseTimeOption)
    .run(async ({ store, note }, { team, since }: { team?: string; since?: Micros }) => {
      if (team !== undefined) await requireTeam(store, team);
      let count = 0;
      let after = 0;
      for (;;) {
        const page = await store.audit.listFrom(team ?? null, { since: since ?? 0, after, limit: PAGE_SIZE });
        for (const entry of page) {
          const separator = cli.asJson ? (count === 0 ? '[' : ',\n') : '';
          await cli.stdout(`${separator}${toJson(serializeEntry(entry))}${cli.asJson ? '' : '\n'}`);
          count += 1;
        }
        after = page.at(-1)?.id ?? after;
        if (page.length < PAGE_SIZE) break;
      }
      if (cli.asJson) await cli.stdout(count === 0 ? '[]\n' : ']\n');
      note({ count });
    });

  return audit;
}

function serializeEntry({ id, at, teamId, actor, action, details }: StoredAuditEntry) {
  const hasId = actor.kind === 'user' || actor.kind === 'key';
  return {
    id,
    at: formatTime(at),
    team_id: teamId,
    actor: { kind: actor.kind, id: hasId ? actor.id : null, name: actor.name },
    address: actor.address,
    action,
    details,
  };
}

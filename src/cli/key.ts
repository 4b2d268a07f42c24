import { Command, Option } from 'commander';
import type { ApiKey, Scope } from '../domain/api-key.ts';
import { AppError } from '../domain/errors.ts';
import { formatTime, type Micros, parseTime } from '../lib/clock.ts';
import { createKey } from '../services/keys.ts';
import { requireTeam } from '../services/teams.ts';
import { type CliContext, keeperOf, printList, printOne, withContext } from './command.ts';

/** RFC 3339 has years of four digits. */
const LAST_TIME: Micros = Date.UTC(9999, 11, 31) * 1000;

type CreateOptions = { team: string; name: string; scope: Scope; expiresAt?: string; json?: boolean };

/** `formstead key …` */
export function keyCommand(surroundings: CliContext): Command {
  const command = new Command('key').description('keys for the management API');

  command
    .command('create')
    .description('make a key and show its secret, once')
    .requiredOption('--team <id>', 'the team whose data it reaches')
    .requiredOption('--name <name>', 'its name')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(['read', 'read_write']).default('read'))
    .option('--expires-at <time>', 'when it stops working, such as 2027-01-31T00:00:00Z')
    .action(({ team, name, scope, expiresAt, json }: CreateOptions) =>
      withContext(surroundings, async (context) => {
        const expiry = expiresAt === undefined ? null : parseExpiry(expiresAt);
        const { key, secret } = await createKey(keeperOf(context), { teamId: team, name, scope, expiresAt: expiry });
        context.note({ key_id: key.id });
        printOne(surroundings, json === true, { ...shown(key), secret });
        if (!json) surroundings.stderr('Copy the secret now: it is not kept and cannot be shown again.\n');
      }),
    );

  command
    .command('revoke <id>')
    .description('end a key; its very next request is refused')
    .action((id: string, { json }: { json?: boolean }) =>
      withContext(surroundings, async ({ store, clock, note }) => {
        const key = await store.revokeKey(id, clock());
        if (!key) throw new AppError('not_found', `there is no key "${id}"; see "key list --team <id>".`);
        note({ key_id: id }, { teamId: key.teamId });
        printOne(surroundings, json === true, shown(key));
      }),
    );

  command
    .command('list')
    .description('list the keys of a team')
    .requiredOption('--team <id>', 'the team')
    .action(({ team, json }: { team: string; json?: boolean }) =>
      withContext(surroundings, async ({ store }) => {
        await requireTeam(store, team);
        const keys = (await store.listKeys(team)).map(shown);
        const columns = ['id', 'name', 'scope', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'];
        printList(surroundings, json === true, keys, columns);
      }),
    );

  return command;
}

function parseExpiry(text: string): Micros {
  const time = parseTime(text);
  if (time !== null && time > LAST_TIME) {
    throw new AppError(
      'invalid_input',
      `--expires-at is "${text}", which is too far; leave it out for a key without end.`,
    );
  }
  if (time !== null) return time;
  throw new AppError(
    'invalid_input',
    `--expires-at is "${text}"; it takes an RFC 3339 time such as 2027-01-31T00:00:00Z.`,
  );
}

function shown({ id, name, teamId, scope, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKey) {
  return {
    id,
    name,
    team_id: teamId,
    scope,
    created_at: formatTime(createdAt),
    expires_at: expiresAt === null ? null : formatTime(expiresAt),
    revoked_at: revokedAt === null ? null : formatTime(revokedAt),
    last_used_at: lastUsedAt === null ? null : formatTime(lastUsedAt),
  };
}

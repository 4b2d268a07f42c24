import { type Command, Option } from 'commander';
import type { ApiKey, Scope } from '../domain/api-key.ts';
import { invalidInput, notFound } from '../domain/errors.ts';
import { formatTime, type Micros, parseTime } from '../lib/clock.ts';
import { createKey } from '../services/keys/api-keys.ts';
import { requireTeam } from '../services/teams/teams.ts';
import { CliCommand, type CliContext, collect, printList, printOne, serviceDeps } from './command.ts';

/** The last time that RFC 3339 can express: its years have four digits. */
const LAST_TIME: Micros = Date.UTC(9999, 11, 31) * 1000;

type CreateOptions = { team: string; name: string; scope: Scope; form?: string[]; expiresAt?: string };

export function keyCommand(cli: CliContext): Command {
  const command = new CliCommand(cli, 'key').description('API keys of the management API');

  command
    .command('create')
    .description('create a key and print its secret, once')
    .requiredOption('--team <id>', 'id of the team whose data the key can access')
    .requiredOption('--name <name>', 'name of the key')
    .addOption(new Option('--scope <scope>', 'permissions of the key').choices(['read', 'read_write']).default('read'))
    .option('--form <id>', 'limit the key to a form, by id or short id; repeat for more (default: all forms)', collect)
    .option('--expires-at <time>', 'expiry time, such as 2027-01-31T00:00:00Z (default: never)')
    .run(async (context, { team, name, scope, form, expiresAt }: CreateOptions) => {
      const expiry = expiresAt === undefined ? null : parseExpiry(expiresAt);
      const settings = { teamId: team, name, scope, expiresAt: expiry, createdBy: null, forms: form };
      const { key, secret } = await createKey(serviceDeps(context), settings);
      context.note({ key_id: key.id });
      printOne(cli, { ...serializeKey(key), secret });
      if (!cli.asJson) cli.stderr('Copy the secret now. It is not stored and cannot be shown again.\n');
    });

  command
    .command('revoke <id>')
    .description('revoke a key with immediate effect')
    .confirmable()
    .run(async ({ store, clock, note, confirm }, id: string) => {
      if (!(await confirm(`Revoke ${id}? Programs with its secret get 401 at once. Type "yes": `))) return;
      const key = await store.keys.revoke(id, clock());
      if (!key) throw notFound(`there is no key "${id}"; see "key list --team <id>".`);
      note({ key_id: id }, { teamId: key.teamId });
      printOne(cli, serializeKey(key));
    });

  command
    .command('list')
    .description('list the keys of a team')
    .requiredOption('--team <id>', 'id of the team')
    .run(async ({ store }, { team }: { team: string }) => {
      await requireTeam(store, team);
      const keys = (await store.keys.list(team)).map(serializeKey);
      const columns = ['id', 'name', 'scope', 'created_at', 'expires_at', 'revoked_at', 'last_used_at'];
      printList(cli, keys, columns);
    });

  return command;
}

function parseExpiry(text: string): Micros {
  const time = parseTime(text);
  if (time === null) {
    throw invalidInput(`--expires-at must be an RFC 3339 time such as 2027-01-31T00:00:00Z (got "${text}").`);
  }
  if (time <= LAST_TIME) return time;
  throw invalidInput(
    `--expires-at must be before the year 10000 (got "${text}"). Leave it out for a key that never expires.`,
  );
}

function serializeKey({ id, name, teamId, scope, formIds, createdAt, expiresAt, revokedAt, lastUsedAt }: ApiKey) {
  return {
    id,
    name,
    team_id: teamId,
    scope,
    form_ids: formIds,
    created_at: formatTime(createdAt),
    expires_at: expiresAt === null ? null : formatTime(expiresAt),
    revoked_at: revokedAt === null ? null : formatTime(revokedAt),
    last_used_at: lastUsedAt === null ? null : formatTime(lastUsedAt),
  };
}

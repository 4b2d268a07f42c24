import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Context } from '../context/context.ts';
import { conflict, invalidInput, notFound } from '../domain/errors.ts';
import { cachingResolver, SsrfGuard } from '../lib/ssrf-guard.ts';
import { printable } from '../lib/table.ts';
import type { Change, Plan } from '../services/setup/changes.ts';
import { requireTeam } from '../services/teams/teams.ts';
import type { TeamSetup } from '../storage/records.ts';
import { CliCommand, type CliContext, type CommandContext, toJson } from './command.ts';
import { commandActor } from './record.ts';
import { readStart, setupReferences } from './setup-references.ts';
import { planText, referencesText, serializePlan } from './setup-text.ts';

/** Bytes of a file to read: one more than its limit. */
const READ_BYTES = 1024 * 1024 + 1;

type Options = { team?: string; prune?: boolean; yes?: boolean; allowFilesOutside?: boolean };

type Planned = Readonly<{ plan: Plan; before: TeamSetup; teamId: string }>;

export function applyCommand(cli: CliContext): Command {
  const { stderr } = cli;
  return withFile(new CliCommand(cli, 'apply'))
    .description('make workspaces, forms and webhooks what a YAML file says')
    .option('--prune', 'also remove workspaces, forms, webhooks and fields that the file leaves out')
    .confirmable('skip the confirmation of --prune', ({ prune }) => prune)
    .run(async (context, file: string, options: Options) => {
      const { plan, before, teamId } = await readPlan(context, file, options);
      stderr(referencesText(plan));
      if (options.prune && !options.yes && hasRemovals(plan)) {
        stderr(planText(plan));
        const question = 'Lines with "-" are removed. Apply all of this? Type "yes": ';
        if (!(await context.confirm(question))) return;
      }
      await store(context, { plan, before, teamId });
      await cli.stdout(cli.asJson ? `${toJson(serializePlan(plan, true))}\n` : planText(plan) + secretsText(plan));
      if (plan.secrets.length > 0) stderr('Copy the signing secrets now. They cannot be shown again.\n');
    });
}

export function diffCommand(cli: CliContext): Command {
  return withFile(new CliCommand(cli, 'diff'))
    .description('show what apply would change; exits with 0 without changes, 2 with some, 1 for a broken file')
    .option('--prune', 'as if apply had --prune')
    .run(async (context, file: string, options: Options) => {
      const { plan } = await readPlan(context, file, options);
      await cli.stdout(cli.asJson ? `${toJson(serializePlan(plan, false))}\n` : planText(plan) + referencesText(plan));
      if (plan.changes.length > 0) cli.exitWith(2);
    });
}

export function pullCommand(cli: CliContext): Command {
  return withTeam(new CliCommand(cli, 'pull'))
    .description('print workspaces, forms and webhooks as a YAML file for apply')
    .run(async ({ store, vault, config }, { team }: Options) => {
      const { getSetup: setupOf, toYaml } = await import('../services/setup/pull.ts');
      const setup = setupOf(vault, await store.setup.read(await getTeamId(store, team)));
      const schemaUrl = config.baseUrl && new URL('/docs/forms.schema.json', config.baseUrl).href;
      const text = cli.asJson ? `${toJson(setup)}\n` : toYaml(setup, schemaUrl);
      await cli.stdout(text);
      if (Buffer.byteLength(text) < READ_BYTES) return;
      cli.stderr('The file is larger than apply takes (1 MiB). Split it by workspaces.\n');
    });
}

function withTeam(command: CliCommand): CliCommand {
  return command.option('--team <id>', 'id of the team; needed only where there are several');
}

function withFile(command: CliCommand): CliCommand {
  return withTeam(command)
    .argument('<file>')
    .option('--allow-files-outside', 'allow file: to read files outside the folder of the YAML file');
}

/** Returns the id of the team to work on. Throws `invalid_input` if there are several and none is named. */
async function getTeamId(store: Context['store'], id: string | undefined): Promise<string> {
  if (id !== undefined) return (await requireTeam(store, id)).id;
  const [team, other] = await store.teams.list();
  if (!team) throw notFound('There is no team yet. Create one with "team create --name <name>".');
  if (!other) return team.id;
  throw invalidInput('There are several teams. Pass --team with the id of one; see "team list".');
}

async function readPlan(context: CommandContext, file: string, options: Options): Promise<Planned> {
  const { team, prune = false, allowFilesOutside = false } = options;
  const { cli, store, vault, clock, config } = context;
  // Loaded here, because no other command needs the parser of YAML.
  const [{ SetupDocument }, { planSetup }] = await Promise.all([
    import('../services/setup/document.ts'),
    import('../services/setup/plan.ts'),
  ]);
  const bytes = await readStart(file, READ_BYTES).catch((error: NodeJS.ErrnoException) => {
    throw invalidInput(`Could not read ${file} (${error.code}). Pass the path of a YAML file.`);
  });
  const document = new SetupDocument(basename(file), bytes);
  const teamId = await getTeamId(store, team);
  const before = await store.setup.read(teamId);
  const references = setupReferences(cli, context.keyFile, file, allowFilesOutside);
  const network = { ...context.network, ssrfGuard: new SsrfGuard(config, cachingResolver()) };
  const deps = { vault, clock, network, references };
  return { plan: await planSetup(deps, document, before, { teamId, prune, store }), before, teamId };
}

/** Makes the changes of a plan in one transaction. Throws `conflict` if something else changed meanwhile. */
async function store({ store, clock }: Context, { plan, before, teamId }: Planned): Promise<void> {
  if (plan.changes.length === 0) return;
  const { auditEntries } = await import('../services/setup/plan.ts');
  const at = clock();
  const changes = { ...plan.store, audit: auditEntries(plan, at, teamId, commandActor()) };
  if (await store.setup.apply(teamId, before, changes, at)) return;
  throw conflict('Something else changed forms of the team meanwhile. Nothing was applied. Try again.');
}

/** Tells whether a plan removes objects, or fields of forms. */
function hasRemovals({ changes }: Plan): boolean {
  const names = (fields: unknown) => new Set((fields as ReadonlyArray<{ name: string }>).map(({ name }) => name));
  const isRemoval = ({ action, settings }: Change) => {
    const fields = settings.find(({ name }) => name === 'fields');
    return action === 'delete' || (fields && !names(fields.before).isSubsetOf(names(fields.after)));
  };
  return changes.some(isRemoval);
}

/** Formats the signing secrets of new webhooks. */
function secretsText({ secrets }: Plan): string {
  return secrets
    .map(({ webhook_id, webhook, secret }) => `${printable(webhook)} (${webhook_id}): ${secret}\n`)
    .join('');
}

import { Command, InvalidArgumentError } from 'commander';
import { AppError } from '../domain/errors.ts';
import { type Form, parseFields, parseRedirectUrl } from '../domain/form.ts';
import { parseName } from '../domain/team.ts';
import { formatTime } from '../lib/clock.ts';
import { createForm, requireTeam } from '../services/owners.ts';
import { keeperOf, printList, printOne, requireSome, type Surroundings, withContext } from './command.ts';

type Settings = { name?: string; redirectUrl?: string; fields?: string; active?: boolean; json?: boolean };

/** `formstead form …` */
export function formCommand(surroundings: Surroundings): Command {
  const form = new Command('form').description('forms, which take submissions');

  withSettings(form.command('create'))
    .description('make a form')
    .requiredOption('--workspace <id>', 'the workspace it belongs to')
    .requiredOption('--name <name>', 'its name')
    .action(({ workspace, name, json, ...settings }: Settings & { workspace: string; name: string }) =>
      withContext(surroundings, async (context) => {
        const { redirectUrl = null, fields = [] } = changesOf(settings);
        const created = await createForm(keeperOf(context), { workspaceId: workspace, name, redirectUrl, fields });
        printOne(surroundings, json === true, shown(created));
      }),
    );

  withSettings(form.command('update <id>'))
    .description('change a form; what is not named stays')
    .option('--name <name>', 'its new name')
    .option('--active <true|false>', 'whether it takes submissions', parseBoolean)
    .action((id: string, { json, ...settings }: Settings, command: Command) => {
      requireSome(command, settings);
      return withContext(surroundings, async ({ store }) => {
        const updated = await store.updateForm(id, changesOf(settings));
        if (!updated) throw new AppError('not_found', `there is no form "${id}"; see "form list --team <id>".`);
        printOne(surroundings, json === true, shown(updated));
      });
    });

  form
    .command('list')
    .description('list the forms of a team')
    .requiredOption('--team <id>', 'the team')
    .action(({ team, json }: { team: string; json?: boolean }) =>
      withContext(surroundings, async ({ store }) => {
        await requireTeam(store, team);
        const forms = (await store.listForms(team)).map(shown);
        printList(surroundings, json === true, forms, ['id', 'short_id', 'name', 'is_active', 'created_at']);
      }),
    );

  return form;
}

function withSettings(command: Command): Command {
  return command
    .option('--redirect-url <url>', 'where visitors go afterwards; "" for nowhere')
    .option('--fields <json>', 'its fields: [{"name":"email","label":"E-mail","type":"email","required":true}]');
}

function changesOf({ name, redirectUrl, fields, active }: Settings) {
  return {
    ...(name !== undefined && { name: parseName(name) }),
    ...(redirectUrl !== undefined && { redirectUrl: redirectUrl === '' ? null : parseRedirectUrl(redirectUrl) }),
    ...(fields !== undefined && { fields: parseFields(fields) }),
    ...(active !== undefined && { isActive: active }),
  };
}

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('It takes true or false.');
}

function shown({ id, name, shortId, createdAt, isActive, workspaceId, redirectUrl, fields }: Form) {
  return {
    id,
    name,
    short_id: shortId,
    created_at: formatTime(createdAt),
    is_active: isActive,
    workspace_id: workspaceId,
    redirect_url: redirectUrl,
    fields,
  };
}

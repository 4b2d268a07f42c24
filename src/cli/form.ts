import { Command, InvalidArgumentError } from 'commander';
import { AppError } from '../domain/errors.ts';
import {
  type Form,
  type FormChanges,
  parseFields,
  parseFileTypes,
  parseOrigins,
  parseRedirectUrl,
  parseThanksText,
  parseThanksTitle,
} from '../domain/form.ts';
import { parseName } from '../domain/team.ts';
import { formatTime } from '../lib/clock.ts';
import { createForm, requireTeam } from '../services/owners.ts';
import { keeperOf, printList, printOne, requireSome, type Surroundings, withContext } from './command.ts';

type Settings = {
  name?: string;
  redirectUrl?: string;
  fields?: string;
  enforceRules?: boolean;
  allowedOrigins?: string;
  allowedFileTypes?: string;
  thanksTitle?: string;
  thanksText?: string;
  active?: boolean;
  json?: boolean;
};

/** `formstead form …` */
export function formCommand(surroundings: Surroundings): Command {
  const form = new Command('form').description('forms, which take submissions');

  withSettings(form.command('create'))
    .description('make a form')
    .requiredOption('--workspace <id>', 'the workspace it belongs to')
    .requiredOption('--name <name>', 'its name')
    .action(({ workspace, name, json, ...settings }: Settings & { workspace: string; name: string }) =>
      withContext(surroundings, async (context) => {
        const created = await createForm(keeperOf(context), { ...changesOf(settings), workspaceId: workspace, name });
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
    .option('--thanks-title <text>', 'over the page that thanks a visitor, where there is no redirect URL')
    .option('--thanks-text <text>', 'what that page says; "" for the text in the visitor\'s language')
    .option('--fields <json>', 'its fields: [{"name":"email","label":"E-mail","type":"email","required":true}]')
    .option('--enforce-rules <true|false>', 'whether a post that does not fit the fields is refused', parseBoolean)
    .option('--allowed-origins <list>', 'pages that may post: https://example.com,https://www.example.com; "" for all')
    .option('--allowed-file-types <list>', 'files that are taken: image/*,application/pdf; "" for all');
}

function changesOf(settings: Settings): FormChanges {
  const { name, redirectUrl, fields, enforceRules, allowedOrigins, allowedFileTypes, thanksTitle, thanksText, active } =
    settings;
  return {
    ...(name !== undefined && { name: parseName(name) }),
    ...(redirectUrl !== undefined && { redirectUrl: redirectUrl === '' ? null : parseRedirectUrl(redirectUrl) }),
    ...(thanksTitle !== undefined && { thanksTitle: parseThanksTitle(thanksTitle) }),
    ...(thanksText !== undefined && { thanksText: parseThanksText(thanksText) }),
    ...(fields !== undefined && { fields: parseFields(fields) }),
    ...(enforceRules !== undefined && { enforcesRules: enforceRules }),
    ...(allowedOrigins !== undefined && { allowedOrigins: parseOrigins(allowedOrigins) }),
    ...(allowedFileTypes !== undefined && { allowedFileTypes: parseFileTypes(allowedFileTypes) }),
    ...(active !== undefined && { isActive: active }),
  };
}

function parseBoolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('It takes true or false.');
}

function shown(form: Form) {
  return {
    id: form.id,
    name: form.name,
    short_id: form.shortId,
    created_at: formatTime(form.createdAt),
    is_active: form.isActive,
    workspace_id: form.workspaceId,
    redirect_url: form.redirectUrl,
    thanks_title: form.thanksTitle,
    thanks_text: form.thanksText,
    fields: form.fields,
    enforces_rules: form.enforcesRules,
    allowed_origins: form.allowedOrigins,
    allowed_file_types: form.allowedFileTypes,
  };
}

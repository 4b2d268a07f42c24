import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { conflict, invalidInput } from '../domain/errors.ts';
import { parseFields } from '../domain/fields/parse-fields.ts';
import { CHALLENGE_KINDS, type ChallengeInput, type ChallengeKind } from '../domain/forms/challenge.ts';
import { keptConditions, parseRecipientConditions } from '../domain/forms/condition.ts';
import type { Destinations } from '../domain/forms/destinations.ts';
import { DEFAULT_SETTINGS, type Form, type FormChanges, type FormSettings } from '../domain/forms/form.ts';
import * as formSettings from '../domain/forms/form-settings.ts';
import type { StoredSubmission } from '../domain/submissions/submission.ts';
import { parseName } from '../domain/teams/team.ts';
import { formatTime } from '../lib/clock.ts';
import { snakeCase } from '../lib/snake-case.ts';
import { challengeSettings } from '../services/forms/challenge.ts';
import { completeDeletion } from '../services/forms/form-trash.ts';
import { createForm, moveForm, teamIdOfForm } from '../services/forms/forms.ts';
import { tryDestinations } from '../services/forms/try-destinations.ts';
import type { DeletedCounts } from '../services/submissions/delete-batches.ts';
import { requireTeam } from '../services/teams/teams.ts';
import * as commands from './command.ts';
import { formNotFound, requireForm, requireStoredForm } from './form-lookup.ts';
import { withProgress } from './progress.ts';

type Settings = Readonly<{
  name?: string;
  fields?: string;
  notifyWhen?: string;
  challenge?: ChallengeKind | 'none';
  challengeSecret?: string;
  challengeSecretFile?: string;
  challengeVerifyUrl?: string;
  active?: boolean;
}>;

export function formCommand(cli: commands.CliContext): Command {
  const form = new commands.CliCommand(cli, 'form').description('forms and their settings');

  const create = form
    .command('create')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--name <name>', 'name of the form');
  withSettings(create)
    .description('create a form')
    .run(async (context, { workspace, name, ...settings }: Settings & { workspace: string; name: string }) => {
      const values = { ...getChanges(settings, DEFAULT_SETTINGS), workspaceId: workspace, name };
      const created = await createForm(commands.serviceDeps(context), values, await getChallenge(cli, settings));
      context.note({ form_id: created.id }, { teamId: await teamIdOfForm(context.store, created.id) });
      commands.printOne(cli, serializeForm(created));
    });

  withSettings(form.command('update <id>'))
    .description('change settings of a form; all others stay as they are')
    .option('--name <name>', 'new name')
    .option('--active <true|false>', 'accept submissions', commands.parseBoolean)
    .hook('preAction', commands.requireOption)
    .run(async ({ store, vault, note }, id: string, settings: Settings) => {
      const form = await requireForm(store, id);
      const challenge = await getChallenge(cli, settings);
      const changes = {
        ...getChanges(settings, form),
        ...(settings.challenge && challengeSettings(vault, form.id, challenge)),
      };
      const updated = await store.forms.update(form.id, changes);
      note({ form_id: form.id }, { teamId: await teamIdOfForm(store, form.id) });
      commands.printOne(cli, serializeForm(updated ?? form));
    });

  form
    .command('list')
    .description('list the forms of a team')
    .requiredOption('--team <id>', 'id of the team')
    .option('--trashed', 'only forms in the trash')
    .run(async ({ store }, { team, trashed }: { team: string; trashed?: boolean }) => {
      await requireTeam(store, team);
      const forms = (await store.forms.list(team, trashed ? 'trashed' : 'live')).map(serializeForm);
      const columns = ['id', 'short_id', 'name', 'is_active', 'created_at'];
      commands.printList(cli, forms, trashed ? [...columns, 'trashed_at'] : columns);
    });

  form
    .command('show <id>')
    .description('show a form and its settings, also from the trash')
    .run(async ({ store }, id: string) => {
      commands.printOne(cli, serializeForm((await requireStoredForm(store, id)).form));
    });

  form
    .command('move <id>')
    .description('move a form to another workspace of its team')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .run(async ({ store, note }, id: string, { workspace }: { workspace: string }) => {
      const form = await requireForm(store, id);
      await moveForm({ store }, form, workspace);
      note({ form_id: form.id }, { teamId: await teamIdOfForm(store, form.id) });
      commands.printOne(cli, serializeForm(await requireForm(store, id)));
    });

  form
    .command('delete <id>')
    .description('move a form with its submissions to the trash for 30 days')
    .option('--now', 'delete it permanently instead, also from the trash')
    .confirmable('skip the confirmation of --now', ({ now }) => now)
    .run(async (context, id: string, { now }: { now?: boolean }) => {
      if (now) return deleteNow(context, id);
      const { form, teamId } = await requireStoredForm(context.store, id);
      if (!(await context.store.trash.moveForm(form.id, teamId, context.clock()))) formNotFound(id);
      context.note({ form_id: form.id }, { teamId });
      commands.printOne(cli, { id: form.id, trashed: true });
    });

  form
    .command('restore <id>')
    .description('move a form with its submissions out of the trash')
    .run(async ({ store, note }, id: string) => {
      const { form, teamId } = await requireStoredForm(store, id);
      if (!(await store.trash.moveForm(form.id, teamId, null))) {
        throw conflict(
          form.trashedAt === null
            ? `The form "${id}" is not in the trash. See "form list --team <id> --trashed".`
            : `The form "${id}" is being deleted and cannot be restored.`,
        );
      }
      note({ form_id: form.id }, { teamId });
      commands.printOne(cli, { id: form.id, restored: true });
    });

  form
    .command('routes <id>')
    .description('show which recipients and webhooks the latest submissions would go to; sends nothing')
    .option('--limit <count>', 'maximum number of submissions', commands.parseLimit, 100)
    .run(showRoutes);

  return form;
}

function withSettings(command: commands.CliCommand): commands.CliCommand {
  for (const name of formSettings.SETTING_NAMES) command.addOption(getOption(name));
  return command
    .option('--fields <json>', 'fields of the form: [{"name":"email","label":"Email","type":"email","required":true}]')
    .option(
      '--notify-when <json>',
      'conditions of the recipients: {"ada@example.com":[{"field":"topic","is":"sales"}]}; {} for none',
    )
    .addOption(
      new Option('--challenge <kind>', 'challenge that visitors must solve').choices([...CHALLENGE_KINDS, 'none']),
    )
    .option('--challenge-secret <secret>', 'secret key of the challenge; stored sealed and never shown')
    .addOption(
      new Option(
        '--challenge-secret-file <path>',
        'read this key from a file, or with - from stdin, to keep it out of process lists',
      ).conflicts('challengeSecret'),
    )
    .option('--challenge-verify-url <url>', 'URL that verifies solutions');
}

/** Returns the option that changes a setting. */
function getOption(name: formSettings.SettingName): Option {
  const { option, argument, about, unset, examples, kind, choices, default: initial } = formSettings.settingNamed(name);
  const flags = `--${option ?? snakeCase(name).replaceAll('_', '-')} <${argument}>`;
  const text = about[0]?.toLowerCase() + about.slice(1) + (examples ? `: ${examples.join(',')}` : '');
  if (kind === 'flag') return new Option(flags, text).argParser(commands.parseBoolean);
  if (choices) return new Option(flags, text).choices(initial === null ? [...choices, 'none'] : choices);
  return new Option(flags, unset === undefined ? text : `${text}; ${kind === 'number' ? '"none"' : '""'} for ${unset}`);
}

/** Returns the changes of the options to a form with `before`, and keeps the conditions of its recipients. */
function getChanges(settings: Settings, before: Pick<FormSettings, 'notify' | 'notifyWhen'>): FormChanges {
  const { name, fields, notifyWhen, active } = settings;
  const given = new Map(Object.entries(settings));
  const plain: FormChanges[] = formSettings.SETTING_NAMES.map((setting) => {
    const value = given.get(getOption(setting).attributeName());
    return value === undefined ? {} : formSettings.readSetting(setting, value);
  });
  const parsed: FormChanges = Object.assign({}, ...plain);
  const recipients = parsed.notify ?? before.notify;
  return {
    ...parsed,
    ...(name !== undefined && { name: parseName(name) }),
    ...(parsed.notify && { notifyWhen: keptConditions(before.notifyWhen, recipients) }),
    ...(notifyWhen !== undefined && { notifyWhen: parseRecipientConditions(notifyWhen, recipients) }),
    ...(fields !== undefined && { fields: parseFields(fields) }),
    ...(active !== undefined && { isActive: active }),
  };
}

/** Returns the challenge of the options, or null. Throws `invalid_input` if its options come without `--challenge`. */
async function getChallenge(cli: commands.CliContext, settings: Settings): Promise<ChallengeInput | null> {
  const { challenge, challengeVerifyUrl } = settings;
  const secret = await getChallengeSecret(cli, settings);
  if (challenge && challenge !== 'none') return { kind: challenge, secret, verifyUrl: challengeVerifyUrl ?? null };
  if (secret === null && challengeVerifyUrl === undefined) return null;
  throw invalidInput(
    '--challenge-secret, --challenge-secret-file and --challenge-verify-url require --challenge with its kind.',
  );
}

/** Returns the secret of a challenge from its option, file or stdin; null for none. */
async function getChallengeSecret(cli: commands.CliContext, { challengeSecret, challengeSecretFile: path }: Settings) {
  if (path === undefined) return challengeSecret ?? null;
  const read = async () => (path === '-' ? Buffer.concat(await Array.fromAsync(cli.stdin())) : await readFile(path));
  const bytes = await read().catch((error: NodeJS.ErrnoException) => {
    throw invalidInput(`Could not read ${path} (${error.code}). Check --challenge-secret-file.`);
  });
  return bytes.toString().trim();
}

function serializeForm(form: Form) {
  return {
    id: form.id,
    name: form.name,
    short_id: form.shortId,
    created_at: formatTime(form.createdAt),
    is_active: form.isActive,
    archived_at: form.archivedAt === null ? null : formatTime(form.archivedAt),
    trashed_at: form.trashedAt === null ? null : formatTime(form.trashedAt),
    workspace_id: form.workspaceId,
    ...formSettings.serializeSettings(form),
    fields: form.fields,
    notify_when: form.notifyWhen,
    challenge: form.challenge,
    challenge_verify_url: form.challengeVerifyUrl,
  };
}

async function deleteNow(
  { cli, store, blobs, clock, note, confirm }: commands.CommandContext,
  id: string,
): Promise<void> {
  const { form, teamId } = await requireStoredForm(store, id);
  const question = `Permanently delete the form "${form.name}" with its submissions? Type "yes": `;
  if (!(await confirm(question))) return;
  await store.trash.moveForm(form.id, teamId, clock());
  if (!(await store.trash.expireForm(form.id, teamId))) formNotFound(id);
  const counts: DeletedCounts = { submissions: 0, files: 0, mails: 0 };
  const work = completeDeletion({ store, blobs }, form.id, counts, new AbortController().signal);
  await withProgress(cli, () => `${counts.submissions} submissions deleted`, work);
  note({ form_id: form.id, ...counts }, { teamId, action: 'form.deleted' });
  commands.printOne(cli, { id: form.id, deleted: true, ...counts });
}

/** Prints a dry run of the conditions of recipients and webhooks. */
async function showRoutes(context: commands.CommandContext, id: string, { limit }: { limit: number }) {
  const { cli, store, mail } = context;
  const form = await requireForm(store, id);
  const submissions = await tryDestinations(context, form, limit, serializeDecision);
  const totals = getTotals(form, submissions);
  if (mail.sender === null && form.notify.length > 0) {
    cli.stderr('No mail server is configured, so recipients get nothing. Set SMTP_URL and MAIL_FROM.\n');
  }
  if (cli.asJson) return commands.printOne(cli, { form_id: form.id, totals, submissions });
  commands.printList(cli, submissions, ['id', 'created_at', 'is_spam', 'is_fallback', 'recipients', 'webhooks']);
  cli.stdout('\n');
  commands.printList(cli, totals, ['kind', 'route', 'submissions']);
}

function serializeDecision({ id, createdAt, isSpam }: StoredSubmission, routes: Destinations) {
  return {
    id,
    created_at: formatTime(createdAt),
    is_spam: isSpam,
    is_fallback: routes.isFallback,
    recipients: routes.recipients,
    webhooks: routes.webhooks.map((webhook) => webhook.id),
  };
}

/** Returns the number of submissions for each recipient and webhook of the form. */
function getTotals({ notify, webhookRoutes }: Form, decisions: ReadonlyArray<ReturnType<typeof serializeDecision>>) {
  const total = (kind: 'recipient' | 'webhook') => (route: string) => {
    const submissions = decisions.filter((decision) => decision[`${kind}s`].includes(route)).length;
    return { kind, route, submissions };
  };
  return [...notify.map(total('recipient')), ...webhookRoutes.map(({ id }) => id).map(total('webhook'))];
}

import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { CHALLENGE_KINDS, type ChallengeInput, type ChallengeKind } from '../domain/challenge.ts';
import { keptConditions, parseRecipientConditions } from '../domain/condition.ts';
import { AppError } from '../domain/errors.ts';
import {
  DEFAULT_SETTINGS,
  DIGEST_INTERVALS,
  type Form,
  type FormChanges,
  type FormSettings,
  parseFields,
} from '../domain/form.ts';
import { parseSetting, TEXT_SETTINGS, type TextSetting } from '../domain/form-settings.ts';
import { MAYBE_SPAM_ACTIONS } from '../domain/spam.ts';
import { formatTime } from '../lib/clock.ts';
import { challengeSettings } from '../services/challenge.ts';
import { createForm, moveForm, teamIdOfForm } from '../services/forms.ts';
import { requireTeam } from '../services/teams.ts';
import {
  type CliContext,
  parseBoolean,
  printList,
  printOne,
  requireOption,
  serviceDeps,
  withContext,
} from './command.ts';
import { requireForm, requireStoredForm } from './form-lookup.ts';
import { routesCommand } from './form-routes.ts';
import { deleteFormCommand, restoreFormCommand } from './form-trash.ts';

type Settings = Partial<Record<TextSetting, string>> & {
  fields?: string;
  notifyWhen?: string;
  enforceRules?: boolean;
  acceptFiles?: boolean;
  attachFiles?: boolean;
  threadMails?: boolean;
  hostedPage?: boolean;
  keepSource?: boolean;
  challenge?: ChallengeKind | 'none';
  challengeSecret?: string;
  challengeSecretFile?: string;
  challengeVerifyUrl?: string;
  active?: boolean;
  json?: boolean;
};

/** `formstead form …` */
export function formCommand(cli: CliContext): Command {
  const form = new Command('form').description('forms and their settings');

  const create = form
    .command('create')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .requiredOption('--name <name>', 'name of the form');
  withSettings(create)
    .description('create a form')
    .action(({ workspace, name, json, ...settings }: Settings & { workspace: string; name: string }) =>
      withContext(cli, async (context) => {
        const values = { ...changesOf(settings, DEFAULT_SETTINGS), workspaceId: workspace, name };
        const created = await createForm(serviceDeps(context), values, await challengeOf(cli, settings));
        context.note({ form_id: created.id }, { teamId: await teamIdOfForm(context.store, created.id) });
        printOne(cli, json === true, serializeForm(created));
      }),
    );

  withSettings(form.command('update <id>'))
    .description('change settings of a form; all others stay as they are')
    .option('--name <name>', 'new name')
    .option('--active <true|false>', 'accept submissions', parseBoolean)
    .action((id: string, { json, ...settings }: Settings, command: Command) => {
      requireOption(command, settings);
      return withContext(cli, async ({ store, vault, note }) => {
        const form = await requireForm(store, id);
        const challenge = await challengeOf(cli, settings);
        const changes = {
          ...changesOf(settings, form),
          ...(settings.challenge && challengeSettings(vault, form.id, challenge)),
        };
        const updated = await store.forms.update(form.id, changes);
        note({ form_id: form.id }, { teamId: await teamIdOfForm(store, form.id) });
        printOne(cli, json === true, serializeForm(updated ?? form));
      });
    });

  form
    .command('list')
    .description('list the forms of a team')
    .requiredOption('--team <id>', 'id of the team')
    .option('--trashed', 'only forms in the trash')
    .action(({ team, trashed, json }: { team: string; trashed?: boolean; json?: boolean }) =>
      withContext(cli, async ({ store }) => {
        await requireTeam(store, team);
        const forms = (await store.forms.list(team, trashed ? 'trashed' : 'live')).map(serializeForm);
        const columns = ['id', 'short_id', 'name', 'is_active', 'created_at'];
        printList(cli, json === true, forms, trashed ? [...columns, 'trashed_at'] : columns);
      }),
    );

  form
    .command('show <id>')
    .description('show a form and its settings, also from the trash')
    .action((id: string, { json }: { json?: boolean }) =>
      withContext(cli, async ({ store }) => {
        printOne(cli, json === true, serializeForm((await requireStoredForm(store, id)).form));
      }),
    );

  form
    .command('move <id>')
    .description('move a form to another workspace of its team')
    .requiredOption('--workspace <id>', 'id of the workspace')
    .action((id: string, { workspace, json }: { workspace: string; json?: boolean }) =>
      withContext(cli, async ({ store, note }) => {
        const form = await requireForm(store, id);
        await moveForm({ store }, form, workspace);
        note({ form_id: form.id }, { teamId: await teamIdOfForm(store, form.id) });
        printOne(cli, json === true, serializeForm(await requireForm(store, id)));
      }),
    );

  form.addCommand(deleteFormCommand(cli));
  form.addCommand(restoreFormCommand(cli));
  form.addCommand(routesCommand(cli));
  return form;
}

function withSettings(command: Command): Command {
  return command
    .option('--redirect-url <url>', 'page that visitors are redirected to after a submission; "" for none')
    .option('--thanks-title <text>', 'heading of the thank-you page, which is shown without a redirect URL')
    .option('--thanks-text <text>', 'text of the thank-you page; "" for the default in the visitor\'s language')
    .option('--public-name <text>', 'name that visitors see; "" for the name of the form')
    .option(
      '--closed-text <text>',
      'text for visitors while the form is paused or its plan is used up; "" for the default',
    )
    .option('--accent-color <color>', 'color of visitor pages, such as #0b6655; "" for the default')
    .option('--hosted-page <true|false>', 'serve a page with the fields of the form', parseBoolean)
    .option('--fields <json>', 'fields of the form: [{"name":"email","label":"Email","type":"email","required":true}]')
    .option('--enforce-rules <true|false>', 'refuse submissions that do not match the fields', parseBoolean)
    .option(
      '--allowed-origins <list>',
      'origins of pages that may post: https://example.com,https://www.example.com; "" for all',
    )
    .option('--allowed-file-types <list>', 'accepted file types: image/*,application/pdf; "" for all')
    .option('--accept-files <true|false>', 'accept files while no fields are configured', parseBoolean)
    .option(
      '--notify <list>',
      'recipients of a mail about each submission: ada@example.com,bob@example.com; "" for none',
    )
    .option(
      '--notify-when <json>',
      'conditions of these recipients: {"ada@example.com":[{"field":"topic","is":"sales"}]}; {} for none',
    )
    .option('--attach-files <true|false>', 'attach uploaded files to these mails', parseBoolean)
    .option('--thread-mails <true|false>', 'group these mails in one conversation', parseBoolean)
    .option('--sender-name <text>', 'name of the sender of these mails; "" for the default')
    .option('--reply-to <address>', 'address for replies of visitors; "" for none')
    .option('--auto-reply-subject <text>', 'subject of the mail to the visitor; {{name}} inserts a field')
    .option('--auto-reply-text <text>', 'text of the mail to the visitor; "" for no mail')
    .addOption(
      new Option('--digest <rhythm>', 'one summary mail instead of a mail about each submission').choices([
        ...DIGEST_INTERVALS,
        'none',
      ]),
    )
    .option('--time-zone <name>', 'time zone of the digest, such as Europe/Berlin')
    .option(
      '--retention-days <n>',
      'delete submissions after this number of days; "none" for RETENTION_DAYS of the instance',
    )
    .option('--keep-source <true|false>', 'store the source page and the browser of submissions', parseBoolean)
    .option('--blocked-words <list>', 'words and phrases that flag a submission as spam; "" for none')
    .addOption(
      new Option('--maybe-spam-action <action>', 'what happens to submissions that may be spam').choices([
        ...MAYBE_SPAM_ACTIONS,
      ]),
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

/** Returns the changes of the options to a form with `before`, and keeps the conditions of its recipients. */
function changesOf(settings: Settings, before: Pick<FormSettings, 'notify' | 'notifyWhen'>): FormChanges {
  const { fields, notifyWhen, enforceRules, acceptFiles, attachFiles, threadMails, hostedPage, keepSource, active } =
    settings;
  const texts = TEXT_SETTINGS.map((name) => settings[name] !== undefined && parseSetting(name, settings[name]));
  const parsed: FormChanges = Object.assign({}, ...texts);
  const recipients = parsed.notify ?? before.notify;
  return {
    ...parsed,
    ...(parsed.notify && { notifyWhen: keptConditions(before.notifyWhen, recipients) }),
    ...(notifyWhen !== undefined && { notifyWhen: parseRecipientConditions(notifyWhen, recipients) }),
    ...(fields !== undefined && { fields: parseFields(fields) }),
    ...(enforceRules !== undefined && { enforcesRules: enforceRules }),
    ...(acceptFiles !== undefined && { acceptsFiles: acceptFiles }),
    ...(attachFiles !== undefined && { attachFiles }),
    ...(threadMails !== undefined && { threadMails }),
    ...(hostedPage !== undefined && { hasHostedPage: hostedPage }),
    ...(keepSource !== undefined && { keepsSource: keepSource }),
    ...(active !== undefined && { isActive: active }),
  };
}

/**
 * Returns the challenge of the options, or null for none. Throws `invalid_input` if its options come without
 * `--challenge`.
 */
async function challengeOf(cli: CliContext, settings: Settings): Promise<ChallengeInput | null> {
  const { challenge, challengeVerifyUrl } = settings;
  const secret = await challengeSecretOf(cli, settings);
  if (challenge && challenge !== 'none') return { kind: challenge, secret, verifyUrl: challengeVerifyUrl ?? null };
  if (secret === null && challengeVerifyUrl === undefined) return null;
  throw new AppError(
    'invalid_input',
    '--challenge-secret, --challenge-secret-file and --challenge-verify-url require --challenge with its kind.',
  );
}

/** Returns the secret of a challenge from its option, file or stdin; null for none. */
async function challengeSecretOf(cli: CliContext, { challengeSecret, challengeSecretFile: path }: Settings) {
  if (path === undefined) return challengeSecret ?? null;
  if (path === '-')
    return Buffer.concat(await Array.fromAsync(cli.stdin()))
      .toString()
      .trim();
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new AppError('invalid_input', `Could not read ${path} (${error.code}). Check --challenge-secret-file.`);
  });
  return text.trim();
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
    public_name: form.publicName,
    closed_text: form.closedText,
    accent_color: form.accentColor,
    has_hosted_page: form.hasHostedPage,
    workspace_id: form.workspaceId,
    redirect_url: form.redirectUrl,
    thanks_title: form.thanksTitle,
    thanks_text: form.thanksText,
    fields: form.fields,
    enforces_rules: form.enforcesRules,
    allowed_origins: form.allowedOrigins,
    allowed_file_types: form.allowedFileTypes,
    accepts_files: form.acceptsFiles,
    notify: form.notify,
    notify_when: form.notifyWhen,
    attach_files: form.attachFiles,
    thread_mails: form.threadMails,
    sender_name: form.senderName,
    reply_to: form.replyTo,
    auto_reply_subject: form.autoReplySubject,
    auto_reply_text: form.autoReplyText,
    digest: form.digest,
    time_zone: form.timeZone,
    retention_days: form.retentionDays,
    keeps_source: form.keepsSource,
    blocked_words: form.blockedWords,
    maybe_spam_action: form.maybeSpamAction,
    challenge: form.challenge,
    challenge_verify_url: form.challengeVerifyUrl,
  };
}

import { Command, InvalidArgumentError, Option } from 'commander';
import { CHALLENGE_KINDS, type ChallengeKind, type WantedChallenge } from '../domain/challenge.ts';
import { parseAddresses } from '../domain/email-address.ts';
import { AppError } from '../domain/errors.ts';
import {
  DIGEST_RHYTHMS,
  type DigestRhythm,
  type Form,
  type FormChanges,
  parseAutoReplySubject,
  parseAutoReplyText,
  parseBlockedWords,
  parseFields,
  parseFileTypes,
  parseOrigins,
  parseRedirectUrl,
  parseRetentionDays,
  parseThanksText,
  parseThanksTitle,
} from '../domain/form.ts';
import { parseName } from '../domain/team.ts';
import { parseTimeZone } from '../domain/time-zone.ts';
import { formatTime } from '../lib/clock.ts';
import { challengeSettings } from '../services/challenge.ts';
import { createForm, teamIdOfForm } from '../services/forms.ts';
import { requireTeam } from '../services/teams.ts';
import { type CliContext, keeperOf, printList, printOne, requireSome, withContext } from './command.ts';

type Settings = {
  name?: string;
  redirectUrl?: string;
  fields?: string;
  enforceRules?: boolean;
  allowedOrigins?: string;
  allowedFileTypes?: string;
  thanksTitle?: string;
  thanksText?: string;
  blockedWords?: string;
  notify?: string;
  attachFiles?: boolean;
  threadMails?: boolean;
  autoReplySubject?: string;
  autoReplyText?: string;
  digest?: DigestRhythm | 'none';
  timeZone?: string;
  retentionDays?: string;
  challenge?: ChallengeKind | 'none';
  challengeSecret?: string;
  challengeVerifyUrl?: string;
  active?: boolean;
  json?: boolean;
};

/** `formstead form …` */
export function formCommand(surroundings: CliContext): Command {
  const form = new Command('form').description('forms, which take submissions');

  withSettings(form.command('create'))
    .description('make a form')
    .requiredOption('--workspace <id>', 'the workspace it belongs to')
    .requiredOption('--name <name>', 'its name')
    .action(({ workspace, name, json, ...settings }: Settings & { workspace: string; name: string }) =>
      withContext(surroundings, async (context) => {
        const wanted = { ...changesOf(settings), workspaceId: workspace, name };
        const created = await createForm(keeperOf(context), wanted, challengeOf(settings));
        context.note({ form_id: created.id }, { teamId: await teamIdOfForm(context.store, created.id) });
        printOne(surroundings, json === true, shown(created));
      }),
    );

  withSettings(form.command('update <id>'))
    .description('change a form; what is not named stays')
    .option('--name <name>', 'its new name')
    .option('--active <true|false>', 'whether it takes submissions', parseBoolean)
    .action((id: string, { json, ...settings }: Settings, command: Command) => {
      requireSome(command, settings);
      return withContext(surroundings, async ({ store, vault, note }) => {
        const challenge = challengeOf(settings);
        const changes = {
          ...changesOf(settings),
          ...(settings.challenge && challengeSettings(vault, id, challenge)),
        };
        const updated = await store.updateForm(id, changes);
        if (!updated) throw new AppError('not_found', `there is no form "${id}"; see "form list --team <id>".`);
        note({ form_id: id }, { teamId: await teamIdOfForm(store, id) });
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
    .option('--allowed-file-types <list>', 'files that are taken: image/*,application/pdf; "" for all')
    .option('--notify <list>', 'who gets a mail of each submission: ada@example.com,bob@example.com; "" for no one')
    .option('--attach-files <true|false>', 'whether those mails carry the files', parseBoolean)
    .option('--thread-mails <true|false>', 'whether those mails are shown as one conversation', parseBoolean)
    .option('--auto-reply-subject <text>', 'the subject of the mail that a visitor gets; {{name}} stands for a field')
    .option('--auto-reply-text <text>', 'what that mail says; "" for no such mail')
    .addOption(
      new Option('--digest <rhythm>', 'one mail that sums up what came, in place of one of each').choices([
        ...DIGEST_RHYTHMS,
        'none',
      ]),
    )
    .option('--time-zone <name>', 'in which hours and days are counted, such as Europe/Berlin')
    .option('--retention-days <n>', 'submissions are deleted after so many days; "none" for what the instance does')
    .option('--blocked-words <list>', 'words and phrases that flag a submission as spam; "" for none')
    .addOption(new Option('--challenge <kind>', 'what a visitor has to solve').choices([...CHALLENGE_KINDS, 'none']))
    .option('--challenge-secret <secret>', 'the secret that goes with it; kept sealed and never shown')
    .option('--challenge-verify-url <url>', 'where to ask whether it was solved');
}

function changesOf(settings: Settings): FormChanges {
  const { name, redirectUrl, fields, enforceRules, allowedOrigins, allowedFileTypes, thanksTitle, thanksText } =
    settings;
  const { blockedWords, notify, attachFiles, threadMails, autoReplySubject, autoReplyText, digest, timeZone, active } =
    settings;
  const { retentionDays } = settings;
  return {
    ...(name !== undefined && { name: parseName(name) }),
    ...(redirectUrl !== undefined && { redirectUrl: redirectUrl === '' ? null : parseRedirectUrl(redirectUrl) }),
    ...(thanksTitle !== undefined && { thanksTitle: parseThanksTitle(thanksTitle) }),
    ...(thanksText !== undefined && { thanksText: parseThanksText(thanksText) }),
    ...(fields !== undefined && { fields: parseFields(fields) }),
    ...(enforceRules !== undefined && { enforcesRules: enforceRules }),
    ...(allowedOrigins !== undefined && { allowedOrigins: parseOrigins(allowedOrigins) }),
    ...(allowedFileTypes !== undefined && { allowedFileTypes: parseFileTypes(allowedFileTypes) }),
    ...(notify !== undefined && { notify: parseAddresses(notify) }),
    ...(attachFiles !== undefined && { attachFiles }),
    ...(threadMails !== undefined && { threadMails }),
    ...(autoReplySubject !== undefined && { autoReplySubject: parseAutoReplySubject(autoReplySubject) }),
    ...(autoReplyText !== undefined && { autoReplyText: parseAutoReplyText(autoReplyText) }),
    ...(digest !== undefined && { digest: digest === 'none' ? null : digest }),
    ...(timeZone !== undefined && { timeZone: parseTimeZone(timeZone) }),
    ...(retentionDays !== undefined && {
      retentionDays: retentionDays === 'none' ? null : parseRetentionDays(retentionDays),
    }),
    ...(blockedWords !== undefined && { blockedWords: parseBlockedWords(blockedWords) }),
    ...(active !== undefined && { isActive: active }),
  };
}

/** The challenge that the options name; null for none. Throws `invalid_input` for details of no challenge. */
function challengeOf({ challenge, challengeSecret, challengeVerifyUrl }: Settings): WantedChallenge | null {
  if (challenge && challenge !== 'none') {
    return { kind: challenge, secret: challengeSecret ?? null, verifyUrl: challengeVerifyUrl ?? null };
  }
  if (challengeSecret === undefined && challengeVerifyUrl === undefined) return null;
  throw new AppError(
    'invalid_input',
    '--challenge-secret and --challenge-verify-url go with --challenge and its kind.',
  );
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
    notify: form.notify,
    attach_files: form.attachFiles,
    thread_mails: form.threadMails,
    auto_reply_subject: form.autoReplySubject,
    auto_reply_text: form.autoReplyText,
    digest: form.digest,
    time_zone: form.timeZone,
    retention_days: form.retentionDays,
    blocked_words: form.blockedWords,
    challenge: form.challenge,
    challenge_verify_url: form.challengeVerifyUrl,
  };
}

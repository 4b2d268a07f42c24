import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { snakeCase } from '../lib/snake-case.ts';
import { CHALLENGE_KINDS } from './challenge.ts';
import { Condition, MAX_CONDITIONS } from './condition.ts';
import { DIGEST_INTERVALS, type FormSettings, FormField as StoredField } from './form.ts';
import { MAYBE_SPAM_ACTIONS } from './spam.ts';
import { MAX_WEBHOOKS_PER_FORM, WEBHOOK_KINDS } from './webhook.ts';
import { isSecret, WEBHOOK_OPTIONS, WEBHOOK_SETTING_NAMES, WebhookSettings } from './webhook-settings.ts';

/** Reference that leaves a stored secret as it is. */
export const KEEP = 'keep';

const strict = { additionalProperties: false };
/** TypeBox checks the pattern, and editors complete from `enum`. */
const oneOf = (values: readonly string[], description: string) =>
  Type.String({ enum: [...values], pattern: `^(?:${values.join('|').replaceAll('.', '\\.')})$`, description });
const text = (description: string) => Type.String({ description });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const yesOrNo = (description: string) => Type.Boolean({ description });
/** Texts that parsers take as one list with commas. */
const texts = (description: string) => Type.Array(Type.String({ pattern: '^[^,]*$' }), { description });

const SECRET = '`env:NAME` for a variable, `file:PATH` for a file beside this one, or `keep` for the stored value.';
const secret = (description: string) =>
  Type.String({ pattern: '^(?:keep|env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$', description: `${description} ${SECRET}` });
const When = (description: string) => Type.Array(Condition, { maxItems: MAX_CONDITIONS, description });

/** Settings with parts of their own in the file. */
type SpecialSetting = 'fields' | 'notifyWhen' | 'challenge' | 'challengeVerifyUrl' | 'challengeSecret' | 'akismetKey';

export type PlainSetting = Exclude<keyof FormSettings, SpecialSetting>;

/** Schemas of the settings of a form with one plain value. */
const PLAIN_SETTINGS = {
  publicName: textOrNull('Name that visitors see; null for the name of the form.'),
  closedText: textOrNull('Text for visitors while the form is paused; null for the default.'),
  accentColor: textOrNull('Color of visitor pages, such as #0b6655; null for the default.'),
  hasHostedPage: yesOrNo('Serves a page with the fields of the form.'),
  redirectUrl: textOrNull('Page that visitors are redirected to after a submission.'),
  thanksTitle: textOrNull('Heading of the thank-you page.'),
  thanksText: textOrNull('Text of the thank-you page.'),
  enforcesRules: yesOrNo('Refuses submissions that do not match the fields.'),
  allowedOrigins: texts('Origins of pages that may post, such as https://example.com; empty for all.'),
  allowedFileTypes: texts('Accepted file types, such as image/*; empty for all.'),
  acceptsFiles: yesOrNo(
    'Accepts files while no fields are configured; otherwise the fields of type file do. Default: true.',
  ),
  blockedWords: texts('Words and phrases that flag a submission as spam.'),
  maybeSpamAction: oneOf(MAYBE_SPAM_ACTIONS, 'What happens to a submission that may be spam. Default: deliver.'),
  notify: texts('Recipients of a mail about each submission.'),
  attachFiles: yesOrNo('Attaches uploaded files to these mails.'),
  threadMails: yesOrNo('Groups these mails in one conversation.'),
  senderName: textOrNull('Name of the sender of these mails; null for the default.'),
  replyTo: textOrNull('Address for replies of visitors.'),
  autoReplySubject: textOrNull('Subject of the mail to the visitor; {{name}} inserts a field.'),
  autoReplyText: textOrNull('Text of the mail to the visitor; null for no mail.'),
  digest: Type.Union([oneOf(DIGEST_INTERVALS, ''), Type.Null()], {
    description: 'One summary mail instead of a mail about each submission: hourly, daily or null.',
  }),
  timeZone: text('Time zone of the digest, such as Europe/Berlin.'),
  retentionDays: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Deletes submissions after this number of days; null for RETENTION_DAYS of the instance.',
  }),
  keepsSource: yesOrNo('Stores the source page and the browser of submissions.'),
} as const satisfies Record<PlainSetting, TSchema>;

export const PLAIN_SETTING_NAMES = Object.keys(PLAIN_SETTINGS) as PlainSetting[];

const Field = Type.Object(
  {
    ...StoredField.properties,
    label: Type.Optional(StoredField.properties.label),
    type: Type.Optional(StoredField.properties.type),
    required: Type.Optional(StoredField.properties.required),
  },
  strict,
);

const Challenge = Type.Object(
  {
    kind: oneOf(CHALLENGE_KINDS, 'The service; `altcha` needs no account.'),
    secret: Type.Optional(secret('Secret key of the service.')),
    verify_url: Type.Optional(textOrNull('URL that verifies solutions, for `cap` and `custom`.')),
  },
  strict,
);

/** Settings of a webhook by their names in the file. */
const WebhookProperties: Record<string, TSchema> = Object.fromEntries(
  WEBHOOK_SETTING_NAMES.map((name) => {
    const schema: TSchema = WebhookSettings.properties[name];
    const isSealedOption = isSecret(name) && WEBHOOK_OPTIONS.some((option) => option === name);
    return [snakeCase(name), Type.Optional(isSealedOption ? secret(schema.description ?? '') : schema)];
  }),
);

const WebhookEntry = Type.Object(
  {
    id: Type.Optional(text('Id of the webhook. Without one, it is found by kind and address.')),
    kind: Type.Optional(oneOf(WEBHOOK_KINDS, 'Kind of the target. Default: standard.')),
    ...WebhookProperties,
    url: Type.Optional(text(`${WebhookSettings.properties.url.description} It may be a secret: ${SECRET}`)),
    events: Type.Optional({ ...WebhookSettings.properties.events, uniqueItems: true }),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: `Headers of your own by name. A value may be a secret: ${SECRET}`,
      }),
    ),
  },
  strict,
);

const PlainProperties: Record<string, TSchema> = Object.fromEntries(
  PLAIN_SETTING_NAMES.map((name) => [snakeCase(name), Type.Optional(PLAIN_SETTINGS[name])]),
);

/** States of a form. Paused and archived forms accept nothing; archived ones are hidden from lists too. */
export const FORM_STATES = ['active', 'paused', 'archived'] as const;

const FormEntry = Type.Object(
  {
    id: Type.Optional(text('Id of the form. Without one, it is found by workspace and name.')),
    name: text('Name of the form.'),
    state: Type.Optional(oneOf(FORM_STATES, 'Default: active.')),
    ...PlainProperties,
    logo: Type.Optional(
      Type.Union([Type.String({ pattern: '^(?:keep|file:.+)$' }), Type.Null()], {
        description: 'Logo on visitor pages: `file:PATH` of an image, `keep`, or null for none.',
      }),
    ),
    fields: Type.Optional(Type.Array(Field, { description: 'Fields in the order of the form.' })),
    notify_when: Type.Optional(
      Type.Record(Type.String(), When('Conditions that a submission must all meet.'), {
        description: 'Conditions of recipients by address.',
      }),
    ),
    challenge: Type.Optional(
      Type.Union([Challenge, Type.Null()], { description: 'Challenge that visitors must solve; null for none.' }),
    ),
    webhooks: Type.Optional(
      Type.Array(WebhookEntry, {
        maxItems: MAX_WEBHOOKS_PER_FORM,
        description: 'Webhooks, chats and sheets that get the submissions.',
      }),
    ),
  },
  strict,
);

const WorkspaceEntry = Type.Object(
  {
    id: Type.Optional(text('Id of the workspace. Without one, it is found by name.')),
    name: text('Name of the workspace.'),
    forms: Type.Optional(Type.Array(FormEntry)),
  },
  strict,
);

/** Schema of the file of `formstead apply`. Properties that the file leaves out keep their value. */
export const SetupFile = Type.Object(
  { workspaces: Type.Array(WorkspaceEntry, { description: 'Workspaces in the order of lists.' }) },
  strict,
);

export type SetupFile = Static<typeof SetupFile>;
export type WorkspaceEntry = Static<typeof WorkspaceEntry>;
export type FormEntry = Omit<Static<typeof FormEntry>, 'logo'> & Readonly<{ logo?: string | null }>;
/** A webhook with its settings by their names in the file; `headers` are values by name. */
export type WebhookEntry = Readonly<{
  id?: string;
  kind?: string;
  url?: string;
  credentials?: string;
  events?: readonly string[];
  headers?: Readonly<Record<string, string>>;
  [name: string]: unknown;
}>;

/** Returns the JSON Schema of the file, for editors. */
export function setupFileJsonSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Forms of a Formstead team',
    ...SetupFile,
  };
}

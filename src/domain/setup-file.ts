import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { CHALLENGE_KINDS } from './challenge.ts';
import { Condition, MAX_CONDITIONS } from './condition.ts';
import { FormField as StoredField } from './form.ts';
import { FORM_SETTINGS, SETTING_NAMES, snakeCase } from './form-settings.ts';
import { oneOf } from './setting-kinds.ts';
import {
  BODY_STYLES,
  MAX_WEBHOOKS_PER_FORM,
  TEMPLATE_FORMATS,
  WEBHOOK_EVENTS,
  WEBHOOK_KINDS,
  type WebhookSettings,
} from './webhook.ts';

/** Reference that leaves a stored secret as it is. */
export const KEEP = 'keep';

const strict = { additionalProperties: false };
const text = (description: string) => Type.String({ description });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const yesOrNo = (description: string) => Type.Boolean({ description });

const SECRET = '`env:NAME` for a variable, `file:PATH` for a file beside this one, or `keep` for the stored value.';
const secret = (description: string) =>
  Type.String({ pattern: '^(?:keep|env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$', description: `${description} ${SECRET}` });
const When = (description: string) => Type.Array(Condition, { maxItems: MAX_CONDITIONS, description });

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

/** Options of webhooks that the file and the stored settings share. */
export const WEBHOOK_OPTIONS = ['template', 'templateFormat', 'chat', 'sheet'] as const satisfies ReadonlyArray<
  keyof WebhookSettings
>;

const WebhookEntry = Type.Object(
  {
    id: Type.Optional(text('Id of the webhook. Without one, it is found by kind and address.')),
    kind: Type.Optional(oneOf(WEBHOOK_KINDS, 'Kind of the target. Default: standard.')),
    url: Type.Optional(text(`Address that deliveries are posted to. It may be a secret: ${SECRET}`)),
    events: Type.Optional(
      Type.Array(oneOf(WEBHOOK_EVENTS, ''), {
        minItems: 1,
        uniqueItems: true,
        description: 'Default: submission.created.',
      }),
    ),
    body: Type.Optional(oneOf(BODY_STYLES, 'All fields, or only id and time of a submission. Default: full.')),
    include_spam: Type.Optional(yesOrNo('Also sends submissions flagged as spam.')),
    when: Type.Optional(When('Conditions that a submission must all meet.')),
    is_active: Type.Optional(yesOrNo('Sends deliveries; while false they stay queued.')),
    headers: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: `Headers of your own by name. A value may be a secret: ${SECRET}`,
      }),
    ),
    template: Type.Optional(text('Body of a template webhook, with {{field}} for values.')),
    template_format: Type.Optional(oneOf(TEMPLATE_FORMATS, 'Format of the template. Default: json.')),
    chat: Type.Optional(text('Id of the Telegram chat.')),
    sheet: Type.Optional(text('Id or address of the Google spreadsheet.')),
    credentials: Type.Optional(secret('JSON key of the Google service account.')),
  },
  strict,
);

const PlainProperties: Record<string, TSchema> = Object.fromEntries(
  SETTING_NAMES.map((name) => [snakeCase(name), Type.Optional(FORM_SETTINGS[name].schema as TSchema)]),
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
export type WebhookEntry = Static<typeof WebhookEntry>;

/** Returns the JSON Schema of the file, for editors. */
export function setupFileJsonSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Forms of a Formstead team',
    ...SetupFile,
  };
}

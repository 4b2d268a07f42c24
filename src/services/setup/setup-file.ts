import { type Static, type TSchema, Type } from '@sinclair/typebox';
import * as targets from '../../delivery/targets/index.ts';
import { FieldSchema } from '../../domain/fields/field-types.ts';
import { CHALLENGE_KINDS } from '../../domain/forms/challenge.ts';
import { Condition, MAX_CONDITIONS } from '../../domain/forms/condition.ts';
import { FORM_SETTINGS, SETTING_NAMES } from '../../domain/forms/form-settings.ts';
import { MAX_WEBHOOKS_PER_FORM } from '../../domain/webhooks/webhook.ts';
import { closed, oneOf } from '../../lib/schema.ts';
import { snakeCase } from '../../lib/snake-case.ts';

/** Reference that leaves a stored secret as it is. */
export const KEEP = 'keep';

const text = (description: string) => Type.String({ description });
const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const SECRET = '`env:NAME` for a variable, `file:PATH` for a file beside this one, or `keep` for the stored value.';
const secret = (description: string) =>
  Type.String({ pattern: '^(?:keep|env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$', description: `${description} ${SECRET}` });
const When = (description: string) => Type.Array(Condition, { maxItems: MAX_CONDITIONS, description });

const Field = closed({
  ...FieldSchema.properties,
  label: Type.Optional(FieldSchema.properties.label),
  type: Type.Optional(FieldSchema.properties.type),
  required: Type.Optional(FieldSchema.properties.required),
});

const Challenge = closed({
  kind: oneOf(CHALLENGE_KINDS, { description: 'The service; `altcha` needs no account.' }),
  secret: Type.Optional(secret('Secret key of the service.')),
  verify_url: Type.Optional(textOrNull('URL that verifies solutions, for `cap` and `custom`.')),
});

/** Settings of a webhook by their names in the file. */
const WebhookProperties: Record<string, TSchema> = Object.fromEntries(
  targets.WEBHOOK_SETTING_NAMES.map((name) => {
    const schema: TSchema = targets.WebhookSettings.properties[name];
    const isSealedOption = targets.isSecret(name) && targets.WEBHOOK_OPTIONS.some((option) => option === name);
    return [snakeCase(name), Type.Optional(isSealedOption ? secret(schema.description ?? '') : schema)];
  }),
);

const WebhookEntry = closed({
  id: Type.Optional(text('Id of the webhook. Without one, it is found by kind and address.')),
  kind: Type.Optional(oneOf(targets.WEBHOOK_KINDS, { description: 'Kind of the target. Default: standard.' })),
  ...WebhookProperties,
  url: Type.Optional(text(`${targets.WebhookSettings.properties.url.description} It may be a secret: ${SECRET}`)),
  events: Type.Optional({ ...targets.WebhookSettings.properties.events, uniqueItems: true }),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: `Headers of your own by name. A value may be a secret: ${SECRET}`,
    }),
  ),
});

const PlainProperties: Record<string, TSchema> = Object.fromEntries(
  SETTING_NAMES.map((name) => [snakeCase(name), Type.Optional(FORM_SETTINGS[name].schema as TSchema)]),
);

/** States of a form. Paused and archived forms accept nothing; archived ones are hidden from lists too. */
export const FORM_STATES = ['active', 'paused', 'archived'] as const;

const FormEntry = closed({
  id: Type.Optional(text('Id of the form. Without one, it is found by workspace and name.')),
  name: text('Name of the form.'),
  state: Type.Optional(oneOf(FORM_STATES, { description: 'Default: active.' })),
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
});

const WorkspaceEntry = closed({
  id: Type.Optional(text('Id of the workspace. Without one, it is found by name.')),
  name: text('Name of the workspace.'),
  forms: Type.Optional(Type.Array(FormEntry)),
});

/** Schema of the file of `formstead apply`. Properties that the file leaves out keep their value. */
export const SetupFile = closed({
  workspaces: Type.Array(WorkspaceEntry, { description: 'Workspaces in the order of lists.' }),
});

export type SetupFile = Static<typeof SetupFile>;
export type WorkspaceEntry = Static<typeof WorkspaceEntry>;
export type FormEntry = Omit<Static<typeof FormEntry>, 'logo'> & Readonly<{ logo?: string | null }>;
/** A webhook with its settings by their names in the file; `headers` are values by name. */
export type WebhookEntry = Readonly<{
  id?: string;
  kind?: string;
  url?: string;
  events?: readonly string[];
  headers?: Readonly<Record<string, string>>;
  [name: string]: unknown;
}>;

/** Returns the JSON Schema of the file, for editors. */
export function setupFileJsonSchema(): object {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Forms of a Formstead team', ...SetupFile };
}

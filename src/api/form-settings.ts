import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { Context } from '../context/context.ts';
import { noSuch } from '../domain/errors.ts';
import { CHALLENGE_KINDS, type ChallengeKind } from '../domain/forms/challenge.ts';
import { keptConditions, recipientConditions } from '../domain/forms/condition.ts';
import type { Form, FormChanges } from '../domain/forms/form.ts';
import * as settings from '../domain/forms/form-settings.ts';
import type { Setting } from '../domain/forms/setting-kinds.ts';
import { noun, nullable, oneOf } from '../lib/schema.ts';
import { snakeCase } from '../lib/snake-case.ts';
import { changedChallenge } from '../services/forms/challenge.ts';
import { requireForm } from './find.ts';
import { strictObject, withMessage } from './input.ts';
import { operation } from './operation.ts';
import { NamedCondition } from './shared-schemas.ts';

const FormSettings = noun('FormSettings', {
  ...Object.fromEntries(
    settings.SETTING_NAMES.map((name) => [
      snakeCase(name),
      { ...settings.settingNamed(name).schema, example: settings.PLAIN_DEFAULTS[name] },
    ]),
  ),
  notify_when: Type.Record(Type.String(), Type.Array(NamedCondition), {
    description: 'Conditions of recipients by address.',
    example: {},
  }),
  challenge: nullable(oneOf(CHALLENGE_KINDS), 'Challenge that visitors must solve; null for none.'),
  challenge_verify_url: nullable(Type.String(), 'URL that verifies solutions.'),
  challenge_secret: nullable(Type.Literal(true), 'True if the secret key of the challenge is set.'),
});

const { notify_when, challenge, challenge_verify_url } = FormSettings.properties;

/** Returns the schema of an optional property, with a message for the value and for the items of a list. */
function optional(schema: TSchema, message: string) {
  const { items } = schema as { items?: TSchema };
  return Type.Optional(withMessage({ ...schema, ...(items && { items: withMessage(items, message) }) }, message));
}

const SettingsPatch = strictObject(
  {
    ...Object.fromEntries(
      settings.SETTING_NAMES.map((name) => {
        const setting = settings.settingNamed(name);
        return [snakeCase(name), optional(setting.schema, `${snakeCase(name)} must be ${expectation(setting)}.`)];
      }),
    ),
    // `recipientConditions` has better messages about the conditions.
    notify_when: Type.Optional(
      withMessage(
        Type.Record(Type.String(), Type.Unknown()),
        'notify_when must be an object with lists of conditions by address.',
        notify_when,
      ),
    ),
    challenge: optional(challenge, `challenge must be one of ${CHALLENGE_KINDS.join(', ')} or null.`),
    challenge_verify_url: optional(challenge_verify_url, 'challenge_verify_url must be a string or null.'),
    challenge_secret: optional(
      Type.Union([Type.String(), Type.Literal(true), Type.Null()], {
        description: 'Secret key of the service; `true` keeps it. Needed again for another service or verify URL.',
      }),
      'challenge_secret must be a string, true or null.',
    ),
  },
  { thread_mails: true, redirect_url: null },
);

type Patch = Readonly<{
  notify_when?: Readonly<Record<string, unknown>>;
  challenge?: ChallengeKind | null;
  challenge_verify_url?: string | null;
  challenge_secret?: string | true | null;
}>;

export const formSettingsOperations = [
  operation('GET', '/v1/forms/:formId/settings', {
    id: 'getFormSettings',
    summary: 'Retrieve the settings of a form',
    description: 'Returns the settings of a form without its fields. A stored secret is shown as `true`.',
    output: FormSettings,
    run: async ({ context, teamId, params }) => serialize(await requireForm(context.store, params.formId, teamId)),
  }),
  operation('PATCH', '/v1/forms/:formId/settings', {
    id: 'changeFormSettings',
    summary: 'Update the settings of a form',
    description:
      'Changes the given settings; the others stay. With the `ETag` of the settings as `If-Match`, nothing changes if somebody else has changed them since.',
    audit: 'form.changed',
    ifMatch: true,
    body: SettingsPatch,
    output: FormSettings,
    example: { thread_mails: true },
    errors: ['precondition_failed'],
    run: async ({ context: { store, vault }, teamId, params, body, note, requireUnchanged }) => {
      const form = await requireForm(store, params.formId, teamId);
      requireUnchanged(serialize(form));
      const changes = getChanges(vault, form, body as Patch);
      const changed = (await store.forms.update(form.id, changes, teamId)) ?? noSuch('form');
      note({ form_id: form.id, settings: Object.keys(changes).join(', ') });
      return serialize(changed);
    },
  }),
];

/** Returns a form's settings as the API shows them: of a secret only whether there is one. */
function serialize(form: Form): Static<typeof FormSettings> {
  return {
    ...settings.serializeSettings(form),
    notify_when: form.notifyWhen as Static<typeof notify_when>,
    challenge: form.challenge,
    challenge_verify_url: form.challengeVerifyUrl,
    challenge_secret: form.challengeSecret ? true : null,
  };
}

/** Returns the changes of a body. Throws `invalid_input` for an invalid value. */
function getChanges(vault: Context['vault'], form: Form, body: Patch): FormChanges {
  const given = new Map<string, unknown>(Object.entries(body));
  const plain: FormChanges[] = settings.SETTING_NAMES.filter((name) => given.has(snakeCase(name))).map((name) =>
    settings.readSetting(name, given.get(snakeCase(name))),
  );
  const changes: FormChanges = Object.assign({}, ...plain);
  const { notify_when: conditions, challenge: kind, challenge_secret: secret, challenge_verify_url: verifyUrl } = body;
  const recipients = changes.notify ?? form.notify;
  return {
    ...changes,
    ...(changes.notify && { notifyWhen: keptConditions(form.notifyWhen, recipients) }),
    ...(conditions && { notifyWhen: recipientConditions(Object.entries(conditions), recipients) }),
    ...changedChallenge(vault, form, { kind, secret: secret === true ? undefined : secret, verifyUrl }),
  };
}

/** Describes the values of a setting for messages. */
function expectation({ kind, choices = [], default: initial }: Setting): string {
  const orNull = initial === null ? ' or null' : '';
  if (kind === 'flag') return 'true or false';
  if (kind === 'list') return 'a list of strings without commas';
  if (kind === 'choice') return `one of ${choices.join(', ')}${orNull}`;
  return (kind === 'number' ? 'a whole number' : 'a string') + orNull;
}

import type { TSchema } from '@sinclair/typebox';
import { Elysia, t } from 'elysia';
import type { Context } from '../../context.ts';
import { CHALLENGE_KINDS, type ChallengeKind } from '../../domain/challenge.ts';
import { keptConditions, recipientConditions } from '../../domain/condition.ts';
import type { Form, FormChanges } from '../../domain/form.ts';
import { readSetting, SETTING_NAMES, serializeSettings, settingNamed, snakeCase } from '../../domain/form-settings.ts';
import type { Setting } from '../../domain/setting-kinds.ts';
import type { BodyMemory } from '../../http/body-memory.ts';
import { entityTag, requireMatch } from '../../http/cached.ts';
import { strictObject, success, withMessage } from '../../http/envelope.ts';
import { FormParams } from '../../http/params.ts';
import { changedChallenge } from '../../services/challenge.ts';
import { formNotFound } from '../../services/forms.ts';
import { requireForm } from './find-form.ts';
import { jsonInput } from './json-input.ts';
import type { KeyGuard } from './key-guard.ts';
import { changeFormSettingsOperation, readFormSettingsOperation } from './openapi/management-operations.ts';
import { SCHEMAS } from './openapi/schemas.ts';

const { notify_when, challenge, challenge_verify_url } = SCHEMAS.FormSettings.properties;

/** Returns the schema of an optional property, with a message for the value and for the items of a list. */
function optional(schema: TSchema, message: string) {
  const { items } = schema as { items?: TSchema };
  return t.Optional(withMessage({ ...schema, ...(items && { items: withMessage(items, message) }) }, message));
}

const SettingsPatch = strictObject(
  {
    ...Object.fromEntries(
      SETTING_NAMES.map((name) => {
        const setting = settingNamed(name);
        return [snakeCase(name), optional(setting.schema, `${snakeCase(name)} must be ${expectation(setting)}.`)];
      }),
    ),
    // `recipientConditions` has better messages about the conditions.
    notify_when: optional(
      t.Record(t.String(), t.Unknown(), { publishedAs: notify_when }),
      'notify_when must be an object with lists of conditions by address.',
    ),
    challenge: optional(challenge, `challenge must be one of ${CHALLENGE_KINDS.join(', ')} or null.`),
    challenge_verify_url: optional(challenge_verify_url, 'challenge_verify_url must be a string or null.'),
    challenge_secret: optional(
      t.String({ description: 'Secret key of the service. Needed again for another service or verify URL.' }),
      'challenge_secret must be a string.',
    ),
  },
  { thread_mails: true, redirect_url: null },
);

type Patch = Readonly<{
  notify_when?: Readonly<Record<string, unknown>>;
  challenge?: ChallengeKind | null;
  challenge_verify_url?: string | null;
  challenge_secret?: string;
}>;

/** Registers the routes to read and change the settings of a form. */
export function formSettingsRoutes({ store, vault }: Context, guard: KeyGuard, bodies: BodyMemory) {
  return new Elysia()
    .use(guard)
    .get(
      '/v1/forms/:formId/settings',
      async ({ teamId, params }) => success(settingsOf(await requireForm(store, params.formId, teamId))),
      { detail: readFormSettingsOperation, params: FormParams },
    )
    .patch(
      '/v1/forms/:formId/settings',
      async ({ teamId, params, body, note, request }) => {
        const form = await requireForm(store, params.formId, teamId);
        requireMatch(request, entityTag(JSON.stringify(success(settingsOf(form)))));
        const changes = changesOf(vault, form, body as Patch);
        const changed = (await store.forms.update(form.id, changes, teamId)) ?? formNotFound();
        note({ form_id: form.id, settings: Object.keys(changes).join(', ') });
        return success(settingsOf(changed));
      },
      { detail: changeFormSettingsOperation, params: FormParams, body: SettingsPatch, ...jsonInput(bodies) },
    );
}

/** Returns a form's settings as the API shows them: of a secret only whether there is one. */
function settingsOf(form: Form) {
  return {
    ...serializeSettings(form),
    notify_when: form.notifyWhen,
    challenge: form.challenge,
    challenge_verify_url: form.challengeVerifyUrl,
    challenge_secret: form.challengeSecret ? true : null,
  };
}

/** Returns the changes of a body. Throws `invalid_input` for an invalid value. */
function changesOf(vault: Context['vault'], form: Form, body: Patch): FormChanges {
  const given = new Map<string, unknown>(Object.entries(body));
  const plain: FormChanges[] = SETTING_NAMES.filter((name) => given.has(snakeCase(name))).map((name) =>
    readSetting(name, given.get(snakeCase(name))),
  );
  const changes: FormChanges = Object.assign({}, ...plain);
  const { notify_when: conditions, challenge: kind, challenge_secret: secret, challenge_verify_url: verifyUrl } = body;
  const recipients = changes.notify ?? form.notify;
  return {
    ...changes,
    ...(changes.notify && { notifyWhen: keptConditions(form.notifyWhen, recipients) }),
    ...(conditions && { notifyWhen: recipientConditions(Object.entries(conditions), recipients) }),
    ...changedChallenge(vault, form, { kind, secret, verifyUrl }),
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

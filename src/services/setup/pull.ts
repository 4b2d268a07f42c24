import { stringify } from 'yaml';
import { isSecret, takes, WEBHOOK_OPTIONS } from '../../delivery/targets/index.ts';
import type { Form } from '../../domain/forms/form.ts';
import { serializeSettings } from '../../domain/forms/form-settings.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { snakeCase } from '../../lib/snake-case.ts';
import type { TeamSetup } from '../../storage/records.ts';
import type { Vault } from '../../vault/vault.ts';
import { getState } from './form-changes.ts';
import { KEEP } from './setup-file.ts';
import { getSettings } from './webhook-changes.ts';

/** Returns the content of a file that describes a team, with `keep` for secrets and without forms in the trash. */
export function getSetup(vault: Vault, { workspaces, forms, webhooks, logos }: TeamSetup) {
  const live = forms.filter(({ trashedAt }) => trashedAt === null);
  const toEntry = (form: Form) => {
    const own = webhooks.filter(({ formId }) => formId === form.id).map((webhook) => webhookEntry(vault, webhook));
    return formEntry(form, logos.has(form.id), own);
  };
  return {
    workspaces: workspaces.map(({ id, name }) => {
      return { id, name, forms: live.filter(({ workspaceId }) => workspaceId === id).map(toEntry) };
    }),
  };
}

/** Formats a setup as YAML. `schemaUrl` is the address of the JSON Schema, null if unknown. */
export function toYaml(setup: object, schemaUrl: string | null): string {
  const head = schemaUrl === null ? '' : `# yaml-language-server: $schema=${schemaUrl}\n`;
  const body = stringify(setup, { lineWidth: 0, aliasDuplicateObjects: false });
  // The only control characters that are left are in double quotes, and terminals interpret them.
  return head + body.replace(/[\x7f-\x9f]/g, (control) => `\\x${control.charCodeAt(0).toString(16)}`);
}

function formEntry(form: Form, hasLogo: boolean, webhooks: readonly object[]) {
  const { id, name, fields, notifyWhen, challenge, challengeVerifyUrl, challengeSecret } = form;
  return {
    id,
    name,
    state: getState(form),
    ...serializeSettings(form),
    logo: hasLogo ? KEEP : null,
    notify_when: notifyWhen,
    challenge: challenge && {
      kind: challenge,
      ...(challengeSecret && { secret: KEEP }),
      ...(challengeVerifyUrl !== null && { verify_url: challengeVerifyUrl }),
    },
    fields: fields.map(({ name: field, ...rest }) => ({ name: field, ...rest })),
    webhooks,
  };
}

function webhookEntry(vault: Vault, webhook: Webhook) {
  const { id, kind, events, body, includeSpam, when, isActive } = webhook;
  const { name, headers, ...settings } = getSettings(vault, webhook);
  const options = WEBHOOK_OPTIONS.filter((name) => settings[name] !== undefined);
  return {
    id,
    kind,
    ...(name && { name }),
    ...(takes(kind, 'url') && { url: KEEP }),
    events,
    body,
    include_spam: includeSpam,
    when,
    is_active: isActive,
    headers: Object.fromEntries(headers.map(([name]) => [name, KEEP])),
    ...Object.fromEntries(options.map((name) => [snakeCase(name), isSecret(name) ? KEEP : settings[name]])),
  };
}

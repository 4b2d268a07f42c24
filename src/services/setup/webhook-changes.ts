import * as targets from '../../delivery/targets/index.ts';
import { invalidInput } from '../../domain/errors.ts';
import type { Form } from '../../domain/forms/form.ts';
import { MAX_WEBHOOKS_PER_FORM, WEBHOOK_EVENTS, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { SealedSettings } from '../../domain/webhooks/webhook-settings.ts';
import { snakeCase } from '../../lib/snake-case.ts';
import { openSettings } from '../../vault/open-webhook.ts';
import { UnreadableRecordError, type Vault } from '../../vault/vault.ts';
import { KEPT_VALUE, newWebhook, webhookChanges } from '../webhooks/webhooks.ts';
import { type PlanBuilder, removeOrKeep, type SettingChange } from './changes.ts';
import type { Located, Path, SetupDocument } from './document.ts';
import { isKept, referencesAmong, resolveText } from './references.ts';
import { type FormEntry, KEEP, type WebhookEntry } from './setup-file.ts';

const SECRETS = ['url', ...targets.WEBHOOK_OPTIONS.filter(targets.isSecret)] as const;

/** A webhook with its settings in plain text. */
type Stored = Readonly<{ webhook: Webhook; settings: SealedSettings }>;

/** An entry with its references resolved; undefined for values that the file leaves out or keeps. */
type PlannedWebhook = Readonly<{
  entry: WebhookEntry;
  path: Path;
  kind: string;
  secrets: Readonly<Partial<Record<(typeof SECRETS)[number], string>>>;
  /** Values by header name; null for a kept one. */
  headers: ReadonlyArray<readonly [name: string, value: string | null]> | undefined;
}>;

/** Plans the webhooks of a form. Does nothing if the form's entry has no list of them. */
export async function planWebhooks(plan: PlanBuilder, { entry, path }: Located<FormEntry>, form: Form, title: string) {
  if (entry.webhooks === undefined) return;
  const { deps, document, before, prune } = plan;
  const stored = before.webhooks
    .filter(({ formId }) => formId === form.id)
    .map((webhook) => ({ webhook, settings: getSettings(deps.vault, webhook) }));
  const left = new Set(stored);
  const wanted: PlannedWebhook[] = [];
  for (const [index, one] of entry.webhooks.entries()) {
    wanted.push(await resolveEntry(plan, one, [...path, 'webhooks', index]));
  }
  for (const one of wanted.filter((webhook) => webhook.entry.id !== undefined)) claimById(plan, one, left);
  for (const one of wanted) {
    const { id } = one.entry;
    const found =
      id === undefined
        ? take(left, (item) => isSameTarget(one, item))
        : stored.find(({ webhook }) => webhook.id === id);
    plan.references.push(...getReferences(one, found, title));
    if (found) await planUpdate(plan, one, found, title);
    else await planNew(plan, one, form, title);
  }
  for (const { webhook, settings } of left) {
    const name = `${title} / ${getLabel(webhook.kind, settings.url)}`;
    removeOrKeep(plan, { type: 'webhook', id: webhook.id, formId: form.id, name }, plan.store.deletedWebhooks);
  }
  if (wanted.length + (prune ? 0 : left.size) > MAX_WEBHOOKS_PER_FORM) {
    const message = `The form would have more than ${MAX_WEBHOOKS_PER_FORM} webhooks. Remove some, with --prune.`;
    throw document.error([...path, 'webhooks'], message);
  }
}

/** Opens the settings of a webhook. Throws `invalid_input` for a damaged record. */
export function getSettings(vault: Vault, webhook: Webhook): SealedSettings {
  try {
    return openSettings(vault, webhook);
  } catch (error) {
    if (!(error instanceof UnreadableRecordError)) throw error;
    const { id } = webhook;
    throw invalidInput(
      `Could not open the settings of the webhook ${id}: ${error.message}. Delete it with "webhook delete ${id}".`,
    );
  }
}

async function resolveEntry(plan: PlanBuilder, entry: WebhookEntry, path: Path): Promise<PlannedWebhook> {
  const { deps, document } = plan;
  const kind = entry.kind ?? 'standard';
  const resolve = async (name: string, value: unknown) =>
    typeof value !== 'string' || isKept(value)
      ? undefined
      : resolveText(document, deps.references, [...path, ...name.split('\n')], value);
  const secrets = SECRETS.map(async (name) => [name, await resolve(snakeCase(name), entry[snakeCase(name)])] as const);
  const headers = entry.headers && Object.entries(entry.headers);
  const values = headers && (await Promise.all(headers.map(([name, value]) => resolve(`headers\n${name}`, value))));
  return {
    entry,
    path,
    kind,
    secrets: Object.fromEntries(await Promise.all(secrets)),
    headers: headers?.map(([name], index) => [name, values?.[index] ?? null]),
  };
}

function claimById({ document, newIds }: PlanBuilder, planned: PlannedWebhook, left: Set<Stored>): void {
  const { entry, path, kind } = planned;
  const match = take(left, ({ webhook }) => webhook.id === entry.id);
  if (!match) {
    if (!left.values().some((stored) => isSameTarget(planned, stored)) && newIds.delete(entry.id ?? '')) return;
    const message = 'The form has no other webhook with this id. Correct the id, or remove it to find it by address.';
    throw document.error([...path, 'id'], message);
  }
  if (entry.kind !== undefined && match.webhook.kind !== kind) {
    throw document.error(path, `This webhook has the kind ${match.webhook.kind}. Remove the id to create another one.`);
  }
}

/** Removes and returns the first item that meets the condition. */
function take<Item>(items: Set<Item>, meets: (item: Item) => boolean): Item | undefined {
  const item = items.values().find(meets);
  if (item !== undefined) items.delete(item);
  return item;
}

/** Returns whether an entry without an id describes a webhook, by kind and address. */
function isSameTarget({ entry, kind, secrets: { url } }: PlannedWebhook, { webhook, settings }: Stored): boolean {
  const addresses = targets.ADDRESS_OPTIONS.filter((name) => !targets.isSecret(name));
  if (kind !== webhook.kind || addresses.some((name) => entry[snakeCase(name)] !== settings[name])) return false;
  return !targets.takes(kind, 'url') || (url !== undefined && toHref(url) === settings.url);
}

const toHref = (url: string): string => URL.parse(url)?.href ?? url;

/** Names a webhook by kind and host: the rest of its address may be secret. */
function getLabel(kind: string, url: string): string {
  const host = targets.takes(kind, 'url') ? URL.parse(url)?.host : '';
  return host ? `${kind} ${host}` : kind;
}

/** Returns an entry's references with the host of its webhook. */
function getReferences({ entry, kind, secrets: { url } }: PlannedWebhook, stored: Stored | undefined, title: string) {
  const address = targets.getKind(kind).fixedUrl ?? url ?? stored?.settings.url ?? '';
  const headers = Object.entries(entry.headers ?? {}).map(([name, value]) => [`headers.${name}`, value] as const);
  const secrets = SECRETS.map(snakeCase).map((name) => [name, entry[name]] as const);
  return referencesAmong(`${title} / ${kind}`, URL.parse(address)?.host ?? null, [...secrets, ...headers]);
}

/** Throws `InvalidFileError` for the URL of a kind that has a fixed one. */
function requireAddress(document: SetupDocument, { entry, path }: PlannedWebhook, kind: string): void {
  if (targets.takes(kind, 'url') || entry.url === undefined) return;
  throw document.error([...path, 'url'], `A ${kind} webhook takes no URL. Remove it.`);
}

async function planNew(plan: PlanBuilder, planned: PlannedWebhook, form: Form, title: string): Promise<void> {
  const { deps, document, store, changes, secrets } = plan;
  const { path, kind, entry } = planned;
  requireAddress(document, planned, kind);
  const missing = planned.headers?.find(([, value]) => value === null);
  if (missing) throw document.error([...path, 'headers', missing[0]], nothingToKeep('header'));
  for (const name of SECRETS.map(snakeCase)) {
    if (entry[name] === KEEP) throw document.error([...path, name], nothingToKeep(name));
  }
  const input = getInput(planned);
  const { webhook, secret } = await document.at(path, () => newWebhook(deps, form.id, kind, input, null, entry.id));
  store.newWebhooks.push(webhook);
  const name = `${title} / ${getLabel(kind, planned.secrets.url ?? '')}`;
  changes.push({ action: 'create', type: 'webhook', id: webhook.id, formId: form.id, name, settings: [] });
  if (secret !== null) secrets.push({ webhook_id: webhook.id, webhook: name, secret });
}

function nothingToKeep(name: string): string {
  return `There is no stored ${name} to keep: no webhook has this id or address. Write it, or use env:NAME.`;
}

/** Returns the settings of a new webhook. */
function getInput({ entry, secrets, headers }: PlannedWebhook): targets.WebhookInput {
  const { events } = entry;
  const input = {
    ...Object.fromEntries(targets.WEBHOOK_SETTING_NAMES.map((name) => [name, entry[snakeCase(name)]])),
    events: events && WEBHOOK_EVENTS.filter((event) => events.includes(event)),
    headers: headers?.map(([name, value]) => `${name}: ${value ?? KEPT_VALUE}`),
    ...secrets,
  };
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

async function planUpdate(plan: PlanBuilder, planned: PlannedWebhook, { webhook, settings }: Stored, title: string) {
  const { deps, document, store, changes } = plan;
  requireAddress(document, planned, webhook.kind);
  const missing = planned.headers?.find(([name, value]) => value === null && getHeader(settings, name) === undefined);
  if (missing) throw document.error([...planned.path, 'headers', missing[0]], nothingToKeep('header'));
  const input = changedInput(planned, webhook, settings);
  const names = Object.keys(input) as Array<keyof targets.WebhookInput>;
  if (names.length === 0) return;
  // Headers go along with another address, so that the check of their host sees them.
  const all = getInput(planned);
  const complete = input.url !== undefined && all.headers ? { ...input, headers: all.headers } : input;
  const set = await document.at(planned.path, () => webhookChanges(deps, webhook, complete));
  store.webhooks.push({ id: webhook.id, changes: set });
  const shown = names.map((name): SettingChange => {
    const values = name in PUBLIC && { before: webhook[name as keyof typeof PUBLIC], after: input[name] };
    return { name: snakeCase(name), ...values };
  });
  const name = `${title} / ${getLabel(webhook.kind, settings.url)}`;
  changes.push({ action: 'update', type: 'webhook', id: webhook.id, formId: webhook.formId, name, settings: shown });
}

/** Settings of webhooks without secrets. */
const PUBLIC = { events: 1, body: 1, includeSpam: 1, when: 1, isActive: 1 } as const;

/** Returns the settings of an entry that differ from a webhook. */
function changedInput(planned: PlannedWebhook, webhook: Webhook, settings: SealedSettings): targets.WebhookInput {
  const { headers, ...input } = getInput(planned);
  const current: Readonly<Record<string, unknown>> = { ...settings, ...webhook };
  const isChanged = ([name, value]: readonly [string, unknown]) => {
    const other = name === 'url' ? toHref(String(value)) : value;
    return !Bun.deepEquals(other, current[name]);
  };
  const values = planned.headers?.map(([name, value]) => [name, value?.trim() ?? getHeader(settings, name)]);
  return {
    ...Object.fromEntries(Object.entries(input).filter(isChanged)),
    ...(headers && !Bun.deepEquals(values, settings.headers) && { headers }),
  };
}

function getHeader({ headers }: SealedSettings, name: string): string | undefined {
  return headers.find(([header]) => header.toLowerCase() === name.toLowerCase())?.[1];
}

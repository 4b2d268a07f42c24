import * as targets from '../../delivery/targets/index.ts';
import { invalidInput } from '../../domain/errors.ts';
import * as rules from '../../domain/webhooks/webhook.ts';
import type { SealedSettings } from '../../domain/webhooks/webhook-settings.ts';
import { DAY, formatTime } from '../../lib/clock.ts';
import type { GuardedNetwork } from '../../lib/guarded-fetch.ts';
import { newId } from '../../lib/ids.ts';
import { toSingleLine } from '../../lib/one-line.ts';
import { proxyFor } from '../../lib/proxies.ts';
import { snakeCase } from '../../lib/snake-case.ts';
import { RefusedHostError } from '../../lib/ssrf-guard.ts';
import type { WebhookChanges } from '../../storage/records.ts';
import { openSettings, sealSettings } from '../../vault/open-webhook.ts';
import type { Vault } from '../../vault/vault.ts';
import { type DestinationsDeps, tryDestinations } from '../forms/try-destinations.ts';
import type { Services } from '../services.ts';

type Deps = Pick<Services, 'store' | 'vault' | 'clock' | 'network'>;

const SECRET_BYTES = 32;
/** After a rotation the earlier secret signs too for this time. */
const ROTATION_OVERLAP = DAY;

/** Stands for the stored value of a header in the lines of `WebhookInput`. No header can have this value. */
export const KEPT_VALUE = '••••••';

/** A webhook and its signing secret, if its kind has one. */
export type CreatedWebhook = Readonly<{ webhook: rules.Webhook; secret: string | null }>;

/**
 * Creates a webhook and returns it with its signing secret. Throws `invalid_input` with a remedy for settings that cannot
 * work, and `conflict` at the limit of the form. `createdBy` is the id of the user or API key, if any.
 */
export async function createWebhook(
  deps: Deps,
  formId: string,
  kind: string,
  input: targets.WebhookInput,
  createdBy: string | null = null,
): Promise<CreatedWebhook> {
  const created = await newWebhook(deps, formId, kind, input, createdBy);
  await deps.store.webhooks.create(created.webhook, rules.MAX_WEBHOOKS_PER_FORM);
  return created;
}

/** Builds a webhook that is not stored yet. Throws `invalid_input` for settings that cannot work. */
export async function newWebhook(
  { vault, clock, network }: Omit<Deps, 'store'>,
  formId: string,
  kind: string,
  input: targets.WebhookInput,
  createdBy: string | null = null,
  id = newId('whk'),
): Promise<CreatedWebhook> {
  const { events = ['submission.created'], body = 'full', includeSpam = false, when = [] } = input;
  const secret = targets.getKind(kind).isSigned ? newSecret() : null;
  const secrets = secret === null ? [] : [{ secret, until: null }];
  const settings = await changeSettings(network, kind, { url: '', secrets, headers: [] }, input);
  const webhook: rules.Webhook = {
    id,
    formId,
    kind,
    events,
    body,
    includeSpam,
    when,
    isActive: input.isActive ?? true,
    disabledReason: null,
    settings: sealSettings(vault, { id, formId }, settings),
    failures: 0,
    failingSince: null,
    restUntil: null,
    createdAt: clock(),
    createdBy,
  };
  return { webhook, secret };
}

/** Changes a webhook. Returns null if it does not exist. Throws `invalid_input` like `createWebhook`. */
export async function updateWebhook(
  deps: Omit<Deps, 'clock'>,
  id: string,
  input: targets.WebhookInput,
  teamId?: string,
  changedBy: string | null = null,
): Promise<rules.Webhook | null> {
  const before = await deps.store.webhooks.find(id, teamId);
  return before && deps.store.webhooks.update(id, await webhookChanges(deps, before, input, changedBy), teamId);
}

/** Returns the changes of a webhook to store. With another address, `changedBy` becomes its author. Throws `invalid_input` for settings that cannot work. */
export async function webhookChanges(
  { vault, network }: Pick<Deps, 'vault' | 'network'>,
  before: rules.Webhook,
  input: targets.WebhookInput,
  changedBy: string | null = null,
): Promise<WebhookChanges> {
  const { events, body, includeSpam, when, isActive, ...secretInput } = input;
  const stored = openSettings(vault, before);
  const settings = await changeSettings(network, before.kind, stored, secretInput);
  const isReAddressed = ['url', ...targets.ADDRESS_OPTIONS].some((name) => settings[name] !== stored[name]);
  return {
    ...(events && { events }),
    ...(body && { body }),
    ...(includeSpam !== undefined && { includeSpam }),
    ...(when && { when }),
    ...(isActive !== undefined && { isActive }),
    ...(isReAddressed && { createdBy: changedBy }),
    ...(Object.keys(secretInput).length > 0 && { settings: sealSettings(vault, before, settings) }),
  };
}

/** Replaces the signing secret and returns the new one; null if the webhook does not exist. The old one signs for a day. */
export async function rotateSecret({ store, vault, clock }: Omit<Deps, 'network'>, id: string, teamId?: string) {
  const before = await store.webhooks.find(id, teamId);
  if (!before) return null;
  const settings = openSettings(vault, before);
  if (!targets.getKind(before.kind).isSigned) {
    const message = `A ${before.kind} webhook has no signing secret. Only standard webhooks do.`;
    throw invalidInput(message, ['no_signing_secret']);
  }
  const secret = newSecret();
  const until = clock() + ROTATION_OVERLAP;
  const [current] = settings.secrets;
  const secrets = [{ secret, until: null }, ...(current ? [{ ...current, until }] : [])];
  await store.webhooks.update(id, { settings: sealSettings(vault, before, { ...settings, secrets }) }, teamId);
  return secret;
}

/** Returns a webhook without secrets, as commands show it: of the URL only the origin. */
export function serializeWebhook(vault: Vault, webhook: rules.Webhook) {
  const { id, formId, kind, events, body, includeSpam, when, isActive, disabledReason, createdAt } = webhook;
  const settings = openSettings(vault, webhook);
  return {
    id,
    form_id: formId,
    kind,
    name: settings.name ?? '',
    url: new URL(settings.url).origin,
    events,
    body,
    include_spam: includeSpam,
    when,
    is_active: isActive,
    disabled_reason: disabledReason,
    created_at: formatTime(createdAt),
  };
}

async function changeSettings(
  network: GuardedNetwork,
  kind: string,
  before: SealedSettings,
  { url, headers, name, ...input }: targets.WebhookInput,
): Promise<SealedSettings> {
  const options = optionsFor(kind, input);
  requireOwnHeaders(before, url, headers);
  const lines = headers?.map((line) => withKeptValue(line, before.headers));
  const settings = {
    ...before,
    ...options,
    ...(name !== undefined && { name: toSingleLine(name, rules.MAX_WEBHOOK_NAME) }),
    ...(lines && { headers: rules.parseHeaders(lines) }),
  };
  const vendor = targets.getKind(kind);
  const target = { ...settings, url: vendor.fixedUrl ?? url ?? before.url };
  const { href } = rules.parseWebhookUrl(target.url);
  targets.requireOwnUrl(kind, href);
  vendor.check?.(target);
  const isNew = url !== undefined && !vendor.fixedUrl;
  return { ...target, url: isNew ? await requireReachable(network, new URL(href)) : href };
}

/** Returns the options that a kind takes. Throws `invalid_input` for others, which `toName` names. */
export function optionsFor(kind: string, input: targets.WebhookInput, toName = snakeCase) {
  const given = targets.WEBHOOK_OPTIONS.filter((name) => input[name] !== undefined);
  const other = given.find((name) => !targets.takes(kind, name));
  if (other !== undefined) {
    const owners = targets.WEBHOOK_KINDS.filter((each) => targets.takes(each, other)).join(' and ');
    throw invalidInput(`A ${kind} webhook takes no ${toName(other)}. Only ${owners} webhooks do.`);
  }
  return Object.fromEntries(given.map((name) => [name, input[name]])) as Pick<
    targets.WebhookInput,
    targets.WebhookOption
  >;
}

/** Throws `invalid_input` if stored header values, which may be secret, would be sent to another host than before. */
function requireOwnHeaders(before: SealedSettings, url?: string, headers?: readonly string[]): void {
  if (url === undefined || before.headers.length === 0) return;
  if (headers?.every((line) => !line.endsWith(KEPT_VALUE))) return;
  if (rules.parseWebhookUrl(url).origin === new URL(before.url).origin) return;
  const message = 'The URL leads to another host. Pass the headers again, with their values.';
  throw invalidInput(message, ['headers_of_another_host']);
}

/** Replaces `KEPT_VALUE` in a line by the stored value of that header. */
function withKeptValue(line: string, stored: rules.WebhookHeaders): string {
  if (!line.endsWith(KEPT_VALUE)) return line;
  const name = line.slice(0, -KEPT_VALUE.length).replace(/:\s*$/, '').trim();
  const [, value] = stored.find(([header]) => header.toLowerCase() === name.toLowerCase()) ?? [];
  return value === undefined ? line : `${name}: ${value}`;
}

/** Throws `invalid_input` for plain http, private addresses and unlisted hosts, unless the operator allows the host. */
async function requireReachable({ ssrfGuard, proxies }: GuardedNetwork, url: URL): Promise<string> {
  if (url.protocol === 'http:' && !(await ssrfGuard.isListed(url))) {
    throw invalidInput(
      'The URL must begin with https://. Plain http is only possible to hosts in ALLOWED_PRIVATE_HOSTS.',
      ['webhook_not_https'],
    );
  }
  try {
    ssrfGuard.requireListed(url);
    if (proxyFor(proxies, url) === null) await ssrfGuard.resolve(url);
  } catch (error) {
    // A host that does not resolve right now may do so later; each attempt checks again.
    if (error instanceof RefusedHostError) {
      throw invalidInput(`The host ${error.message}. To allow it, add it to ${error.setting}.`, [
        error.setting === 'OUTBOUND_HOSTS' ? 'unlisted_host' : 'private_host',
        url.hostname,
      ]);
    }
  }
  return url.href;
}

const newSecret = (): string => rules.formatSigningSecret(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

/**
 * Queues the latest `limit` submissions of the form for a webhook, oldest first, as if they arrived now. Returns the
 * count.
 */
export async function queuePastSubmissions(deps: DestinationsDeps, { id, formId }: rules.Webhook, limit: number) {
  const form = await deps.store.forms.findStored(formId);
  if (!form) return 0;
  const webhookRoutes = form.webhookRoutes.map((route) =>
    route.id === id ? { ...route, events: ['submission.created'] as const } : route,
  );
  const past = await tryDestinations(deps, { ...form, webhookRoutes }, limit, (submission, { webhooks }) =>
    webhooks
      .filter((webhook) => webhook.id === id)
      .flatMap((webhook) => rules.deliveriesForSubmission([webhook], submission.id)),
  );
  return deps.store.webhooks.queuePast(id, past.toReversed().flat());
}

import { type Static, Type } from '@sinclair/typebox';
import { COMMON_SETTINGS } from '../../domain/webhooks/webhook-settings.ts';
import { discord } from './discord.ts';
import { type Kind, type KindOption, refuseSetting } from './kind.ts';
import { ntfy } from './ntfy.ts';
import { sheets } from './sheets.ts';
import { slack } from './slack.ts';
import { standard } from './standard.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { template } from './template.ts';

/** The kinds of webhooks, in the order of lists. Editor, API, file of forms, command and manual list them from here. */
const LIST = { standard, slack, discord, telegram, teams, ntfy, sheets, template };

export const WEBHOOK_KINDS: readonly string[] = Object.keys(LIST);

/** Returns the kind of a webhook. */
export const getKind = (name: string): Kind => LIST[name as keyof typeof LIST];

/** The intersection of the members of a union. */
type Merged<Union> = (Union extends unknown ? (member: Union) => void : never) extends (member: infer All) => void
  ? All
  : never;

type Options = Merged<NonNullable<(typeof LIST)[keyof typeof LIST]['options']>>;

/** A setting that not all kinds take. */
export type WebhookOption = keyof Options;

/** The options of all kinds; in lists those of a template come first. */
export const OPTIONS: Readonly<Record<WebhookOption, KindOption>> = Object.assign(
  {},
  ...[template, ...Object.values(LIST)].map(({ options }) => options),
);

export const WEBHOOK_OPTIONS = Object.keys(OPTIONS) as readonly WebhookOption[];

/** Options that decide where deliveries go, besides the URL. */
export const ADDRESS_OPTIONS = WEBHOOK_OPTIONS.filter((name) => OPTIONS[name].isAddress);

const schemas = Object.fromEntries(WEBHOOK_OPTIONS.map((name) => [name, OPTIONS[name].schema]));

/** The settings of a webhook of any kind, with their descriptions. */
export const WebhookSettings = Type.Object({
  ...COMMON_SETTINGS,
  ...(schemas as { [Name in WebhookOption]: Options[Name]['schema'] }),
});

/** A webhook to create, or changes to one; missing properties keep their value. `headers` are lines like `X-Token: abc`. */
export type WebhookInput = Readonly<Partial<Static<typeof WebhookSettings>>>;

export const WEBHOOK_SETTING_NAMES = Object.keys(WebhookSettings.properties) as ReadonlyArray<keyof WebhookInput>;

/** Throws `invalid_input` for a standard webhook to a chat, which would refuse its messages. */
export function requireOwnUrl(kind: string, url: string): void {
  const owner = kind === 'standard' && WEBHOOK_KINDS.find((name) => getKind(name).ownUrls?.test(url));
  if (!owner) return;
  const { name } = getKind(owner);
  throw refuseSetting('url', {
    api: `This URL only takes messages of the kind ${owner}. Create a webhook of that kind.`,
    en: `This is an address of ${name.en}. Choose ${name.en} above and enter it there.`,
    de: `Das ist eine Adresse von ${name.de}. Wählen Sie oben ${name.de} und geben Sie sie dort ein.`,
  });
}

/** Returns whether a kind takes a setting that not all kinds take. */
export function takes(kind: string, name: keyof WebhookInput): boolean {
  const { takes: common, options = {} } = getKind(kind);
  return common.some((each) => each === name) || Object.hasOwn(options, name);
}

/** Returns whether people may not see the value of a setting again. */
export const isSecret = (name: keyof WebhookInput): boolean => WebhookSettings.properties[name].writeOnly === true;

import type { Static, TSchema } from '@sinclair/typebox';
import { type AppError, invalidInput } from '../../domain/errors.ts';
import { parseWebhookUrl } from '../../domain/webhooks/webhook.ts';
import type { CommonSetting, SealedSettings } from '../../domain/webhooks/webhook-settings.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Reading, Send, TargetAnswer, TargetEvent, TargetRequest } from './target.ts';

type ByLanguage<Value = string> = Readonly<Record<'en' | 'de', Value>>;

/** A setting that only one kind takes. It is sealed with the URL. */
export type KindOption = Readonly<{
  /** Has a description. `writeOnly` marks a secret. */
  schema: TSchema;
  label: ByLanguage;
  hint?: ByLanguage;
  /** Names of the schema's values. */
  values?: Readonly<Record<string, ByLanguage>>;
  /** Part of a secret that people may see: its label, value, and hint in place of the secret. */
  summary?: Readonly<{
    label: ByLanguage;
    read: (secret: string) => string;
    isSet: ByLanguage<(summary: string) => string>;
  }>;
  /** Decides where deliveries go. */
  isAddress?: boolean;
  /** Takes several lines. */
  isLong?: boolean;
  /** Value in the editor of a new webhook instead of the schema's default. */
  initial?: string;
}>;

type KindOptions = Readonly<Record<string, KindOption>>;

type Values<Options extends KindOptions> = { readonly [Name in keyof Options]?: Static<Options[Name]['schema']> };

/** Access tokens by account, kept between deliveries. */
export type Tokens = Map<string, Readonly<{ token: string; expiresAt: Micros }>>;

/** The events of an attempt, as targets present them and the first one as JSON. */
export type EventBatch = Readonly<{
  id: string;
  now: Micros;
  events: () => readonly [TargetEvent, ...TargetEvent[]];
  toJson: () => string;
  tokens: Tokens;
}>;

/** The request of an attempt for the log, null if it makes several, and a function that sends it and returns the last answer. */
type Prepared = Readonly<{ request: TargetRequest | null; run: (send: Send) => Promise<TargetAnswer> }>;

/** Hues of icons, which the style of the dashboard knows. */
type Hue = 'green' | 'blue' | 'violet' | 'pink' | 'orange' | 'yellow' | 'teal' | 'red';

type Description<Options extends KindOptions> = Readonly<{
  name: ByLanguage;
  /** Its icon: the path in a square of 24 units, drawn as lines, and its hue. */
  icon: Readonly<{ path: string; hue: Hue }>;
  hint: ByLanguage;
  urlHint?: ByLanguage;
  /** Matches URLs that take only messages of this kind. */
  ownUrls?: RegExp;
  /** Settings besides its options and those that all kinds take. */
  takes: readonly CommonSetting[];
  options?: Options;
}>;

/** All that differs between webhooks: a vendor's messages, settings and texts. */
export type Kind<Options extends KindOptions = KindOptions> = Description<Options> &
  Readonly<{
    /** Signs its requests with a secret of the webhook. */
    isSigned?: boolean;
    /** Submissions that one attempt may deliver; one without it. */
    batch?: number;
    /** The address of a vendor that has one for all webhooks. */
    fixedUrl?: string;
    /** Limit of the bytes read of an answer. */
    maxBytes?: number;
    /** Throws `invalid_input` with a remedy for settings that cannot work. */
    check?(settings: Readonly<{ url?: string }> & Values<Options>): unknown;
    prepare(settings: SealedSettings & Values<Options>, batch: EventBatch): Prepared;
    /** Reads an answer other than 2xx. */
    interpret?(answer: TargetAnswer): Reading;
  }>;

/** Returns a kind that posts one message per event, with the webhook's own headers. */
export function messageKind<Settings, Options extends KindOptions = Record<never, KindOption>>(
  kind: Description<Options> & {
    /** Throws `invalid_input` with a remedy for settings that cannot work. */
    parse(url: URL, options: Values<Options>): Settings;
    format(settings: Settings, event: TargetEvent): TargetRequest;
    interpret?(answer: TargetAnswer): Reading<Settings>;
  },
) {
  const check = (settings: Readonly<{ url?: string }> & Values<Options>) =>
    kind.parse(parseWebhookUrl(settings.url ?? ''), settings);
  const prepare: Kind<Options>['prepare'] = (settings, { events }) => {
    const request = kind.format(check(settings), events()[0]);
    return post({ ...request, headers: { ...Object.fromEntries(settings.headers), ...request.headers } });
  };
  return { ...kind, check, prepare };
}

export const post = (request: TargetRequest): Prepared => ({ request, run: (send) => send(request) });

/** Returns the refusal of a setting, for callers of the API and at the input of that name in the editor. */
export function refuseSetting(input: string, { api, ...texts }: ByLanguage & Readonly<{ api: string }>): AppError {
  return invalidInput(api, ['refused_setting', input, texts]);
}

import type { WebhookKind } from '../../domain/webhooks/webhook.ts';
import type { SealedSettings } from '../../domain/webhooks/webhook-settings.ts';
import { discord } from './discord.ts';
import type { Send } from './google-token.ts';
import { ntfy } from './ntfy.ts';
import { interpretSheets, parseSheets, SHEETS_BATCH, SHEETS_URL, type SheetsClient } from './sheets.ts';
import { slack } from './slack.ts';
import type { Reading, Target, TargetAnswer, TargetEvent, TargetOptions, TargetRequest } from './target.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { template } from './template.ts';

/** A target that takes the sealed settings of a webhook. */
type BoundTarget = Readonly<{
  /** Throws `invalid_input` with a remedy for settings that cannot work. */
  check: (options: TargetOptions) => void;
  /** Prepares an attempt for one event, or several up to `batch`. */
  prepare: (settings: SealedSettings, events: readonly TargetEvent[], sheets: SheetsClient) => Prepared;
  interpret: (answer: TargetAnswer) => Reading<SealedSettings>;
  /** Submissions that one attempt may deliver; one without it. */
  batch?: number;
  /** The address of a vendor that has one for all webhooks. */
  fixedUrl?: string;
  /** Limit of the bytes read of an answer. */
  maxBytes?: number;
}>;

/** The request of an attempt for the log, null if it makes several, and a function that sends it and returns the last answer. */
type Prepared = Readonly<{ request: TargetRequest | null; run: (send: Send) => Promise<TargetAnswer> }>;

/** Chats, Google Sheets and templates by kind. */
export const TARGETS: Readonly<Record<Exclude<WebhookKind, 'standard'>, BoundTarget>> = {
  slack: bind(slack),
  discord: bind(discord),
  telegram: bind(telegram),
  teams: bind(teams),
  ntfy: bind(ntfy),
  template: bind(template),
  sheets: {
    check: parseSheets,
    prepare: (settings, events, sheets) => ({
      request: null,
      run: (send) => sheets.append(send, parseSheets(settings), events),
    }),
    interpret: interpretSheets,
    batch: SHEETS_BATCH,
    fixedUrl: SHEETS_URL,
    maxBytes: 256 * 1024,
  },
};

/** Binds a target that takes one message per event, posted with the webhook's own headers. */
function bind<Settings>({ parse, format, interpret }: Target<Settings>): BoundTarget {
  return {
    check: parse,
    prepare(settings, events) {
      const [event] = events;
      if (!event) throw new Error('an attempt needs an event');
      const formatted = format(parse(settings), event);
      const request = { ...formatted, headers: { ...Object.fromEntries(settings.headers), ...formatted.headers } };
      return { request, run: (send) => send(request) };
    },
    interpret: (answer) => (interpret?.(answer) ?? {}) as Reading<SealedSettings>,
  };
}

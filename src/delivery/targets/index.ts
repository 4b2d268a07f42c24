import type { WebhookKind, WebhookSettings } from '../../domain/webhook.ts';
import { discord } from './discord.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import type { Reading, Target, TargetAnswer, TargetEvent, TargetOptions, TargetRequest } from './target.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { template } from './template.ts';

/** A target that takes its settings as the options of `webhook create`. */
type BoundTarget = Readonly<{
  /** Throws `invalid_input` with a remedy for settings that cannot work. */
  check: (options: TargetOptions) => void;
  format: (options: TargetOptions, event: TargetEvent) => TargetRequest;
  interpret: (answer: TargetAnswer) => Reading<WebhookSettings>;
}>;

/** The targets that take one message per event. Google Sheets needs several requests and is not among them. */
export const TARGETS = {
  slack: bind(slack),
  discord: bind(discord),
  telegram: bind(telegram),
  teams: bind(teams),
  ntfy: bind(ntfy),
  template: bind(template),
} as const satisfies Record<Exclude<WebhookKind, 'standard' | 'sheets'>, BoundTarget>;

function bind<Settings>({ parse, format, interpret }: Target<Settings>): BoundTarget {
  return {
    check: parse,
    format: (options, event) => format(parse(options), event),
    interpret: (answer) => (interpret?.(answer) ?? {}) as Reading<WebhookSettings>,
  };
}

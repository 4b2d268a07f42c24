import * as targets from '../../delivery/targets/index.ts';
import { AppError, type ErrorReason } from '../../domain/errors.ts';
import { MAX_CONDITIONS, validateWhen, type When } from '../../domain/forms/condition.ts';
import { BODY_STYLES, WEBHOOK_EVENTS, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { ShownSettings } from '../../services/webhooks/read-webhook.ts';
import { KEPT_VALUE } from '../../services/webhooks/webhooks.ts';
import * as inputs from '../ui/condition-inputs.tsx';
import { errorText, type FieldErrors, parseInput } from '../ui/parse-input.ts';
import type { Texts } from '../ui/texts.ts';
import type { Viewer } from '../viewer.ts';
import { WEBHOOKS_TEXTS } from './texts.ts';

/** Unchecked inputs of a webhook. Saved secrets are left empty. */
export type Draft = Readonly<{
  kind: string;
  name: string;
  url: string;
  events: readonly string[];
  body: string;
  includeSpam: boolean;
  headers: string;
  conditions: readonly inputs.ConditionRow[];
}> &
  Readonly<Record<targets.WebhookOption, string>>;

/** Returns whether the value of an option is one line of text. */
export function isLine(name: targets.WebhookOption): boolean {
  const { schema, isLong } = targets.OPTIONS[name];
  return schema.type === 'string' && !schema.enum && !isLong;
}

/** Returns the draft of a new webhook. */
export function newDraft(kind: string | null): Draft {
  return {
    kind: targets.WEBHOOK_KINDS.find((candidate) => candidate === kind) ?? 'standard',
    name: '',
    url: '',
    events: ['submission.created'],
    body: 'full',
    includeSpam: false,
    headers: '',
    ...toOptions((name) => targets.OPTIONS[name].initial ?? targets.OPTIONS[name].schema.default),
    conditions: [],
  };
}

/** Returns a saved webhook as a draft. */
export function getDraft({ kind, events, body, includeSpam, when }: Webhook, settings: ShownSettings): Draft {
  const options = toOptions((name) => settings[name] ?? targets.OPTIONS[name].schema.default);
  const headers = settings.headerNames.map((name) => `${name}: ${KEPT_VALUE}`).join('\n');
  const { name } = settings;
  return { kind, name, url: '', events, body, includeSpam, headers, ...options, conditions: when.map(inputs.toRow) };
}

/** Reads the draft that the editor submitted. */
export function readDraft(kind: string | null, form: URLSearchParams): Draft {
  const text = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n');
  return {
    ...newDraft(kind),
    name: text('name').trim(),
    url: completeUrl(text('url').trim().replace(/^<|>$/g, '')),
    events: form.getAll('event'),
    body: text('body'),
    includeSpam: form.has('includeSpam'),
    headers: text('headers'),
    ...toOptions((name) => (targets.OPTIONS[name].isLong && !targets.isSecret(name) ? text(name) : text(name).trim())),
    // One condition over the limit is enough to report it.
    conditions: inputs.readRows(form, MAX_CONDITIONS + 1),
  };
}

/** Puts `https://` before an address that was typed without a scheme. */
const completeUrl = (url: string): string =>
  url === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `https://${url}`;

/** Returns the values of the options as inputs: empty without a value, `yes` for true. */
function toOptions(read: (name: targets.WebhookOption) => unknown): Record<targets.WebhookOption, string> {
  const texts = targets.WEBHOOK_OPTIONS.map((name) => {
    const value = read(name) ?? '';
    return [name, typeof value === 'boolean' ? (value ? 'yes' : '') : String(value)];
  });
  return Object.fromEntries(texts);
}

/** Applies the pressed button to the draft: adds or removes a condition. Returns null for other buttons. */
export function editDraft(draft: Draft, form: URLSearchParams): Draft | null {
  if (form.has('add')) return { ...draft, conditions: [...draft.conditions, inputs.NO_CONDITION] };
  if (!form.has('remove')) return null;
  return { ...draft, conditions: draft.conditions.toSpliced(Number(form.get('remove')), 1) };
}

/** Result of parsing: either a value, or errors by the id of the input. */
type Parsed<Value> = Readonly<{ value: Value }> | Readonly<{ errors: FieldErrors }>;

/** Parses the conditions of a draft. Empty rows are left out. */
export function parseConditions({ conditions }: Draft, { texts, language }: Viewer): Parsed<When> {
  const errors: Record<string, string> = {};
  const when: unknown[] = [];
  for (const [index, row] of conditions.entries()) {
    if (inputs.isBlank(row)) continue;
    const condition = inputs.getCondition(row);
    const parsed = parseInput(texts, () => validateWhen([condition]));
    if (row.field.trim() === '') errors[`field-${index}`] = WEBHOOKS_TEXTS[language].noField;
    else if ('error' in parsed) errors[`value-${index}`] = parsed.error;
    when.push(condition);
  }
  if (Object.keys(errors).length > 0) return { errors };
  const parsed = parseInput(texts, () => validateWhen(when));
  return 'error' in parsed ? { errors: { [`field-${MAX_CONDITIONS}`]: parsed.error } } : parsed;
}

/** Parses the inputs of a draft's kind. An empty URL and empty secrets are left out, to keep the saved ones. */
export function parseDraft(draft: Draft, viewer: Viewer, isNew: boolean): Parsed<targets.WebhookInput> {
  const has = (input: keyof targets.WebhookInput) => targets.takes(draft.kind, input);
  const events = WEBHOOK_EVENTS.filter((event) => draft.events.includes(event));
  const conditions = parseConditions(draft, viewer);
  const errors = {
    ...('errors' in conditions && conditions.errors),
    ...(has('events') && events.length === 0 && { events: WEBHOOKS_TEXTS[viewer.language].noEvents }),
  };
  if (Object.keys(errors).length > 0 || 'errors' in conditions) return { errors };
  const options = targets.WEBHOOK_OPTIONS.filter(
    (name) => has(name) && (isNew || draft[name] !== '' || !targets.isSecret(name)),
  );
  return {
    value: {
      when: conditions.value,
      name: draft.name,
      includeSpam: draft.includeSpam,
      ...(has('url') && (isNew || draft.url !== '') && { url: draft.url }),
      ...(has('events') && { events }),
      ...(has('body') && { body: BODY_STYLES.find((style) => style === draft.body) ?? 'full' }),
      ...(has('headers') && { headers: inputs.toLines(draft.headers) }),
      ...Object.fromEntries(options.map((name) => [name, optionValue(name, draft[name])])),
    },
  };
}

/** Returns the value of an input: a flag, one of the known values, or the text. */
function optionValue(name: targets.WebhookOption, text: string): string | boolean {
  const { type, enum: values, default: fallback } = targets.OPTIONS[name].schema;
  if (type === 'boolean') return text !== '';
  return values && !values.includes(text) ? fallback : text;
}

const INPUT_OF_REASON: Partial<Record<ErrorReason[0], string>> = {
  invalid_webhook_url: 'url',
  webhook_not_https: 'url',
  private_host: 'url',
  unlisted_host: 'url',
  headers_of_another_host: 'headers',
  too_many_headers: 'headers',
  invalid_header: 'headers',
  reserved_header: 'headers',
  repeated_header: 'headers',
};

/** Returns the messages of an error by input; `form` is the whole draft. Rethrows other errors. */
export function getErrors(error: unknown, texts: Texts): FieldErrors {
  if (!(error instanceof AppError) || (error.code !== 'invalid_input' && error.code !== 'conflict')) throw error;
  const [reason, name] = error.reason ?? [];
  const input = reason === 'refused_setting' ? name : reason && INPUT_OF_REASON[reason];
  return { [input ?? 'form']: errorText(texts, error) };
}

import { readFile } from 'node:fs/promises';
import type { TSchema } from '@sinclair/typebox';
import { type Command, InvalidArgumentError, Option } from 'commander';
import * as targets from '../delivery/targets/index.ts';
import { invalidInput, notFound } from '../domain/errors.ts';
import { parseWhen } from '../domain/forms/condition.ts';
import { BODY_STYLES, WEBHOOK_EVENTS, type Webhook, type WebhookEvent } from '../domain/webhooks/webhook.ts';
import { snakeCase } from '../lib/snake-case.ts';
import { teamIdOfForm } from '../services/forms/forms.ts';
import { serializeDelivery } from '../services/webhooks/serialize-delivery.ts';
import { testWebhook } from '../services/webhooks/test-webhook.ts';
import * as registry from '../services/webhooks/webhooks.ts';
import * as commands from './command.ts';
import { requireForm } from './form-lookup.ts';

type Options = Omit<targets.WebhookInput, 'headers' | 'when' | 'isActive'> & {
  header?: string[];
  when?: string;
  active?: boolean;
};

type NewOptions = Options & { form: string; kind: string };

const COLUMNS = ['id', 'kind', 'name', 'url', 'events', 'is_active', 'created_at'];
const DELIVERY_COLUMNS = [
  'id',
  'event',
  'state',
  'attempts',
  'last_status',
  'last_error',
  'next_attempt_at',
  'created_at',
];

export function webhookCommand(cli: commands.CliContext): Command {
  const command = new commands.CliCommand(cli, 'webhook').description(
    'webhooks, chats and sheets that get the submissions of a form',
  );

  withSettings(command.command('create'))
    .description('create a webhook and print its signing secret, once')
    .requiredOption('--form <id>', 'id of the form')
    .addOption(new Option('--kind <kind>', 'kind of the target').choices(targets.WEBHOOK_KINDS).default('standard'))
    .run(async (context, { form: id, kind, ...options }: NewOptions) => {
      const form = await requireForm(context.store, id);
      const input = await getInput(cli, kind, options);
      const { webhook, secret } = await registry.createWebhook(context, form.id, kind, input);
      context.note(
        { webhook_id: webhook.id, form_id: form.id },
        { teamId: await teamIdOfForm(context.store, form.id) },
      );
      commands.printOne(cli, {
        ...registry.serializeWebhook(context.vault, webhook),
        ...(options.url === input.url && { url: input.url }),
        ...(secret !== null && { secret }),
      });
      if (secret !== null && !cli.asJson) cli.stderr('Copy the secret now. It cannot be shown again.\n');
    });

  command
    .command('list')
    .description('list the webhooks of a form')
    .requiredOption('--form <id>', 'id of the form')
    .run(async ({ store, vault }, options: { form: string }) => {
      const form = await requireForm(store, options.form);
      const webhooks = (await store.webhooks.list(form.id)).map((webhook) => registry.serializeWebhook(vault, webhook));
      commands.printList(cli, webhooks, COLUMNS);
    });

  withSettings(command.command('update <id>'))
    .description('change a webhook; all other settings stay as they are')
    .option('--active <true|false>', about('isActive'), commands.parseBoolean)
    .hook('preAction', commands.requireOption)
    .run(async (context, id: string, options: Options) => {
      const { kind } = await requireWebhook(context, id);
      const webhook =
        (await registry.updateWebhook(context, id, await getInput(cli, kind, options))) ?? webhookNotFound(id);
      commands.printOne(cli, registry.serializeWebhook(context.vault, webhook));
    });

  command
    .command('delete <id>')
    .description('delete a webhook and cancel its deliveries')
    .run(async (context, id: string) => {
      await requireWebhook(context, id);
      await context.store.webhooks.delete(id);
      commands.printOne(cli, { id, deleted: true });
    });

  command
    .command('rotate-secret <id>')
    .description('replace the signing secret; the old one signs too for 24 hours')
    .run(async (context, id: string) => {
      await requireWebhook(context, id);
      const secret = (await registry.rotateSecret(context, id)) ?? webhookNotFound(id);
      commands.printOne(cli, { id, secret });
    });

  command
    .command('test <id>')
    .description('send a test event at once and print the answer')
    .run(async (context, id: string) => {
      const webhook = await requireWebhook(context, id);
      const { request, attempt } = await testWebhook(context, webhook, 'command');
      const { status, durationMs: duration_ms, reason, answer } = attempt;
      const shown = { id, delivered: reason === null, status, duration_ms, answer, request: request?.body ?? null };
      commands.printOne(cli, shown);
      if (reason !== null) throw invalidInput(`the endpoint did not accept the test. ${reason}`);
    });

  command
    .command('deliveries <id>')
    .description('list the deliveries of a webhook, newest first')
    .option('--limit <count>', 'maximum number of deliveries', commands.parseLimit, 50)
    .run(async (context, id: string, { limit }: { limit: number }) => {
      await requireWebhook(context, id);
      const deliveries = await context.store.deliveries.list(id, { before: null, limit });
      const rows = deliveries.map((delivery) => {
        const { submission_id: _, ...row } = serializeDelivery(context.vault, delivery);
        return row;
      });
      commands.printList(cli, rows, DELIVERY_COLUMNS);
    });

  command
    .command('redeliver [delivery]')
    .description('send a delivery again, all failed ones of a webhook, or past submissions')
    .option('--webhook <id>', 'id of the webhook')
    .option('--failed', 'all failed deliveries of the webhook')
    .option('--past <count>', 'the latest submissions of the form, up to 1000', commands.parseLimit)
    .hook('preAction', requireOneChoice)
    .run(async (context, delivery: string | undefined, options: Redelivery) => {
      const webhook = await webhookToRedeliver(context, delivery, options.webhook);
      const target = delivery === undefined ? { webhookId: webhook.id } : { id: delivery };
      const queued =
        options.past === undefined
          ? await context.store.deliveries.redeliver(target)
          : await registry.queuePastSubmissions(context, webhook, options.past);
      context.note({ queued });
      commands.printOne(cli, { queued });
    });

  return command;
}

/** Exits with a usage error unless the options name one delivery, or a webhook with either --failed or --past. */
function requireOneChoice(command: Command): void {
  const [delivery] = command.args;
  const { webhook, failed, past } = command.opts<Redelivery>();
  const choices = [delivery, failed, past].filter((choice) => choice !== undefined);
  if (choices.length === 1 && (delivery === undefined) === (webhook !== undefined)) return;
  command.error('error: pass the id of a delivery, or --webhook <id> with --failed or --past <count>');
}

type Redelivery = { webhook?: string; failed?: boolean; past?: number };

async function webhookToRedeliver(context: commands.CommandContext, delivery?: string, webhook?: string) {
  const id = delivery === undefined ? webhook : (await context.store.deliveries.find(delivery))?.webhookId;
  if (id === undefined) throw notFound(`there is no delivery "${delivery}"; see "webhook deliveries <id>".`);
  return requireWebhook(context, id);
}

/** Returns the description of a setting in the style of `--help`. */
function about(name: keyof targets.WebhookInput): string {
  const { description = '' } = targets.WebhookSettings.properties[name];
  const start = /^[A-Z]{2}/.test(description) ? description.slice(0, 1) : description.slice(0, 1).toLowerCase();
  return start + description.slice(1).replace(/\.$/, '');
}

function withSettings(command: commands.CliCommand): commands.CliCommand {
  command
    .option('--name <text>', about('name'))
    .option('--url <url>', `${about('url')}; env:NAME or file:PATH keeps it out of process lists`)
    .option('--events <list>', `events: ${WEBHOOK_EVENTS.join(', ')} (default: submission.created)`, parseEvents)
    .option('--include-spam <true|false>', about('includeSpam'), commands.parseBoolean)
    .addOption(new Option('--body <style>', about('body')).choices(BODY_STYLES))
    .option(
      '--header <line>',
      'header such as "X-Token: env:NAME" or "X-Token: file:PATH"; repeat for more',
      commands.collect,
    )
    .option('--when <json>', `${about('when')}; example: [{"field":"topic","is":"sales"}]`);
  for (const name of targets.WEBHOOK_OPTIONS) command.addOption(kindOption(name));
  return command;
}

/** Returns the command's option for a setting of one kind. A secret is read from a file. */
function kindOption(name: targets.WebhookOption): Option {
  const { type, enum: values }: TSchema = targets.WebhookSettings.properties[name];
  const words = snakeCase(name).split('_');
  const value = type === 'boolean' ? 'true|false' : targets.isSecret(name) ? 'file' : values ? words.at(-1) : 'text';
  const option = new Option(`--${words.join('-')} <${value}>`, about(name));
  if (type === 'boolean') option.argParser(commands.parseBoolean);
  return values ? option.choices(values) : option;
}

async function getInput(cli: commands.CliContext, kind: string, settings: Options & { json?: boolean }) {
  const { active, header, when, json: _, ...options } = settings;
  registry.optionsFor(kind, options, (name) => `--${snakeCase(name).replaceAll('_', '-')}`);
  const secrets = targets.WEBHOOK_OPTIONS.filter((name) => targets.isSecret(name) && options[name] !== undefined);
  const read = secrets.map(async (name) => [name, await readSecret(name, String(options[name]))] as const);
  return {
    ...options,
    ...(options.url !== undefined && { url: await readReference(cli, options.url) }),
    ...(active !== undefined && { isActive: active }),
    ...(header && { headers: await Promise.all(header.map((line) => readHeader(cli, line))) }),
    ...(when !== undefined && { when: parseWhen(when) }),
    ...Object.fromEntries(await Promise.all(read)),
  };
}

function readSecret(name: targets.WebhookOption, path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => refuse(`the file ${path} of --${name} could not be read.`));
}

/**
 * Returns the value of the variable for `env:NAME`, the content of the file for `file:PATH`, or else `text`. Other users of
 * the machine can read the arguments of a process. Throws `invalid_input` if there is no such variable or file.
 */
async function readReference({ variable }: commands.CliContext, text: string): Promise<string> {
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(text) ?? [];
  if (kind === 'env') return variable(name)?.trim() || refuse(`The variable ${name} is not set. Set it first.`);
  if (kind !== 'file') return text;
  const content = await readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) =>
    refuse(`Could not read ${name} (${error.code}). Check its path.`),
  );
  return content.trim() || refuse(`The file ${name} is empty. Write the value into it.`);
}

function refuse(message: string): never {
  throw invalidInput(message);
}

/** Returns the line of a header with its value read from `env:NAME` or `file:PATH`. */
async function readHeader(cli: commands.CliContext, line: string): Promise<string> {
  const [, name = '', value] = /^([^:]+): *((?:env|file):.+)$/s.exec(line) ?? [];
  return value === undefined ? line : `${name}: ${await readReference(cli, value)}`;
}

function parseEvents(text: string): readonly WebhookEvent[] {
  const names = text.split(',').map((name) => name.trim());
  const events = WEBHOOK_EVENTS.filter((event) => names.includes(event));
  if (events.length === new Set(names).size) return events;
  throw new InvalidArgumentError(`Expected a comma-separated list of ${WEBHOOK_EVENTS.join(', ')}.`);
}

/** Returns a webhook, and names it in the audit entry. Throws `not_found` for an unknown id. */
async function requireWebhook({ store, note }: commands.CommandContext, id: string): Promise<Webhook> {
  const webhook = (await store.webhooks.find(id)) ?? webhookNotFound(id);
  note({ webhook_id: id }, { teamId: await teamIdOfForm(store, webhook.formId) });
  return webhook;
}

function webhookNotFound(id: string): never {
  throw notFound(`there is no webhook "${id}"; see "webhook list --form <id>".`);
}

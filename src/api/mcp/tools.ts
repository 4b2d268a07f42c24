import { Type } from '@sinclair/typebox';
import type { Context } from '../../context/context.ts';
import { invalidInput } from '../../domain/errors.ts';
import { JsonText } from '../../http/envelope.ts';
import { formatTime, type Micros } from '../../lib/clock.ts';
import { closed } from '../../lib/schema.ts';
import type { Store } from '../../storage/store.ts';
import { OPERATIONS } from '../index.ts';
import { listFormIds } from '../list-submissions.ts';
import { describeParameters } from '../openapi/document.ts';
import type { Operation } from '../operation.ts';
import type { OperationRunner } from '../runner.ts';
import { submissionTools } from './submission-tools.ts';
import { type Caller, requireAllowedSubmission, type Tool, tool } from './tool.ts';

/** Forms in a page. */
const MAX_FORMS = 50;
/** Limit of the count of mails and deliveries per state. */
const MAX_COUNTED = 1_000;
const MAX_FAILING = 50;

/** Returns all tools. None of them changes anything but the audit log and the last use of the key. */
export function allTools(context: Context, api: OperationRunner): readonly Tool[] {
  const derived = OPERATIONS.flatMap((operation) =>
    operation.mcp ? [operationTool(operation, operation.mcp, api)] : [],
  );
  const { store } = context;
  return [
    tool({
      name: 'list_forms',
      title: 'List forms',
      description: `Lists the forms of the team, oldest first, ${MAX_FORMS} at a time. Pass next_cursor as after for the next page.`,
      input: closed({ after: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })) }),
      run: async ({ after }, { teamId, allowsForm }) => {
        const forms = (await store.forms.list(teamId)).filter(({ id }) => allowsForm(id));
        const first = after === undefined ? 0 : forms.findIndex(({ id }) => id === after) + 1;
        if (after !== undefined && first === 0) throw invalidInput('after is no cursor of this list.');
        const page = forms.slice(first, first + MAX_FORMS);
        return JSON.stringify({
          forms: page.map(({ id, shortId, name, isActive, createdAt }) => {
            return { id, short_id: shortId, name, is_active: isActive, created_at: formatTime(createdAt) };
          }),
          next_cursor: first + MAX_FORMS < forms.length ? page.at(-1)?.id : null,
        });
      },
    }),
    ...submissionTools(context),
    ...derived,
    tool({
      name: 'delivery_state',
      title: 'Delivery state',
      description: `Returns the mails of a submission with submission_id, the webhooks of a form with form_id, or without either the mails and failing webhooks of the team. Counts end at ${MAX_COUNTED}.`,
      input: Type.Object(
        {
          submission_id: Type.Optional(Type.String()),
          form_id: Type.Optional(Type.String({ description: 'Id or short id of a form.' })),
        },
        { additionalProperties: false, maxProperties: 1 },
      ),
      run: async ({ submission_id, form_id }, caller) => {
        if (submission_id !== undefined) return JSON.stringify(await readMails(store, submission_id, caller));
        if (form_id !== undefined) return JSON.stringify(await readWebhooks(store, form_id, caller));
        return JSON.stringify(await readTeamState(store, caller));
      },
    }),
  ];
}

/** Returns the tool of an operation, which takes its parameters and returns its data. */
function operationTool(operation: Operation, texts: Operation['mcp'] & object, api: OperationRunner): Tool {
  const properties = describeParameters(operation).map(({ name, required, description, schema }) => {
    const property = Type.Unsafe({ ...schema, ...(description !== undefined && { description }) });
    return [name, required ? property : Type.Optional(property)] as const;
  });
  return {
    ...texts,
    input: closed(Object.fromEntries(properties)),
    run: async (input: Readonly<Record<string, unknown>>, caller) => {
      const values = Object.entries(input).map(([name, value]) => [name, String(value)] as const);
      const data = await api.read(operation, caller, Object.fromEntries(values));
      return JSON.stringify(data instanceof JsonText ? JSON.parse(data.text).data : data);
    },
  };
}

async function readMails(store: Store, submissionId: string, caller: Caller) {
  const { id } = await requireAllowedSubmission(store, submissionId, caller);
  const mails = (await store.inbox.listMailsOf(id)).map(({ kind, state, failures, settledAt }) => {
    return { kind, state: state === 'dead' ? 'failed' : state, failures, settled_at: timeOrNull(settledAt) };
  });
  return { submission_id: id, mails };
}

async function readWebhooks(store: Store, formId: string, caller: Caller) {
  const [id = ''] = await listFormIds(store, caller.teamId, formId, caller.allowsForm);
  const webhooks = (await store.webhooks.list(id)).map(async (webhook) => {
    const { waiting, lastFailed } = await store.deliveries.readBacklog(webhook.id, MAX_COUNTED);
    return {
      id: webhook.id,
      kind: webhook.kind,
      is_active: webhook.isActive,
      disabled_reason: webhook.disabledReason,
      failing_since: timeOrNull(webhook.failingSince),
      waiting,
      last_failed_status: lastFailed?.lastStatus ?? null,
    };
  });
  return { form_id: id, webhooks: await Promise.all(webhooks) };
}

async function readTeamState(store: Store, { key: { teamId, formIds } }: Caller) {
  if (formIds !== null) throw invalidInput('This key is limited to forms. Pass form_id or submission_id.');
  const [queued, retrying, failed, failing] = await Promise.all([
    store.mails.countOfTeam(teamId, 'queued', MAX_COUNTED),
    store.mails.countOfTeam(teamId, 'retrying', MAX_COUNTED),
    store.mails.countOfTeam(teamId, 'dead', MAX_COUNTED),
    store.webhooks.listFailing(MAX_FAILING, teamId),
  ]);
  const webhooks = failing.map(({ id, formId }) => ({ id, form_id: formId }));
  return { mails: { queued, retrying, failed }, failing_webhooks: webhooks };
}

const timeOrNull = (at: Micros | null): string | null => (at === null ? null : formatTime(at));

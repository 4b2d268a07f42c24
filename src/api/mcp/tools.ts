import { Type } from '@sinclair/typebox';
import type { Context } from '../../context/context.ts';
import { invalidInput } from '../../domain/errors.ts';
import { JsonText } from '../../http/envelope.ts';
import { formatTime } from '../../lib/clock.ts';
import { closed } from '../../lib/schema.ts';
import { OPERATIONS } from '../index.ts';
import { describeParameters } from '../openapi/document.ts';
import type { Operation } from '../operation.ts';
import type { OperationRunner } from '../runner.ts';
import { deliveryState } from './delivery-tool.ts';
import { submissionTools } from './submission-tools.ts';
import { type Tool, tool } from './tool.ts';

/** Forms in a page. */
const MAX_FORMS = 50;

/** Returns all tools. None of them changes anything but the audit log and the last use of the key. */
export function allTools(context: Context, api: OperationRunner): readonly Tool[] {
  const derived = OPERATIONS.flatMap((operation) =>
    operation.mcp ? [operationTool(operation, operation.mcp, api)] : [],
  );
  return [listForms(context), ...submissionTools(context), ...derived, deliveryState(context)];
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

function listForms({ store }: Context): Tool {
  return tool({
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
  });
}

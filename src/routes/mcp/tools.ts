import { Type } from '@sinclair/typebox';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { formatTime } from '../../lib/clock.ts';
import { readUsage } from '../../services/usage.ts';
import { deliveryState } from './delivery-tool.ts';
import { submissionTools } from './submission-tools.ts';
import { listAllowedForms, type Tool, tool } from './tool.ts';

/** Forms in a page. */
const MAX_FORMS = 50;

/** Returns all tools. None of them changes anything but the audit log and the last use of the key. */
export function allTools(context: Context): readonly Tool[] {
  return [listForms(context), ...submissionTools(context), getUsage(context), deliveryState(context)];
}

function listForms({ store }: Context): Tool {
  return tool({
    name: 'list_forms',
    title: 'List forms',
    description: `Lists the forms of the team, oldest first, ${MAX_FORMS} at a time. Pass next_cursor as after for the next page.`,
    input: Type.Object(
      { after: Type.Optional(Type.String({ description: 'next_cursor of the previous page.' })) },
      { additionalProperties: false },
    ),
    run: async ({ after }, caller) => {
      const forms = await listAllowedForms(store, caller);
      const first = after === undefined ? 0 : forms.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && first === 0) throw new AppError('invalid_input', 'after is no cursor of this list.');
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

function getUsage(context: Context): Tool {
  const deps = { ...context, plans: context.config.plans };
  return tool({
    name: 'get_usage',
    title: 'Get usage',
    description:
      'Returns the number of submissions of the team in this month (UTC), the limit of its plan and the rest.',
    input: Type.Object({}, { additionalProperties: false }),
    run: async (_, { key, plan }) => JSON.stringify(await readUsage(deps, key.teamId, plan)),
  });
}

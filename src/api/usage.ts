import { readUsage, UsageOutput } from '../services/usage/usage.ts';
import { operation } from './operation.ts';

export const usageOperations = [
  operation('GET', '/v1/usage', {
    id: 'readUsage',
    summary: 'Retrieve usage',
    description:
      "Returns the number of submissions accepted in the current calendar month (UTC) and the limit of the team's plan.",
    limitedKeys: 'open',
    output: UsageOutput,
    mcp: {
      name: 'get_usage',
      title: 'Get usage',
      description:
        'Returns the number of submissions of the team in this month (UTC), the limit of its plan and the rest.',
    },
    run: ({ context, teamId, plan }) => readUsage({ ...context, plans: context.config.plans }, teamId, plan),
  }),
];

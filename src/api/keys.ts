import { Type } from '@sinclair/typebox';
import { formatTime } from '../lib/clock.ts';
import { closed, noun, nullable, Time } from '../lib/schema.ts';
import { requireTeam } from '../services/teams/teams.ts';
import { operation } from './operation.ts';

const KeyOutput = noun('Key', {
  id: Type.String({ example: 'key_01a1fd5b4a6f7c3a9d1e3f50b2c4d6e8' }),
  name: Type.String({ example: 'Zapier' }),
  scope: Type.Union([Type.Literal('read'), Type.Literal('read_write')], { example: 'read_write' }),
  expires_at: nullable(Time, 'Null if the key does not expire.'),
  team: closed({
    id: Type.String({ example: 'team_01a1fd5b4a6e7a2b8c4d6e8f0a1b3c5d' }),
    name: Type.String({ example: 'Studio' }),
  }),
  plan: Type.String({ description: "The name of the team's plan.", example: 'pro' }),
  form_ids: nullable(
    Type.Array(Type.String()),
    'The forms that the key is limited to. Null for all forms of the team.',
  ),
});

export const meOperations = [
  operation('GET', '/v1/me', {
    id: 'readKey',
    summary: 'Retrieve the API key',
    description: 'Returns the API key of the request, with its team and plan. Use it to test a connection.',
    limitedKeys: 'open',
    output: KeyOutput,
    run: async ({ context, key }) => {
      const team = await requireTeam(context.store, key.teamId);
      return {
        id: key.id,
        name: key.name,
        scope: key.scope,
        expires_at: key.expiresAt === null ? null : formatTime(key.expiresAt),
        team: { id: team.id, name: team.name },
        plan: key.plan,
        form_ids: key.formIds && [...key.formIds],
      };
    },
  }),
];

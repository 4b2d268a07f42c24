import { byStatus, decoration } from './operation.ts';
import { READABLE_BY, refused, VARY } from './public-operations.ts';
import { refTo } from './schemas.ts';

const READABLE_AND_FRESH = {
  'Access-Control-Allow-Origin': READABLE_BY,
  Vary: VARY,
  'Cache-Control': {
    description: 'Each response can be used once and must not be cached.',
    required: true,
    schema: { const: 'no-store' },
  },
};

const ALTCHA = {
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    cost: 5_000,
    data: { form: 'frm_01a1fd5b4a6f76be834e4aeb4b78f669' },
    expiresAt: 1_795_267_200,
    keyLength: 32,
    keyPrefix: '00',
    nonce: '5fd10af5eefb75db2636792a0594eb2a',
    salt: 'ad2aa1975831edcd37fc53b0867c4bfe',
  },
  signature: '2782a5c74899efbd2f9b4af0beb8f07c46e258a3754ddbda1f379159dee5e25f',
};

export const setChallengeOperation = decoration({
  operationId: 'newAltchaChallenge',
  summary: 'Create a challenge',
  description:
    'Creates a proof-of-work challenge for a form that uses the `altcha` challenge. The ALTCHA widget ' +
    '(version 3, served at `/altcha.js`) requests and solves it. A solution is valid for one hour and for one submission.',
  tags: ['Public'],
  security: [],
  responses: {
    '200': {
      description: 'The challenge.',
      headers: READABLE_AND_FRESH,
      content: { 'application/json': { schema: refTo('Challenge'), example: ALTCHA } },
    },
    ...byStatus(['form_not_found', 'no_challenge', 'internal_error', 'storage_unavailable'], refused),
  },
});

export const stampOperation = decoration({
  operationId: 'stamp',
  summary: 'Create a time stamp',
  description:
    'Returns the current time, signed for the form. Send it in the field `_stamp`: the time between page ' +
    'load and post is a spam signal. `/formstead.js` adds it automatically.',
  tags: ['Public'],
  security: [],
  responses: {
    '200': {
      description: 'The time stamp.',
      headers: READABLE_AND_FRESH,
      content: {
        'application/json': {
          schema: refTo('Stamp'),
          example: { stamp: '1795263936.2782a5c74899efbd2f9b4af0beb8f07c' },
        },
      },
    },
    ...byStatus(['form_not_found', 'internal_error', 'storage_unavailable'], refused),
  },
});

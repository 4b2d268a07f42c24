import { expect, test } from 'bun:test';
import { bounceCause } from '../../../src/domain/mail/bounce.ts';

test.each([
  ['550 5.1.1 <ada@client.example>: Recipient address rejected: User unknown', 'mailbox'],
  ['550 No such user here', 'mailbox'],
  ['552 5.3.4 Message size exceeds fixed limit', 'size'],
  ['552 5.2.2 Mailbox full', 'full'],
  ['452 4.2.2 The email account that you tried to reach is over quota', 'full'],
  ['451 4.7.1 Greylisted, please try again in 300 seconds', 'later'],
  ['421 4.3.0 Temporary system problem', 'later'],
  ['554 5.7.1 Message blocked due to spam content', 'policy'],
  ['550 5.7.26 Unauthenticated email is not accepted due to the DMARC policy', 'policy'],
  ['connect ECONNREFUSED 127.0.0.1:587', 'server'],
  ['Connection timed out (ETIMEDOUT)', 'server'],
  ['554 Transaction failed', 'other'],
])('%p is taken for %s', (reason, cause) => {
  expect(bounceCause(reason)).toBe(cause as never);
});

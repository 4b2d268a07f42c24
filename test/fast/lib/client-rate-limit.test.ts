import { expect, test } from 'bun:test';
import { ClientRateLimit } from '../../../src/lib/client-rate-limit.ts';
import { MINUTE } from '../../../src/lib/clock.ts';

const inSite = (client: number) => `2001:db8:7:${client.toString(16)}::1`;

test('a /48 has eight times the limit of a /64, and IPv4 addresses have no common limit', () => {
  const window = new ClientRateLimit(2);
  for (let client = 0; client < 8; client++) {
    expect([1, 2, 3].map(() => window.take(inSite(client), 0).allowed)).toEqual([true, true, false]);
  }
  expect(window.take(inSite(8), 0)).toEqual({ allowed: false, remaining: 0, resetSeconds: 60 });
  expect(window.peek(inSite(8), 0).allowed).toBe(false);
  expect(window.take('2001:db8:8::1', 0).allowed).toBe(true);
  expect(window.take(inSite(8), MINUTE).allowed).toBe(true);
  for (let last = 0; last < 100; last++) expect(window.take(`192.0.2.${last}`, 0).allowed).toBe(true);
});

test('a use that the /64 refuses does not count for the /48, and a refund counts for both', () => {
  const window = new ClientRateLimit(1);
  for (let tries = 0; tries < 20; tries++) window.take(inSite(0), 0);
  for (let client = 1; client < 8; client++) expect(window.take(inSite(client), 0).allowed).toBe(true);
  expect(window.take(inSite(8), 0).allowed).toBe(false);
  window.refund(inSite(0));
  expect(window.take(inSite(8), 0).allowed).toBe(true);
  expect(window.peek(inSite(0), 0).allowed).toBe(false);
});

import { type EndpointState, HEALTHY } from '../domain/webhooks/webhook.ts';
import type { TeamSetup } from './records.ts';

/** Returns a setup without the health of endpoints, which changes with each delivery. */
export function comparableSetup({ webhooks: all, ...setup }: TeamSetup) {
  const health = Object.keys(HEALTHY) as Array<keyof EndpointState>;
  const settled = new Set<string>(health.filter((name) => name !== 'isActive'));
  return {
    ...setup,
    webhooks: all.map((webhook) => Object.fromEntries(Object.entries(webhook).filter(([name]) => !settled.has(name)))),
  };
}

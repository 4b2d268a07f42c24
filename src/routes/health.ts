import { Elysia } from 'elysia';
import type { Context } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { refusal, success } from '../http/envelope.ts';
import { Readiness, readinessChecks } from '../services/readiness.ts';

/** `/healthz` answers 200 as soon as the server takes requests, `/readyz` as long as it can keep what is sent. */
export function healthRoutes(context: Context) {
  const checks = readinessChecks(context);
  const readiness = new Readiness(checks, context.monotonic);
  return new Elysia()
    .get('/healthz', () => ({ status: 'ok' }))
    .get('/readyz', async ({ set }) => {
      set.headers['cache-control'] = 'no-store';
      const faults = await readiness.faults();
      if (faults.size === 0) return success({ status: 'ready', checks: checks.map(({ name }) => name) });
      const said = Array.from(faults, ([name, fault]) => `${name}: ${fault}`).join('; ');
      return refusal(new AppError('not_ready', `Not ready. ${said}.`), { 'Cache-Control': 'no-store' });
    });
}

import { Elysia } from 'elysia';
import type { Context } from '../context/context.ts';
import { AppError } from '../domain/errors.ts';
import type { Peers } from '../http/client-address.ts';
import { refusal, success } from '../http/envelope.ts';
import { SELF_CHECK_HEADER, type SelfCheckReport, selfCheckProof } from '../services/instance/address-proof.ts';
import { Readiness, readinessChecks } from '../services/instance/readiness.ts';

/** The state of a server that has received the signal to stop and still serves. */
export type Draining = Readonly<{ isDraining: boolean }>;

const NO_STORE = { 'Cache-Control': 'no-store' };

/** Registers `/healthz`, 200 while the server runs, and `/readyz`, 200 while it can store submissions. */
export function healthRoutes(context: Context, draining: Draining) {
  const checks = readinessChecks(context);
  const readiness = new Readiness(checks, context.monotonic);
  const { clientAddress } = context;

  /** Describes the request as the server sees it, for `formstead doctor`; null for any other client. */
  const reflect = (request: Request, server: Peers | null): SelfCheckReport | null => {
    const challenge = request.headers.get(SELF_CHECK_HEADER);
    const proof = challenge && selfCheckProof(context.vault, challenge, context.clock());
    const peer = server?.requestIP(request)?.address;
    if (!proof || peer === undefined) return null;
    const forwardedFor = request.headers.get('x-forwarded-for');
    const origin = { isTrusted: clientAddress.trusts(peer), isForwarded: forwardedFor !== null };
    return { proof, peer: clientAddress.of(peer, null), ...origin, client: clientAddress.of(peer, forwardedFor) };
  };

  return new Elysia()
    .get('/healthz', ({ request, server }) => {
      const mirror = reflect(request, server);
      return { status: 'ok', ...(mirror && { mirror }) };
    })
    .get('/readyz', async ({ set }) => {
      set.headers['cache-control'] = 'no-store';
      if (draining.isDraining)
        return refusal(new AppError('not_ready', 'Not ready. The server is stopping.'), NO_STORE);
      const messages = await readiness.faults();
      const getTexts = (warnings: boolean) =>
        checks.flatMap(({ name, warns = false }) =>
          warns === warnings && messages.has(name) ? [`${name}: ${messages.get(name)}`] : [],
        );
      const [faults, warnings] = [getTexts(false), getTexts(true)];
      if (faults.length > 0) return refusal(new AppError('not_ready', `Not ready. ${faults.join('; ')}.`), NO_STORE);
      const names = checks.map(({ name }) => name);
      return success({ status: 'ready', checks: names, ...(warnings.length > 0 && { warnings }) });
    });
}

import type { Context } from '../../context/context.ts';
import { jsonObject } from '../../lib/json.ts';
import * as proof from '../../services/instance/address-proof.ts';
import { httpGet } from '../http-get.ts';
import { broken, off, ok, unknown, type Verdict } from './finding.ts';

const NO_SERVER = 'not checked, since no server runs on this data directory.';

/** Checks that BASE_URL leads to this instance, which proves itself by a signature with its key. Returns null without it. */
export async function address(context: Context): Promise<Verdict | null> {
  const { baseUrl } = context.config;
  if (baseUrl === null) return null;
  if (!(await context.isServerRunning())) return unknown(`${baseUrl} is ${NO_SERVER}`);
  const reflection = await selfCheck(context, baseUrl);
  if (typeof reflection === 'string') return broken(`${baseUrl} ${reflection}.`);
  return ok(`${baseUrl} leads to this instance.`);
}

/**
 * Checks that the server sees the address of each visitor. Sends a request to BASE_URL if a server runs, and checks
 * only the settings otherwise.
 */
export async function visitors(context: Context): Promise<Verdict> {
  const { baseUrl, trustedProxies } = context.config;
  const isSecure = baseUrl?.startsWith('https:') === true;
  const shared = 'all visitors share one address and one rate limit';
  if (isSecure && trustedProxies.length === 0) {
    return broken(
      `BASE_URL is https, so a proxy is in front, but TRUSTED_PROXIES is not set: ${shared}. Set it to the address of the proxy.`,
    );
  }
  if (baseUrl === null) return unknown('Not checked, since BASE_URL is not set.');
  if (!(await context.isServerRunning())) return unknown(`${baseUrl} is ${NO_SERVER}`);
  const reflection = await selfCheck(context, baseUrl);
  if (typeof reflection === 'string') return unknown(`${baseUrl} does not lead to this instance.`);
  const { peer, isTrusted, isForwarded, client } = reflection;
  if (isForwarded && isTrusted) return ok(`The proxy at ${peer} forwards them; this request came from ${client}.`);
  if (isForwarded) {
    return broken(`The proxy at ${peer} forwards them, but is not trusted: ${shared}. Add ${peer} to TRUSTED_PROXIES.`);
  }
  if (isSecure || isTrusted) {
    return broken(
      `The proxy at ${peer} does not forward them: ${shared}. Configure it to send X-Forwarded-For, and make sure that TRUSTED_PROXIES includes it.`,
    );
  }
  return ok('Visitors connect without a proxy.');
}

/** Reports who can read /metrics. */
export function metrics({ metricsToken, config: { baseUrl } }: Context): Verdict {
  if (metricsToken !== null) return ok('METRICS_TOKEN is required.');
  if (baseUrl !== null) return off('Nobody can read them, since BASE_URL is set. Set METRICS_TOKEN to read them.');
  return unknown(
    'Not checked, since BASE_URL is not set. A proxy on this machine may publish them: set BASE_URL or METRICS_TOKEN.',
  );
}

/** Sends a self-check request to `baseUrl`. Returns how this instance received it, or the problem as text. */
async function selfCheck({ vault, clock }: Context, baseUrl: string): Promise<proof.SelfCheckReport | string> {
  const challenge = proof.selfCheckChallenge(vault, clock());
  const response = await httpGet(`${baseUrl}/healthz`, { [proof.SELF_CHECK_HEADER]: challenge });
  if (typeof response === 'string') {
    return `cannot be reached from here (${response}). Check that its name resolves to the proxy or the server, and that this machine may connect to it`;
  }
  if (response.location !== null)
    return `redirects to ${response.location}. Set BASE_URL to the address of the instance`;
  if (response.status !== 200) return `answers /healthz with ${response.status}. Check where the proxy forwards it`;
  const { mirror: reflection } = jsonObject(response.text) as { mirror?: proof.SelfCheckReport | null };
  if (reflection?.proof === proof.selfCheckProof(vault, challenge, clock())) return reflection;
  return 'is answered by another program, or by an instance with another key. Set BASE_URL to this instance, or check where the proxy forwards it';
}

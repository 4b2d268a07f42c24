import { SELF_CHECK_HEADER, type SelfCheckReport, selfCheckChallenge, selfCheckProof } from '../../services/self-check';
import { type Answer, ask } from '../ask.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';

const UNASKED = 'not asked, since nothing serves this data directory now';

/** Whether BASE_URL leads to this instance: the answer is signed with its key. */
export async function address(context: CommandContext): Promise<Finding> {
  const check = 'address';
  const { baseUrl } = context.config;
  if (baseUrl === null) {
    const says = 'mails hold no links to the dashboard: BASE_URL is not set to the address that visitors use';
    return { check, state: 'off', says };
  }
  if (!context.isServed()) return { check, state: 'unknown', says: `${baseUrl} is ${UNASKED}` };
  const seen = await look(context, baseUrl);
  if (typeof seen === 'string') return { check, state: 'broken', says: `${baseUrl} ${seen}` };
  return { check, state: 'ok', says: `${baseUrl} leads here` };
}

/** Whether visitors are told apart: by what the instance sees of a request to BASE_URL, else by the settings alone. */
export async function visitors(context: CommandContext): Promise<Finding> {
  const check = 'visitor addresses';
  const { baseUrl, trustedProxies } = context.config;
  const isSecure = baseUrl?.startsWith('https:') === true;
  const alike = 'all visitors count as one, and one can use up the rate of all';
  const broken = (says: string): Finding => ({ check, state: 'broken', says });
  if (isSecure && trustedProxies.length === 0) {
    return broken(
      `BASE_URL is https, which a proxy in front speaks, and TRUSTED_PROXIES is not set: ${alike}. Set it to the proxy's address.`,
    );
  }
  if (baseUrl === null) return { check, state: 'unknown', says: 'BASE_URL is not set: it cannot be asked' };
  if (!context.isServed()) return { check, state: 'unknown', says: `${baseUrl} is ${UNASKED}` };
  const seen = await look(context, baseUrl);
  if (typeof seen === 'string') return { check, state: 'unknown', says: `${baseUrl} does not lead here` };
  const { peer, isTrusted, isForwarded, client } = seen;
  if (isForwarded && isTrusted) return { check, state: 'ok', says: `the proxy at ${peer} tells them: ${client} asked` };
  if (isForwarded) {
    return broken(`the proxy at ${peer} tells them and is not believed: ${alike}. Add ${peer} to TRUSTED_PROXIES.`);
  }
  if (isSecure || isTrusted) {
    return broken(
      `${peer} hands requests on and does not tell them: ${alike}. Make it send X-Forwarded-For, and see that TRUSTED_PROXIES names it.`,
    );
  }
  return { check, state: 'ok', says: 'they come without a proxy' };
}

/** Whether strangers get the metrics: a proxy on this machine that adds no header looks like the machine itself. */
export async function metrics(context: CommandContext): Promise<Finding> {
  const check = 'metrics';
  const { baseUrl } = context.config;
  if (context.metricsToken !== null) return { check, state: 'ok', says: 'METRICS_TOKEN is asked for' };
  const isHere = baseUrl === null || /^https?:\/\/(localhost|127\.|\[::1\])/.test(baseUrl);
  if (isHere) return { check, state: 'ok', says: 'only this machine gets them' };
  if (!context.isServed()) return { check, state: 'unknown', says: `${baseUrl}/metrics is ${UNASKED}` };
  const answer = await ask(`${baseUrl}/metrics`);
  if (typeof answer === 'string' || answer.status !== 200) {
    return { check, state: 'ok', says: `only this machine gets them; ${baseUrl}/metrics does not give them` };
  }
  return { check, state: 'broken', says: `anybody gets them at ${baseUrl}/metrics: set METRICS_TOKEN` };
}

/** What this instance sees of a request to that address, or in words why it does not see it. */
async function look({ vault, clock }: CommandContext, baseUrl: string): Promise<SelfCheckReport | string> {
  const sent = selfCheckChallenge(vault, clock());
  const answer = await ask(`${baseUrl}/healthz`, { [SELF_CHECK_HEADER]: sent });
  if (typeof answer === 'string') {
    return `cannot be reached from here (${answer}): see that its name leads to the proxy or the server, and that this machine may connect to it`;
  }
  if (answer.location !== null) return `leads on to ${answer.location}: set BASE_URL to where the instance is`;
  if (answer.status !== 200) return `answers /healthz with ${answer.status}: see where the proxy hands it on to`;
  const seen = reflectionIn(answer);
  if (seen?.proof === selfCheckProof(vault, sent, clock())) return seen;
  return 'is answered by something else, or by an instance with another key: set BASE_URL to this one, or see where the proxy hands it on to';
}

function reflectionIn({ text }: Answer): SelfCheckReport | null {
  try {
    return (JSON.parse(text) as { mirror?: SelfCheckReport }).mirror ?? null;
  } catch {
    return null;
  }
}

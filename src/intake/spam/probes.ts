import { ENOUGH, type Evidence } from './evidence.ts';
import type { SubmittedText } from './text.ts';

const PROBE =
  /<script\b|<(?:img|svg|body|iframe)\b[^>]{0,80}\bon\w{3,12}=|\bor\s+['"]?1['"]?\s*=\s*['"]?1|union\s+(?:all\s+)?select\b|\$\{jndi:|(?:\.\.[/\\]){2}|[;|`]\s*(?:cat|wget|curl|ping|nslookup|id|whoami)\b|\$\((?:cat|curl|id|sleep|nslookup)|waitfor\s+delay|sleep\(\d|pg_sleep|\{\{\s*\d+\s*\*\s*\d+\s*\}\}|\$\{\s*\d+\s*\*|<%=\s*\d|etc\/passwd|win\.ini|\bdbms_pipe|xp_cmdshell|<!entity|javascript:\w+\(|%0d%0a|\r?\n(?:bcc|cc):\s?\S+@|php:\/\/filter|169\.254\.169\.254|\bextractvalue\(|\bbenchmark\(\d/i;

/** What any of them has somewhere: looked for first, as most texts have none. */
const MAY_PROBE = /[<'"$;|`{\\/=\n(_]|select|delay|win\.ini|169\.254|%0d/i;

/** Words of a person; more of them beside a probe make a report. */
const MAX_WORDS = 12;
const MANY_SPACES = 30;
const MAX_LENGTH = 2000;

/** What scanners send to find holes. A report of one uses words besides, so only a field that is all but the probe counts. */
export function probeEvidence({ fields }: SubmittedText): Evidence[] {
  const probed = fields.filter(({ text }) => MAY_PROBE.test(text) && hasFewWords(text) && PROBE.test(text)).length;
  if (probed === 0) return [];
  return [{ weight: probed === 1 ? 80 : ENOUGH, reason: 'a probe for security holes in place of a text' }];
}

function hasFewWords(text: string): boolean {
  // Most texts are told by their spaces, which costs less.
  let spaces = 0;
  for (let at = text.indexOf(' '); at !== -1; at = text.indexOf(' ', at + 1))
    if (++spaces === MANY_SPACES) return false;
  return (text.slice(0, MAX_LENGTH).match(/\p{L}{2,}/gu)?.length ?? 0) <= MAX_WORDS;
}

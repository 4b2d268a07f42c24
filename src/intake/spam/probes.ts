import type { Evidence } from './evidence.ts';
import type { SubmittedText } from './text.ts';

const PROBE =
  /<script\b|\bor\s+['"]?1['"]?\s*=\s*['"]?1|union\s+(?:all\s+)?select\b|\$\{jndi:|(?:\.\.\/){2}|;\s*(?:cat|wget|curl|ping)\s|waitfor\s+delay|sleep\(\d|\{\{\s*\d+\s*\*\s*\d+\s*\}\}|etc\/passwd|\bdbms_pipe|xp_cmdshell/i;

/** What scanners send to find holes. A report of one uses words besides, so only a field that is all but the probe counts. */
export function probeEvidence({ fields }: SubmittedText): Evidence[] {
  const probed = fields.filter(({ text }) => PROBE.test(text) && (text.match(/\p{L}{2,}/gu)?.length ?? 0) <= 10).length;
  if (probed === 0) return [];
  return [{ weight: probed === 1 ? 80 : 100, reason: 'a probe for security holes in place of a text' }];
}

/** Why a mail did not arrive, in kinds that a person can act on. */
export type BounceCause = 'mailbox' | 'size' | 'full' | 'later' | 'policy' | 'server' | 'other';

/** Answers of mail servers by cause: enhanced status codes (RFC 3463), or the usual words. The first match decides. */
const CAUSES: ReadonlyArray<readonly [RegExp, BounceCause]> = [
  [
    /\b(?:ECONN\w*|ETIMEDOUT|ENOTFOUND|EDNS|EAUTH|ETLS|ESOCKET|EHOSTUNREACH|ECONNECTION)\b|timed? ?out|credentials/i,
    'server',
  ],
  [/\b[45]\.(?:2\.3|3\.4)\b|(?:message|mail) (?:size|too (?:big|large))/i, 'size'],
  [/\b[45]\.2\.2\b|\b(?:452|552)\b|mailbox (?:is )?full|over ?quota|quota exceeded/i, 'full'],
  [
    /\b5\.1\.[0-36]\b|(?:no such|unknown|invalid) (?:user|mailbox|recipient|address)|(?:user|recipient) (?:is )?unknown|does(?: not|n't) exist|mailbox unavailable|not found/i,
    'mailbox',
  ],
  [/\b[45]\.7\.\d|spam|policy|block(?:ed|list)|blacklist|dmarc|\bspf\b|reputation/i, 'policy'],
  [/^\W*4\d\d|\b4\.\d\.\d\b|gr[ea]ylist|try again|later|rate limit|too many/i, 'later'],
];

/** Returns the cause in the answer of a mail server, or in the error of the connection to it. */
export function bounceCause(reason: string): BounceCause {
  if (/gr[ea]ylist/i.test(reason)) return 'later';
  return CAUSES.find(([pattern]) => pattern.test(reason))?.[1] ?? 'other';
}

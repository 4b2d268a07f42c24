import type { Context } from '../../context/context.ts';
import { type CheckName, englishText, type Finding as SharedFinding } from '../../services/instance/checks/checks.ts';
import { explainFailure } from '../../services/mail/test-mail.ts';
import { broken, type Finding, toSentence, type Verdict } from './finding.ts';

const NAMES: Partial<Record<CheckName, string>> = { database: 'durability', key: 'encryption key' };

/** Returns a finding of the Status page as `doctor` prints it, with the fix for the server's administrator. */
export function toDoctor(finding: SharedFinding): Finding {
  const { check, state, command } = finding;
  // The store names the settings of the database, for which Status refers to `doctor`.
  const parts = check === 'database' ? [toSentence(command ?? '')] : [englishText(finding), command];
  if (check === 'mail' && state === 'ok') parts.push('The mail server accepts the login.');
  return {
    check: NAMES[check] ?? check,
    state: state === 'bad' ? 'broken' : state,
    message: parts.filter(Boolean).join(' '),
  };
}

/** Logs in to the mail server and sends nothing. Returns null if that works, or without a mail server. */
export async function mailServer({ mail }: Context): Promise<Verdict | null> {
  const result = await mail?.mailer.check();
  if (!result || result.outcome === 'sent') return null;
  return broken(explainFailure(result, 'en'));
}

import { TABLE_SIZE } from '../domain/spam/spam-table.ts';
import { openOr } from './open-submission.ts';
import { spamModelAad, type Vault } from './vault.ts';

/** Opens the sealed table of a team's spam filter; null if it is damaged. */
export function openSpamTable(vault: Vault, teamId: string, weights: Uint8Array): Int16Array | null {
  const bytes = openOr(() => vault.open(weights, spamModelAad(teamId)), null);
  if (bytes?.length !== TABLE_SIZE * Int16Array.BYTES_PER_ELEMENT) return null;
  return new Int16Array(Uint8Array.from(bytes).buffer);
}

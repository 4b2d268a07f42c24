import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** The oldest version of Bun that runs Formstead. */
export const MINIMUM_BUN = engines.bun.replace('>=', '');

/** Returns whether Formstead runs with a version of Bun; false for none. */
export function isRecentBun(version = '') {
  return version.localeCompare(MINIMUM_BUN, 'en', { numeric: true }) >= 0;
}

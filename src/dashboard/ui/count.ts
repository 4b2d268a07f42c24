import { FORM_TRASH_TEXTS } from '../forms/list/texts.ts';
import type { Viewer } from '../viewer.ts';

/** Counts in badges stop here. */
export const COUNT_LIMIT = 100;

/** Formats a count up to a limit: 100 becomes 99+. */
export function countUpTo99({ number }: Viewer, count: number, limit = COUNT_LIMIT): string {
  return count >= limit ? `${number(limit - 1)}+` : number(count);
}

/** Returns a number of submissions in words. */
export function submissionsText({ language, number }: Viewer, count: number): string {
  return FORM_TRASH_TEXTS[language].submissions(count, number(count));
}

import { FORM_TRASH_TEXTS } from '../forms/list/texts.ts';
import type { Viewer } from '../viewer.ts';

/** Counts in badges stop here. */
export const COUNT_LIMIT = 100;

/** Formats a count up to `COUNT_LIMIT`, which becomes 99+. */
export function countUpTo99({ number }: Viewer, count: number): string {
  return count >= COUNT_LIMIT ? `${number(COUNT_LIMIT - 1)}+` : number(count);
}

/** Returns a number of submissions in words. */
export function submissionsText({ language, number }: Viewer, count: number): string {
  return FORM_TRASH_TEXTS[language].submissions(count, number(count));
}

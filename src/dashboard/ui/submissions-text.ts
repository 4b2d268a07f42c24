import type { Viewer } from '../viewer.ts';

/** Returns a number of submissions in words. */
export function submissionsText({ texts, number }: Viewer, count: number): string {
  return texts.formTrash.submissions(count, number(count));
}

import {
  decodeLesson,
  encodeLesson,
  type Fit,
  fitTable,
  getHalvings,
  HALF_LIFE,
  type Lesson,
  type Scored,
} from '../../domain/spam/spam-table.ts';
import type { Micros } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { SpamLesson } from '../../storage/records.ts';
import { openOr } from '../../vault/open-submission.ts';
import { spamLessonAad, spamModelAad, type Vault } from '../../vault/vault.ts';
import type { Services } from '../services.ts';

type Deps = Pick<Services, 'store' | 'vault' | 'clock'>;

/** A team's stored model without its table. `before` is its sealed table; null for a new one. */
export type OpenModel = Readonly<{ raisedBy: number; halvedAt: Micros; before: Uint8Array | null }>;

export type OpenLesson = Lesson & Pick<SpamLesson, 'id' | 'submissionId' | 'balances'>;

/** The lesson of a mark that taught nothing. */
export const NOTHING: Scored = { distance: 0, places: new Uint16Array(0) };
const PAGE_SIZE = 200;
/** Lessons that one transaction changes. */
export const LESSONS_PER_STEP = 100;

/** Seals a table and what goes with it for the store. */
export function sealModel(vault: Vault, teamId: string, table: Int16Array, raisedBy: number, halvedAt: Micros) {
  return { weights: vault.seal(new Uint8Array(table.buffer), spamModelAad(teamId)), raisedBy, halvedAt };
}

export function sealLesson(vault: Vault, id: string, lesson: Scored): Uint8Array {
  return vault.seal(encodeLesson(lesson), spamLessonAad(id));
}

/**
 * Reads a team's model. If its last halving was a year ago, or is in the future after a repair of the clock, the time is
 * moved by whole years. `since` is the time of a new model.
 */
export async function readStoredModel({ store, clock }: Deps, teamId: string, since: Micros): Promise<OpenModel> {
  const stored = await store.spam.findModel(teamId);
  if (!stored) return { raisedBy: 0, halvedAt: since, before: null };
  const years = Math.floor((clock() - stored.halvedAt) / HALF_LIFE);
  return { raisedBy: stored.raisedBy, halvedAt: stored.halvedAt + years * HALF_LIFE, before: stored.weights };
}

/** Opens the lessons of a team but those in `removed`, in the order of their ids. A damaged one teaches nothing. */
export async function openLessons(
  { store, vault }: Deps,
  { teamId, halvedAt, removed }: Readonly<{ teamId: string; halvedAt: Micros; removed: readonly string[] }>,
): Promise<OpenLesson[]> {
  const without = new Set(removed);
  const lessons: OpenLesson[] = [];
  for (let after = ''; ; ) {
    const page = await store.spam.listLessons(teamId, { after, limit: PAGE_SIZE });
    for (const { id, submissionId, isSpam, balances, changes, createdAt } of page) {
      if (without.has(id)) continue;
      const lesson = openOr(() => decodeLesson(vault.open(changes, spamLessonAad(id))), NOTHING);
      lessons.push({ ...lesson, id, submissionId, isSpam, balances, halvings: getHalvings(createdAt, halvedAt) });
    }
    await yieldToEventLoop();
    after = page.at(-1)?.id ?? '';
    if (page.length < PAGE_SIZE) return lessons;
  }
}

/** Fits a table to lessons in the order of their ids, so that it is always the same. Yields to the event loop. */
export async function fit(lessons: readonly Lesson[]): Promise<Fit> {
  for (const steps = fitTable(lessons); ; await yieldToEventLoop()) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Returns true for a mark that waits to be learned. */
export const isUnlearned = ({ changes }: SpamLesson): boolean => changes.length === 0;

/**
 * Deletes the lessons of deleted submissions and fits a team's table to the others. Returns true if there were any. The
 * learning job does the same; an erasure does not wait for it.
 */
export async function forgetLessons(deps: Deps, teamId: string): Promise<boolean> {
  const { store, vault, clock } = deps;
  for (let hasForgotten = false; ; await yieldToEventLoop()) {
    const work = await store.spam.findWork(LESSONS_PER_STEP, teamId);
    const forgotten = (work?.lessons ?? []).filter((lesson) => !isUnlearned(lesson));
    if (forgotten.length === 0) return hasForgotten;
    const { raisedBy, halvedAt, before } = await readStoredModel(deps, teamId, clock());
    const removed = forgotten.map(({ id }) => id);
    const { table } = await fit(await openLessons(deps, { teamId, halvedAt, removed }));
    const change = { before, model: sealModel(vault, teamId, table, raisedBy, halvedAt), learned: [], removed };
    hasForgotten = (await store.spam.saveModel(teamId, change)) || hasForgotten;
  }
}

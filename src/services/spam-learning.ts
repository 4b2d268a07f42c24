import {
  applyLesson,
  decodeLesson,
  encodeLesson,
  HALF_LIFE,
  halvingsOf,
  type Lesson,
  TABLE_SIZE,
} from '../domain/spam-table.ts';
import type { Clock, Micros } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { SpamLesson, Store } from '../storage/store.ts';
import { openSpamTable } from '../vault/open-spam-table.ts';
import { openOr } from '../vault/open-submission.ts';
import { spamLessonAad, spamModelAad, type Vault } from '../vault/vault.ts';

type Deps = Readonly<{ store: Store; vault: Vault; clock: Clock }>;

/** A team's table in memory. `before` is the sealed record that it was read from; null for a new one. */
export type OpenModel = { table: Int16Array; raisedBy: number; halvedAt: Micros; readonly before: Uint8Array | null };

/** The lesson of a mark that taught nothing. */
export const NOTHING: Lesson = { amount: 0, places: new Uint16Array(0) };
const PAGE_SIZE = 200;
/** Lessons that one transaction changes. */
export const LESSONS_PER_STEP = 20;

/** Seals a table and what goes with it for the store. */
export function sealModel(vault: Vault, teamId: string, { table, raisedBy, halvedAt }: OpenModel) {
  return { weights: vault.seal(new Uint8Array(table.buffer), spamModelAad(teamId)), raisedBy, halvedAt };
}

export function sealLesson(vault: Vault, id: string, lesson: Lesson): Uint8Array {
  return vault.seal(encodeLesson(lesson), spamLessonAad(id));
}

/**
 * Opens a team's model. A model whose last halving was a year ago or is in the future, after a repair of the clock, is
 * built again as the sum of all lessons, like a damaged one. `since` is the time of a new model.
 */
export async function openModel(deps: Deps, teamId: string, since: Micros): Promise<OpenModel> {
  const { store, vault, clock } = deps;
  const stored = await store.findSpamModel(teamId);
  const before = stored?.weights ?? null;
  const raisedBy = stored?.raisedBy ?? 0;
  const halvedAt = stored?.halvedAt ?? since;
  const years = Math.floor((clock() - halvedAt) / HALF_LIFE);
  const table = stored === null ? new Int16Array(TABLE_SIZE) : openSpamTable(vault, teamId, stored.weights);
  if (table && (years === 0 || stored === null)) return { table, raisedBy, halvedAt, before };
  const model = { table: new Int16Array(TABLE_SIZE), raisedBy, halvedAt: halvedAt + years * HALF_LIFE, before };
  for (let after = ''; ; ) {
    const page = await store.listSpamLessons(teamId, { after, limit: PAGE_SIZE });
    for (const lesson of page) changeModel(vault, model, lesson, 1);
    await yieldToEventLoop();
    after = page.at(-1)?.id ?? '';
    if (page.length < PAGE_SIZE) return model;
  }
}

/** Adds a learned lesson to a model, or subtracts it with -1. */
export function changeModel(vault: Vault, model: OpenModel, lesson: SpamLesson, sign: 1 | -1): void {
  const { id, changes, createdAt } = lesson;
  const opened = openOr(() => decodeLesson(vault.open(changes, spamLessonAad(id))), NOTHING);
  applyLesson(model.table, opened, sign, halvingsOf(createdAt, model.halvedAt));
}

/** Returns true for a mark that waits to be learned. */
export function isUnlearned({ changes }: SpamLesson): boolean {
  return changes.length === 0;
}

/**
 * Subtracts the lessons of deleted submissions from a team's table and deletes them. Returns true if there were any. The
 * learning job does the same; an erasure does not wait for it.
 */
export async function forgetLessons(deps: Deps, teamId: string): Promise<boolean> {
  const { store, vault, clock } = deps;
  for (let hasForgotten = false; ; await yieldToEventLoop()) {
    const work = await store.findSpamWork(LESSONS_PER_STEP, teamId);
    const forgotten = (work?.lessons ?? []).filter((lesson) => !isUnlearned(lesson));
    if (forgotten.length === 0) return hasForgotten;
    const model = await openModel(deps, teamId, clock());
    for (const lesson of forgotten) changeModel(vault, model, lesson, -1);
    const removed = forgotten.map(({ id }) => id);
    const change = { before: model.before, model: sealModel(vault, teamId, model), learned: [], removed };
    hasForgotten = (await store.saveSpamModel(teamId, change)) || hasForgotten;
  }
}

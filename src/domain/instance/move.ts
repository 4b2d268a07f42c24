import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { jsonOrNull } from '../../lib/json.ts';

/** Name of the mark in a data directory. */
export const MOVE_MARK = 'move.json';

const MoveMarkSchema = Type.Object({
  id: Type.String(),
  role: Type.Union([Type.Literal('source'), Type.Literal('target')]),
  other: Type.String(),
  isDone: Type.Boolean(),
});

/**
 * Marks a database that `formstead move` reads (`source`) or fills (`target`). `id` is that of the move, and `other` the
 * other database without its password. A finished move leaves the mark of its source only.
 */
export type MoveMark = Readonly<{ id: string; role: 'source' | 'target'; other: string; isDone: boolean }>;

/** Returns the mark of a target whose move has not begun to copy, and has no id yet. */
export const newTargetMark = (source: string): MoveMark => ({ id: '', role: 'target', other: source, isDone: false });

/** Parses the content of a mark; null if it is damaged. */
export function parseMoveMark(text: string): MoveMark | null {
  const value = jsonOrNull(text);
  return Value.Check(MoveMarkSchema, value) ? value : null;
}

/** Returns the reason for which servers and changing commands refuse a marked database, with the remedy. */
export function markText({ role, other, isDone }: MoveMark): string {
  if (role === 'target') {
    return `A move from ${other} into this database was interrupted. Run the same "formstead move" again to finish it.`;
  }
  const undo = 'To keep using this one instead, run "formstead move --undo" with its settings.';
  if (!isDone) {
    return `This instance is being moved to ${other}. Run the same "formstead move" again to finish it. ${undo}`;
  }
  return `This instance was moved to ${other}. ${useTarget(other)} ${undo}`;
}

/** Returns how to use the database that an instance was moved to. */
export function useTarget(other: string): string {
  return other.startsWith('sqlite:')
    ? 'Unset DATABASE_URL and set DATA_DIR to that directory.'
    : 'Set DATABASE_URL to that database.';
}

/** Returns a PostgreSQL URL without its password and parameters, for messages. */
export function databaseName(url: string): string {
  const { protocol, username, host, pathname } = new URL(url);
  return `${protocol}//${username && `${username}@`}${host}${pathname}`;
}

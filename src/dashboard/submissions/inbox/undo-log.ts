import { type Clock, MINUTE, type Micros } from '../../../lib/clock.ts';
import { newToken } from '../../../services/users/sessions.ts';
import type { ActionName } from './bulk-actions.ts';

/** The inverse of an action, for the changed submissions. `maybeSpam` were possible spam before. */
export type Undoable = Readonly<{ action: ActionName; ids: readonly string[]; maybeSpam: ReadonlySet<string> }>;

/** Time in which an action can be undone. */
const LIFETIME = 10 * MINUTE;
/** Ids in memory, about 8 MB. The oldest actions are forgotten first. */
const MAX_IDS = 100_000;

/** Remembers in memory how to undo the latest actions. After a restart, the trash and the views are left. */
export class UndoLog {
  readonly #entries = new Map<string, Undoable & Readonly<{ sessionId: string; expiresAt: Micros }>>();
  #size = 0;

  constructor(private readonly clock: Clock) {}

  /** Returns the token for `take`. */
  keep(sessionId: string, undoable: Undoable): string {
    const token = newToken();
    this.#entries.set(token, { ...undoable, sessionId, expiresAt: this.clock() + LIFETIME });
    this.#size += undoable.ids.length;
    for (const [oldest, { expiresAt }] of this.#entries) {
      if (this.#size <= MAX_IDS && expiresAt > this.clock()) break;
      this.#forget(oldest);
    }
    return token;
  }

  /** Tells if a session can still undo an action. */
  has(sessionId: string, token: string): boolean {
    const entry = this.#entries.get(token);
    return entry?.sessionId === sessionId && entry.expiresAt > this.clock();
  }

  /** Returns the action of a session, once. Null if it is too old. */
  take(sessionId: string, token: string): Undoable | null {
    const entry = this.#entries.get(token);
    if (!entry || !this.has(sessionId, token)) return null;
    this.#forget(token);
    return entry;
  }

  #forget(token: string): void {
    this.#size -= this.#entries.get(token)?.ids.length ?? 0;
    this.#entries.delete(token);
  }
}

import type { ErrorCode } from '../domain/errors.ts';

/** Counts of posts by outcome since the start of the process. `flagged` and `maybeSpam` are subsets of `accepted`. */
export class PostCounts {
  accepted = 0;
  flagged = 0;
  maybeSpam = 0;
  replayed = 0;
  honeypotHits = 0;
  readonly refused = new Map<ErrorCode, number>();

  refuse(code: ErrorCode): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }
}

import type { ErrorCode } from '../domain/errors.ts';

/** What became of posts since the start. */
export class PostCounts {
  /** Kept, those among them that were flagged as spam, and those that had been kept before. */
  accepted = 0;
  flagged = 0;
  replayed = 0;
  /** Dropped because a honeypot was filled in. */
  trapped = 0;
  readonly refused = new Map<ErrorCode, number>();

  refuse(code: ErrorCode): void {
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
  }
}

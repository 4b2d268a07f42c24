/** A connection on which nothing moves is closed then; so is one whose request has a deadline of its own, later. */
export const IDLE_SECONDS = 120;

let pending: Promise<void> | null = null;

/**
 * Fulfilled once the event loop has looked at all that has arrived. Those who wait go on together, each step of all before the
 * next one, for which the processor has its code at hand then: it spares a busy server a tenth of a post.
 */
export function endOfTurn(): Promise<void> {
  pending ??= new Promise((resolve) => {
    setImmediate(() => {
      pending = null;
      resolve();
    });
  });
  return pending;
}

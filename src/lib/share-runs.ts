/**
 * Wraps `run` so that one run at a time serves all callers waiting for it. A caller's run always starts after its call,
 * so calls during a run share the next one.
 */
export function shareRuns(run: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  const start = async () => {
    await last.catch(() => {});
    next = null;
    await run();
  };
  return () => {
    if (!next) {
      const started = start();
      next = started;
      last = started;
    }
    return next;
  };
}

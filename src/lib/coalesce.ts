/**
 * Wraps `load` so that calls with the same key in one turn of the event loop share a single call. Results are not
 * cached beyond that turn, so no caller gets a value older than its own call.
 */
export function coalesce<Answer>(load: (key: string) => Promise<Answer>): (key: string) => Promise<Answer> {
  const pending = new Map<string, Promise<Answer>>();
  return (key) => {
    const shared = pending.get(key);
    if (shared) return shared;
    if (pending.size === 0) setImmediate(() => pending.clear());
    const result = load(key);
    pending.set(key, result);
    return result;
  };
}

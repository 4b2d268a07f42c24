/**
 * Answers the same question once a turn of the event loop, however many ask. Those who share an answer asked at the
 * same moment, so none of them gets one that was out of date when it asked.
 */
export function coalesce<Answer>(load: (key: string) => Promise<Answer>): (key: string) => Promise<Answer> {
  const pending = new Map<string, Promise<Answer>>();
  return (key) => {
    const known = pending.get(key);
    if (known) return known;
    if (pending.size === 0) setImmediate(() => pending.clear());
    const result = load(key);
    pending.set(key, result);
    return result;
  };
}

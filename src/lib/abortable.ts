/** What the work comes to, or the reason of the signal if that ends first: for what takes no signal itself. */
export async function abortable<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

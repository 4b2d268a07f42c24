import { addAbortListener } from 'node:events';

/** Settles like `work`, or rejects with the signal's reason if it aborts first. For APIs that accept no signal. */
export async function abortable<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  using _ = addAbortListener(signal, () => reject(signal.reason));
  return await Promise.race([work, aborted]);
}

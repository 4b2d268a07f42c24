const ids = new WeakMap<Request, string>();
const thisProcess = crypto.randomUUID().slice(0, 8);
let count = 0;

/** Returns the request's id for the log and the `X-Request-Id` header; the same id for repeated calls. */
export function requestId(request: Request): string {
  return ids.getOrInsertComputed(request, () => `${thisProcess}-${++count}`);
}

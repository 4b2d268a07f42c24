const ids = new WeakMap<Request, string>();
const thisProcess = crypto.randomUUID().slice(0, 8);
let count = 0;

/** Returns the request's id for the log and the `X-Request-Id` header; the same id for repeated calls. */
export function requestId(request: Request): string {
  const known = ids.get(request);
  if (known) return known;
  const id = `${thisProcess}-${++count}`;
  ids.set(request, id);
  return id;
}

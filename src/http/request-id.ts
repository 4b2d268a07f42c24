const ids = new WeakMap<Request, string>();
const thisProcess = crypto.randomUUID().slice(0, 8);
let count = 0;

/** The name under which a request stands in the log and, if it failed, in its answer's `X-Request-Id`. */
export function requestId(request: Request): string {
  const known = ids.get(request);
  if (known) return known;
  const id = `${thisProcess}-${++count}`;
  ids.set(request, id);
  return id;
}

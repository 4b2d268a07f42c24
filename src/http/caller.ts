type Caller = Readonly<{ key: string }> | Readonly<{ user: string }>;

const callers = new WeakMap<Request, Caller>();

/** Says which key or user a request comes from, by its id, as soon as that is known: a refusal is logged with it. */
export function noteCaller(request: Request, caller: Caller): void {
  callers.set(request, caller);
}

/** Nothing where nobody is known. */
export function callerOf(request: Request): Caller | Readonly<Record<never, string>> {
  return callers.get(request) ?? {};
}

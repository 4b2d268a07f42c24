type Caller = Readonly<{ key: string }> | Readonly<{ user: string }>;

const callers = new WeakMap<Request, Caller>();

/** Records the key's or user's id for a request, which is then logged with a refusal. */
export function noteCaller(request: Request, caller: Caller): void {
  callers.set(request, caller);
}

/** Returns the caller, or an empty object if none was recorded. */
export const getCaller = (request: Request): Caller | Readonly<Record<never, string>> => callers.get(request) ?? {};

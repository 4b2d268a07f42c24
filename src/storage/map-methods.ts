type Method = (...args: unknown[]) => unknown;
type AsyncMethod = (...args: unknown[]) => Promise<unknown>;

/** Wraps each method of each store. `Mapped` is the type of the result. */
export function mapMethods<Mapped extends object>(
  stores: object,
  wrap: (method: Method, noun: string, name: string) => AsyncMethod,
): Mapped {
  const mapped = Object.entries(stores).map(([noun, store]: [string, Record<string, Method>]) => [
    noun,
    Object.fromEntries(Object.entries(store).map(([name, method]) => [name, wrap(method, noun, name)])),
  ]);
  return Object.fromEntries(mapped) as Mapped;
}

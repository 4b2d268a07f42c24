/** Returns a function that calls `load` on its first call, and returns that result on every call. */
export function once<Value>(load: () => Value): () => Value {
  let loaded: Readonly<{ value: Value }> | null = null;
  return () => {
    loaded ??= { value: load() };
    return loaded.value;
  };
}

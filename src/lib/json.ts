/** Parses JSON; returns null for other text. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Parses a JSON object; returns an empty object for other text. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> {
  const value = jsonOrNull(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

import { AppError } from '../../domain/errors.ts';
import type { Texts } from './texts.ts';

/** Error messages by the names of their inputs. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Runs a parser of the domain. Returns its value, or the translated error if it throws `invalid_input`. */
export function parseInput<Value>(
  texts: Texts,
  parse: () => Value,
): Readonly<{ value: Value }> | Readonly<{ error: string }> {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_input') return { error: errorText(texts, error) };
    throw error;
  }
}

/** Explains an error in the viewer's language: by its reason, else by its code. */
export function errorText({ errors, failure }: Texts, { code, reason }: AppError): string {
  if (reason === null) return (failure.codes as Readonly<Record<string, string>>)[code] ?? failure.other;
  const [key, ...parameters] = reason;
  return (errors[key] as (...parameters: readonly unknown[]) => string)(...parameters);
}

import { AppError, InvalidFileError, NoInstanceError, SettingsError } from '../domain/errors.ts';
import { printable } from '../lib/table.ts';
import { toJson } from './command.ts';
import { withHint } from './hints.ts';

/** Formats an error for stderr: one line, or one line for each bad setting or fault of a file; with `asJson` one JSON document. */
export function errorText(error: Error, asJson: boolean): string {
  const faults = error instanceof InvalidFileError ? { faults: error.faults } : {};
  if (asJson) return `${toJson({ error: error.message, code: getCode(error), ...faults })}\n`;
  const hasSeveral = error instanceof SettingsError || error instanceof InvalidFileError;
  const messages = hasSeveral ? error.messages : [error.message];
  return messages.map((message) => `formstead: ${printable(message)}\n`).join('');
}

/** Formats a usage error for stderr as a JSON document. */
export function usageErrorText({ message }: Error): string {
  return `${toJson({ error: withHint(message).replace(/^error: /, ''), code: 'usage' })}\n`;
}

function getCode(error: Error): string {
  if (error instanceof AppError) return error.code;
  if (error instanceof SettingsError) return 'invalid_settings';
  if (error instanceof NoInstanceError) return 'no_instance';
  return 'code' in error ? String(error.code) : 'setup';
}

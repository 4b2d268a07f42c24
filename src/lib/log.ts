import { printable } from './table.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Facts beside a message. Never a payload, a key or an address: what must not be read is not passed in. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** One line a message, from its level upwards. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

type Options = Readonly<{ level: LogLevel; isPretty: boolean; write: (line: string) => void }>;

/** Writes one line a message: a JSON object, or plain words when a person reads along. */
export function createLogger({ level, isPretty, write }: Options): Logger {
  const threshold = LOG_LEVELS.indexOf(level);
  const format = isPretty ? formatPretty : formatJson;
  const at = (name: LogLevel) => {
    if (LOG_LEVELS.indexOf(name) < threshold) return () => {};
    return (message: string, fields: LogFields = {}) => write(`${format(name, message, fields)}\n`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function formatJson(level: LogLevel, message: string, fields: LogFields): string {
  return JSON.stringify({ time: new Date().toISOString(), level, message, ...fields });
}

function formatPretty(level: LogLevel, message: string, fields: LogFields): string {
  const suffix = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${value}`);
  return printable(`${new Date().toISOString().slice(11, 19)} ${level.padEnd(5)} ${message}${suffix.join('')}`);
}

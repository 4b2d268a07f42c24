import { printable } from './table.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured fields of a log line. Never pass payloads, keys or addresses. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A logger that writes one line per message. */
export type Logger = Readonly<Record<Exclude<LogLevel, 'silent'>, (message: string, fields?: LogFields) => void>>;

type Options = Readonly<{ level: LogLevel; isPretty: boolean; write: (line: string) => void }>;

/** Creates a logger for messages of `level` and above: JSON lines, or plain text if `isPretty`. */
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
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${value}`);
  return printable(`${new Date().toISOString().slice(11, 19)} ${level.padEnd(5)} ${message}${pairs.join('')}`);
}

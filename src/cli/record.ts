import { userInfo } from 'node:os';
import type { Command } from 'commander';
import type { Context } from '../context/context.ts';
import { type Actor, COMMAND_AUDIT_ACTIONS } from '../domain/audit.ts';
import { type Notes, recordAction } from '../services/audit/audit.ts';

/** Options with an id as value. Only the names of all other options are recorded. */
const ID_OPTIONS = ['team', 'workspace', 'form'] as const;

/** Writes the audit entry of a finished command, if `COMMAND_AUDIT_ACTIONS` has an action for it. */
export async function recordCommand(context: Context, command: Command, notes: Notes): Promise<void> {
  const declared = COMMAND_AUDIT_ACTIONS[commandPath(command)];
  const action = notes.context.action === undefined ? declared : notes.context.action;
  if (!action) return;
  const options = command.opts<Record<string, unknown>>();
  const passed = Object.keys(options).filter((name) => command.getOptionValueSource(name) === 'cli');
  const settings = passed.filter((name) => name !== 'json' && !ID_OPTIONS.some((id) => id === name)).sort();
  const given = ID_OPTIONS.filter((name) => passed.includes(name) && typeof options[name] === 'string');
  const details = {
    ...Object.fromEntries(given.map((name) => [`${name}_id`, String(options[name])])),
    ...(settings.length > 0 && { settings: settings.join(', ') }),
    ...notes.details,
  };
  const teamIds = notes.teamIds ?? (typeof options.team === 'string' ? [options.team] : []);
  await recordAction(context, { teamIds, actor: commandActor(), action, details });
}

/** Returns true if a command writes to the database. */
export function changesInstance(command: Command): boolean {
  const path = commandPath(command);
  // Has an entry for each change of the file instead of one of its own.
  return path === 'apply' || (COMMAND_AUDIT_ACTIONS[path] ?? null) !== null;
}

/** Returns the actor of a command: the user of this process. */
export const commandActor = (): Actor => ({ kind: 'command', id: 'command', name: systemUser(), address: null });

/** Returns the words of a command after the program name, such as `form update`. */
export function commandPath(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${commandPath(parent)} ${command.name()}` : command.name();
}

/** Returns the login name of the user of this process; null if unknown. */
function systemUser(): string | null {
  try {
    const { username } = userInfo();
    return username === 'unknown' ? null : username;
  } catch {
    return null;
  }
}

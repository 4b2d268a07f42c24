import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { auditActionOf, type Notes, recordAction } from '../services/audit.ts';
import type { CommandContext } from './command.ts';

/** Options that name what a command works on: their values are ids. Of the others the names alone are recorded. */
const IDS = ['team', 'workspace', 'form'] as const;

/** Records what a command has done, if the table has a word for it. */
export async function recordCommand(context: CommandContext, command: Command, notes: Notes): Promise<void> {
  const action =
    notes.context.action === undefined ? auditActionOf(context.log, pathOf(command)) : notes.context.action;
  if (!action) return;
  const options = command.opts<Record<string, unknown>>();
  const given = Object.keys(options).filter((name) => command.getOptionValueSource(name) === 'cli');
  const named = given.filter((name) => name !== 'json' && !IDS.some((id) => id === name)).sort();
  const ids = IDS.filter((name) => given.includes(name)).map((name) => [`${name}_id`, String(options[name])]);
  const teamIds = notes.teamIds ?? (typeof options.team === 'string' ? [options.team] : []);
  await recordAction(context, {
    teamIds,
    actor: { kind: 'command', id: 'command', name: systemUser(), address: null },
    action,
    details: {
      ...Object.fromEntries(ids),
      ...(named.length > 0 && { settings: named.join(', ') }),
      ...notes.details,
    },
  });
}

/** The words of a command as it is written, without those of the program: `form update`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

/** Whom the system knows as the user of this process; null where it does not tell. */
function systemUser(): string | null {
  try {
    const { username } = userInfo();
    return username === 'unknown' ? null : username;
  } catch {
    return null;
  }
}

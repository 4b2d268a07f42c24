import type { Command } from 'commander';
import { useTarget } from '../domain/instance/move.ts';
import { moveInstance, undoMove } from '../services/instance/move.ts';
import { CliCommand, type CliContext, printOne, toJson, withReason } from './command.ts';
import { withProgress } from './progress.ts';

type Options = Readonly<{ to?: string; files?: string; undo?: boolean }>;

export function moveCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'move')
    .description(
      'copy all rows and files to PostgreSQL or back to SQLite, and verify them; resumes an interrupted move',
    )
    .option('--to <database>', 'an empty database: postgres://user:password@host:5432/database or sqlite:DIR')
    .option('--files <place>', 'where to copy the files: s3://bucket/prefix?region=… or disk')
    .option('--undo', 'remove the mark of the source, so that it can be used again')
    .action(async ({ to, files, undo = false }: Options, command: Command) => {
      if (undo ? to !== undefined || files !== undefined : to === undefined) {
        command.error('error: pass either --to or --undo');
      }
      if (to === undefined) return undoLast(cli);
      const { close, nextSettings, ...opened } = await cli.openMove(to, files ?? null);
      const progress = { step: 'opening', done: 0 };
      try {
        const status = () => `${progress.step}: ${progress.done}`;
        const { tables, ...counts } = await withProgress(cli, status, moveInstance({ ...opened, progress }));
        const moved = { moved_to: opened.target.name };
        if (cli.asJson) {
          cli.stdout(`${toJson({ ...moved, tables, ...counts })}\n`);
        } else {
          const rows = tables.reduce((sum, table) => sum + table.rows, 0);
          printOne(cli, { ...moved, tables: tables.length, rows, ...counts });
        }
        cli.stderr(nextSteps(opened.target.name, nextSettings));
      } catch (error) {
        throw withReason(error);
      } finally {
        await close();
      }
    });
}

function nextSteps(target: string, settings: readonly string[]): string {
  const verified = 'All rows, records and files were verified. The source is unchanged, and marked as moved.';
  const set = `${useTarget(target)} Start the server with these settings, and keep the others:`;
  return `${verified} ${set}\n${settings.map((line) => `  ${line}\n`).join('')}`;
}

async function undoLast(cli: CliContext): Promise<void> {
  const source = await cli.openMoveSource();
  try {
    const { other } = await undoMove(source);
    printOne(cli, { usable_again: source.name, moved_to: other });
    cli.stderr(`Do not use ${other} at the same time: submissions to one are not in the other.\n`);
  } finally {
    await source.close();
  }
}

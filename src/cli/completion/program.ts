import type { Command } from 'commander';

/** A word that a shell may complete. */
export type Word = Readonly<{ name: string; description: string }>;

/** An option. `values` are its choices, empty for any value, null if it takes none. */
export type OptionWord = Word & Readonly<{ values: readonly string[] | null }>;

/** A command: its words with a space before each, its subcommands or the choices of its argument, and its options. */
export type CommandWords = Readonly<{ path: string; words: readonly Word[]; options: readonly OptionWord[] }>;

/** Returns the program and all its commands, each before its subcommands. */
export function describeProgram(command: Command, path = ''): readonly CommandWords[] {
  const subcommands = command.commands.map((child) => ({ name: child.name(), description: child.description() }));
  const choices = command.registeredArguments.flatMap(({ argChoices = [], description }) =>
    argChoices.map((name) => ({ name, description })),
  );
  const options = command.options.map(({ long, short, description, required, argChoices = [] }) => ({
    name: long ?? short ?? '',
    description,
    values: required ? argChoices : null,
  }));
  return [
    { path, words: [...subcommands, ...choices], options: [...options, HELP] },
    ...command.commands.flatMap((child) => describeProgram(child, `${path} ${child.name()}`)),
  ];
}

const HELP: OptionWord = { name: '--help', description: 'display help for command', values: null };

/** Returns a text in single quotes for bash and zsh. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns a pattern of bash and zsh that matches these texts. */
export function pattern(texts: readonly string[]): string {
  return texts.map(quote).join('|');
}

/** Returns the paths of all commands but the program itself. */
export function pathsOf(commands: readonly CommandWords[]): readonly string[] {
  return commands.map(({ path }) => path).filter((path) => path !== '');
}

/** Returns path and name of each option with a value, by its choices; without choices under the empty text. */
export function optionsByValues(commands: readonly CommandWords[]): ReadonlyMap<string, readonly string[]> {
  const options = new Map<string, string[]>();
  for (const { path, options: all } of commands) {
    for (const { name, values } of all) {
      if (values) options.getOrInsertComputed(values.join(' '), () => []).push(`${path} ${name}`);
    }
  }
  return options;
}

import { type CommandWords, type OptionWord, pathsOf } from './program.ts';

/** Returns the completion script for fish. */
export function fishCompletion(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ path, words, options }) => {
    const start = `complete -c formstead -n "__formstead_at ${quote(path)}"`;
    return [
      ...(words.length === 0 ? [`${start} -F`] : []),
      ...words.map(({ name, description }) => `${start} -a ${name} -d ${quote(description)}`),
      ...options.map((option) => `${start} ${argumentsOf(option)}`),
    ];
  });
  return `# fish completion for formstead
function __formstead_at
    set -l at ''
    set -l words (commandline -opc)
    for word in $words[2..-1]
        switch "$at $word"
            case ${pathsOf(commands).map(quote).join(' ')}
                set at "$at $word"
        end
    end
    test "$at" = "$argv[1]"
end
complete -c formstead -f
${lines.join('\n')}
`;
}

function argumentsOf({ name, description, values }: OptionWord): string {
  const value = values === null ? '' : values.length === 0 ? ' -rF' : ` -xa ${quote(values.join(' '))}`;
  return `-l ${name.slice(2)}${value} -d ${quote(description)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

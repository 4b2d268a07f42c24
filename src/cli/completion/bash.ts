import { type CommandWords, optionsByValues, pathsOf, pattern, quote } from './program.ts';

/** Returns the completion script for bash. Values without choices complete to file names. */
export function bashCompletion(commands: readonly CommandWords[]): string {
  const values = [...optionsByValues(commands)].map(
    ([choices, options]) =>
      `    ${pattern(options)})\n      COMPREPLY=($(compgen -W ${quote(choices)} -- "$word"))\n      return ;;`,
  );
  const words = commands.map(({ path, words, options }) => {
    const names = [...words, ...options].map(({ name }) => name);
    return `    ${quote(path)}) words=${quote(names.join(' '))} ;;`;
  });
  return `# bash completion for formstead
_formstead() {
  local word=\${COMP_WORDS[COMP_CWORD]} at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
    ${pattern(pathsOf(commands))}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _formstead formstead
`;
}

import { type CommandWords, optionsByValues, pathsOf, pattern, quote, type Word } from './program.ts';

/** Returns the completion script for zsh, which works from a folder of `fpath` and when sourced. */
export function zshCompletion(commands: readonly CommandWords[]): string {
  const values = [...optionsByValues(commands)].map(
    ([choices, options]) =>
      `    ${pattern(options)}) ${choices === '' ? '_files' : `compadd -- ${choices}`}; return ;;`,
  );
  const words = commands.map(
    ({ path, words, options }) => `    ${quote(path)}) words_here=(${list(words)}) options_here=(${list(options)}) ;;`,
  );
  return `#compdef formstead
# zsh completion for formstead
_formstead() {
  local at='' i
  local -a words_here options_here
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
    ${pattern(pathsOf(commands))}) at="$at \${words[i]}" ;;
    esac
  done
  case "$at \${words[CURRENT - 1]}" in
${values.join('\n')}
  esac
  case "$at" in
${words.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o option options_here
  elif (( \${#words_here} )); then
    _describe command words_here
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _formstead ]]; then
  _formstead "$@"
else
  compdef _formstead formstead
fi
`;
}

/** Returns the elements of an array for `_describe`. */
function list(words: readonly Word[]): string {
  return words.map(({ name, description }) => quote(`${name}:${description}`)).join(' ');
}

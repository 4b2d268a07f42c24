const LIST = `${'['.repeat(29)}${'1,'.repeat(128_000).slice(0, -1)}${']'.repeat(29)}`;

/** JSON bodies of 1 MiB that are costly to mask or to write out: nested lists, and digits that may be a card number. */
export const WORST_BODIES: readonly string[] = [
  `{${['a', 'b', 'c', 'd'].map((name) => `"${name}":{"x":${LIST}}`).join()}}`,
  JSON.stringify(Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, '1 '.repeat(130_000)]))),
];

/** Files that are imported as text, to be a part of the program. */
declare module '*.sql' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: a text import has no other.
  export default text;
}
declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: a text import has no other.
  export default text;
}
declare module '*.txt' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: a text import has no other.
  export default text;
}

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
/** Files that are a part of the program, and read when they are needed; the text is the path. */
declare module '*.gz' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: a file import has no other.
  export default path;
}
declare module '*.md' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: a file import has no other.
  export default path;
}

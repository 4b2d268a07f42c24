// biome-ignore-all lint/style/noDefaultExport: imports of files have no other.

/** Files that are embedded as text. */
declare module '*.sql' {
  const text: string;
  export default text;
}
declare module '*.yaml' {
  const text: string;
  export default text;
}
declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.svg' {
  const text: string;
  export default text;
}
/** Scripts of pages. */
declare module '*.js' {
  const text: string;
  export default text;
}
/** Embedded files that are read when needed; the import is their path. */
declare module '*.gz' {
  const path: string;
  export default path;
}
declare module '*.bin' {
  const path: string;
  export default path;
}
declare module '*.md' {
  const path: string;
  export default path;
}
/** The ALTCHA widget, imported as a file path and served unchanged. */
declare module 'altcha/i18n' {
  const path: string;
  export default path;
}

/** The ALTCHA widget, imported as a file path and served unchanged. */
declare module 'altcha/i18n' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: a file import has no other.
  export default path;
}

/** Imported as a file, to be sent to pages as it is. */
declare module 'altcha/i18n' {
  const path: string;
  // biome-ignore lint/style/noDefaultExport: a file import has no other.
  export default path;
}

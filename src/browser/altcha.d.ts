/** Imported as text, to be sent to pages as it is. */
declare module 'altcha/i18n' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: a text import has no other.
  export default text;
}

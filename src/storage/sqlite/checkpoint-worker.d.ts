declare const text: string;
// biome-ignore lint/style/noDefaultExport: a text import has no other.
export default text;

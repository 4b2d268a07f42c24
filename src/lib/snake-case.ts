/** Returns a name as the API and the file of forms write it, such as `redirect_url` for `redirectUrl`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

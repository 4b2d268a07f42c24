/** Returns a name as the API and the file of forms write it, such as `redirect_url` for `redirectUrl`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

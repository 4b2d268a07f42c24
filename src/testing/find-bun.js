/** Returns the path of Bun, which runs the server. */
export function findBun() {
  return process.versions.bun ? process.execPath : 'bun';
}

/** Waits for what comes by itself; the test's own limit of time ends it. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await Bun.sleep(5);
}

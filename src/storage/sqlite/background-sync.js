// Worker that syncs a file repeatedly while another thread writes it. It receives the path and replies null when the
// file is open; it receives null after the last write and replies null when all of it is on disk. Errors are replied as
// a message. A single sync of hundreds of megabytes at the end would block every other sync on that disk, such as the
// server's commits.
import { fdatasyncSync, openSync } from 'node:fs';

const PAUSE_MS = 2;

let isWritten = false;

self.onmessage = async ({ data: path }) => {
  if (path === null) {
    isWritten = true;
    return;
  }
  try {
    const file = openSync(path, 'a');
    postMessage(null);
    while (!isWritten) {
      fdatasyncSync(file);
      await Bun.sleep(PAUSE_MS);
    }
    fdatasyncSync(file);
    postMessage(null);
  } catch (error) {
    postMessage(error.message);
  }
};

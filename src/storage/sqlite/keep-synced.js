// A worker of its own: it brings a file to the disk bit by bit while somebody writes it, and answers once it is open, once all
// of it is there after a message of null, or with what went wrong. One sync of hundreds of megabytes at the end would hold up
// every other sync of that disk, those of a server's posts among them.
import { fdatasyncSync, openSync } from 'node:fs';

const REST_MS = 2;

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
      await Bun.sleep(REST_MS);
    }
    fdatasyncSync(file);
    postMessage(null);
  } catch (error) {
    postMessage(error.message);
  }
};

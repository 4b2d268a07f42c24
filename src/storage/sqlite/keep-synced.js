// A worker of its own: it brings a file to the disk bit by bit while somebody writes it. One sync of hundreds of megabytes at
// the end would hold up every other sync of that disk, those of a server's posts among them.
import { fdatasyncSync, openSync } from 'node:fs';

const REST_MS = 2;

self.onmessage = async ({ data: path }) => {
  const file = openSync(path, 'a');
  postMessage('open');
  for (;;) {
    fdatasyncSync(file);
    await Bun.sleep(REST_MS);
  }
};

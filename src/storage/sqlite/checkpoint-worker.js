// Worker that checkpoints the write-ahead log of a database, which blocks its thread until the disk has synced. It
// receives the path, and then a message for each checkpoint; it replies the code of a failed sync, or null. After `close`
// it replies once its connection is closed.
import { Database } from 'bun:sqlite';

let database = null;

self.onmessage = ({ data }) => {
  let syncError = null;
  try {
    if (data === 'close') database?.close();
    else {
      database ??= open(data);
      database.query('PRAGMA wal_checkpoint(PASSIVE)').get();
    }
  } catch (error) {
    // On a full disk the log keeps growing.
    if (error.code?.endsWith('FSYNC')) syncError = error.code;
  }
  postMessage(syncError);
};

function open(path) {
  const connection = new Database(path, { readwrite: true, create: false });
  connection.run('PRAGMA busy_timeout = 0');
  connection.run('PRAGMA synchronous = FULL');
  connection.run('PRAGMA fullfsync = ON');
  connection.run('PRAGMA wal_autocheckpoint = 0');
  return connection;
}

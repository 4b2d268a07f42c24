import { test } from 'bun:test';

/**
 * Declares a test about files that only SQLite has: the database and its log in the data directory, a key file, backups.
 * PostgreSQL requires a key in the settings.
 */
export const sqliteOnly = test.skipIf(Bun.env.TEST_DATABASE === 'postgres');

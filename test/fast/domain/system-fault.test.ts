import { describe, expect, test } from 'bun:test';
import { AppError } from '../../../src/domain/errors.ts';
import { describeFailure, explainSystemFault } from '../../../src/domain/instance/system-fault.ts';

const failure = (code: string) => Object.assign(new Error('a message'), { code });

describe('a failure is explained in words with a remedy:', () => {
  test.each([
    ['53100', 'the disk of PostgreSQL is full (53100). Free some space on it.'],
    ['25006', /^PostgreSQL is read-only \(25006\)\. Let DATABASE_URL lead to the primary/],
    ['53300', /^PostgreSQL has no free connection \(53300\)\. Raise max_connections/],
    ['57P01', /^PostgreSQL is stopping or starting/],
    ['28P01', /^PostgreSQL refuses the login/],
    ['XX001', /^PostgreSQL found damaged data.*restore a backup/],
    ['XX000', /^PostgreSQL reports a fault/],
    ['55P03', /^other transactions held up this one/],
    ['ECONNREFUSED', /^the connection failed \(ECONNREFUSED\)/],
    ['ENOSPC', /^the disk is full \(ENOSPC\)\. Check the disk/],
    ['SQLITE_CORRUPT_INDEX', /^a message\. Stop the server.*restore a backup/],
    ['SQLITE_IOERR_WRITE', /^a message\. Check the disk/],
  ])('%s', (code, words) => {
    expect(explainSystemFault(failure(code))).toMatch(words);
  });

  test('one of a file names its path', () => {
    const denied = Object.assign(failure('EACCES'), { path: '/data/files' });
    expect(explainSystemFault(denied)).toMatch(/^access was denied \(EACCES, \/data\/files\)\. Make DATA_DIR/);
  });
});

test('other errors have no explanation, and the log gets the cause of one for callers', () => {
  expect([new Error('x'), new AppError('conflict', 'x'), null].map(explainSystemFault)).toEqual([null, null, null]);
  const wrapped = new AppError('storage_unavailable', 'later', { cause: failure('53200') });
  expect(describeFailure(wrapped)).toStartWith('PostgreSQL is out of memory (53200)');
  expect(describeFailure(new AppError('conflict', 'in use'))).toBe('in use');
});
